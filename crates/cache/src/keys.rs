//! The names of keys in Redis.
//!
//! The braces give all keys of one entry one hash slot, so that a script may touch them together. Value and tombstone
//! share a prefix, which processes subscribe to; the keys of leases are outside of it, so they cause no messages. So are the
//! versions of tags: what processes are notified of is a marker that the invalidation of a tag writes.

use crate::Key;

#[derive(Debug)]
pub(crate) struct Keys {
    /// The prefix of the values and tombstones of this cache, and of no other key.
    tracked_prefix: String,
    lease_prefix: String,
    tag_prefix: String,
    /// The prefix of the markers of this cache, and of no other key.
    marker_prefix: String,
}

const TOMBSTONE: &str = ":t";

/// A tracked key that was written, with the entry that it belongs to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TrackedKey<K> {
    Value(K),
    Tombstone(K),
    Tag(String),
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
            tag_prefix: format!("{prefix}cache-tag:{{{name}:"),
            marker_prefix: format!("{prefix}cache-tag-drop:{{{name}:"),
        }
    }

    /// The prefixes of the keys that this process is notified of.
    pub(crate) fn tracked_prefixes(&self) -> [&str; 2] {
        [&self.tracked_prefix, &self.marker_prefix]
    }

    /// The version of a tag.
    pub(crate) fn tag(&self, tag: &str) -> String {
        format!("{}{tag}}}", self.tag_prefix)
    }

    /// The key that the invalidation of a tag writes.
    pub(crate) fn tag_marker(&self, tag: &str) -> String {
        format!("{}{tag}}}", self.marker_prefix)
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
        let invalidated = std::str::from_utf8(invalidated).ok()?;
        if let Some(tag) = invalidated.strip_prefix(&self.marker_prefix) {
            return Some(TrackedKey::Tag(tag.strip_suffix('}')?.to_owned()));
        }
        let rest = invalidated.strip_prefix(&self.tracked_prefix)?;
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
            assert_eq!(tombstone, Some(TrackedKey::Tombstone(id.clone())));
            let tag = keys.parse::<String>(keys.tag_marker(&id).as_bytes());
            assert_eq!(tag, Some(TrackedKey::Tag(id)));
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
