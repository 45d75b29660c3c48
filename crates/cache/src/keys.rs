//! The names of keys in Redis.
//!
//! The braces give all keys of one entry one hash slot, so that a script may touch them together. Value and tombstone
//! share a prefix, which processes subscribe to; the keys of leases are outside of it, so they cause no messages.

use crate::Key;

#[derive(Debug)]
pub(crate) struct Keys {
    /// The prefix of the values and tombstones of this cache, and of no other key.
    tracked_prefix: String,
    lease_prefix: String,
}

const TOMBSTONE: &str = ":t";

/// A tracked key that was written, with the entry that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TrackedKey<K> {
    Value(K),
    Tombstone(K),
}

/// The three keys of one entry.
pub(crate) struct KeySet {
    pub(crate) value: String,
    pub(crate) lease: String,
    pub(crate) tombstone: String,
}

impl Keys {
    pub(crate) fn new(prefix: &str, name: &str) -> Self {
        Self {
            tracked_prefix: format!("{prefix}cache:{{{name}:"),
            lease_prefix: format!("{prefix}cache-lease:{{{name}:"),
        }
    }

    pub(crate) fn tracked_prefix(&self) -> &str {
        &self.tracked_prefix
    }

    pub(crate) fn value(&self, key: &impl Key) -> String {
        format!("{}{key}}}", self.tracked_prefix)
    }

    pub(crate) fn lease(&self, key: &impl Key) -> String {
        format!("{}{key}}}", self.lease_prefix)
    }

    pub(crate) fn all(&self, key: &impl Key) -> KeySet {
        let value = self.value(key);
        KeySet {
            lease: self.lease(key),
            tombstone: format!("{value}{TOMBSTONE}"),
            value,
        }
    }

    /// The entry that an invalidated key belongs to. The key of a value ends in a brace and that of a tombstone does not,
    /// so the two cannot be confused, whatever the entry's own key looks like.
    pub(crate) fn parse<K: Key>(&self, invalidated: &[u8]) -> Option<TrackedKey<K>> {
        let rest = std::str::from_utf8(invalidated)
            .ok()?
            .strip_prefix(&self.tracked_prefix)?;
        let of_value = |rest: &str| rest.strip_suffix('}')?.parse().ok();
        match rest.strip_suffix(TOMBSTONE) {
            Some(rest) => of_value(rest).map(TrackedKey::Tombstone),
            None => of_value(rest).map(TrackedKey::Value),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_an_entry_parses_to_it() {
        let keys = Keys::new("app:", "shop");
        for id in ["42", "", "}", "a}:t", "{b}", "a:t"] {
            let id = id.to_owned();
            let set = keys.all(&id);
            let value = keys.parse::<String>(set.value.as_bytes());
            assert_eq!(value, Some(TrackedKey::Value(id.clone())));
            let tombstone = keys.parse::<String>(set.tombstone.as_bytes());
            assert_eq!(tombstone, Some(TrackedKey::Tombstone(id)));
        }
    }

    #[test]
    fn a_key_of_another_cache_does_not_parse() {
        let keys = Keys::new("app:", "shop");
        for key in [
            "app:cache:{shop:x}",
            "app:cache:{shops:1}",
            "app:cache:{shop:1",
        ] {
            assert_eq!(keys.parse::<u64>(key.as_bytes()), None);
        }
    }
}
