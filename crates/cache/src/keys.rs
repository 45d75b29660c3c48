//! What keys in Redis are called.
//!
//! The braces give all keys of one entry one hash slot, so that a script may touch them together. Value and tombstone
//! share a beginning, which is what processes listen to; leases come and go without anybody hearing.

use crate::Key;

#[derive(Debug)]
pub(crate) struct Keys {
    /// What values and tombstones of this cache begin with, and nothing else.
    heard: String,
    unheard: String,
}

const TOMBSTONE: &str = ":t";

/// The three keys of one entry.
pub(crate) struct KeySet {
    pub(crate) value: String,
    pub(crate) lease: String,
    pub(crate) tombstone: String,
}

impl Keys {
    pub(crate) fn new(prefix: &str, name: &str) -> Self {
        Self {
            heard: format!("{prefix}cache:{{{name}:"),
            unheard: format!("{prefix}cache-lease:{{{name}:"),
        }
    }

    pub(crate) fn heard(&self) -> &str {
        &self.heard
    }

    pub(crate) fn value(&self, key: &impl Key) -> String {
        format!("{}{key}}}", self.heard)
    }

    pub(crate) fn lease(&self, key: &impl Key) -> String {
        format!("{}{key}}}", self.unheard)
    }

    pub(crate) fn all(&self, key: &impl Key) -> KeySet {
        let value = self.value(key);
        KeySet {
            lease: self.lease(key),
            tombstone: format!("{value}{TOMBSTONE}"),
            value,
        }
    }

    /// Which entry a key that we heard of belongs to. A value's key ends in a brace and a tombstone's does not, so the two
    /// cannot be mistaken for each other, whatever the key itself looks like.
    pub(crate) fn parse<K: Key>(&self, heard: &[u8]) -> Option<K> {
        let rest = std::str::from_utf8(heard).ok()?.strip_prefix(&self.heard)?;
        let rest = rest.strip_suffix(TOMBSTONE).unwrap_or(rest);
        rest.strip_suffix('}')?.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_of_an_entry_leads_back_to_it() {
        let keys = Keys::new("app:", "shop");
        for id in ["42", "", "}", "a}:t", "{b}", "a:t"] {
            let set = keys.all(&id.to_owned());
            for key in [&set.value, &set.tombstone] {
                assert_eq!(keys.parse::<String>(key.as_bytes()).as_deref(), Some(id));
            }
        }
    }

    #[test]
    fn a_key_of_somebody_else_leads_nowhere() {
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
