//! What a user of the cache implements: keys with a text form, and a [`Loader`] that reads the source of truth.

use std::{fmt::Display, hash::Hash, str::FromStr, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

/// The key of an entry. `Display` and `FromStr` must be inverse: an invalidation from Redis carries the text form, and a
/// form that does not parse invalidates all of memory.
pub trait Key: Clone + Eq + Hash + Display + FromStr + Send + Sync + 'static {}

impl<T: Clone + Eq + Hash + Display + FromStr + Send + Sync + 'static> Key for T {}

/// The rows that a batch load returns.
pub type LoadedRows<L> = Vec<(<L as Loader>::Key, <L as Loader>::Value)>;

/// Where values come from when the cache does not have them, usually a database.
///
/// It must read committed rows, and not from a lagging replica: only [`Loader::version`] can detect a row that was read
/// from old data after the invalidation.
pub trait Loader: Send + Sync + 'static {
    /// What identifies a row.
    type Key: Key;
    /// The row, as readers get it.
    type Value: Serialize + DeserializeOwned + Send + Sync + 'static;
    /// Why a load failed.
    type Error: std::error::Error + Send + Sync + 'static;

    /// Raise it whenever the layout of `Value` changes: entries of another schema are misses, never errors.
    const SCHEMA: u16 = 0;

    /// Whether there is something to load from. False for [`NoLoader`](crate::NoLoader) alone.
    const LOADS: bool = true;

    /// Loads the value of this key; `None` if the row does not exist.
    fn load(
        &self,
        key: &Self::Key,
    ) -> impl Future<Output = Result<Option<Self::Value>, Self::Error>> + Send;

    /// Loads the values of these keys, in any order and without those that do not exist.
    fn load_many(
        &self,
        keys: &[Self::Key],
    ) -> impl Future<Output = Result<LoadedRows<Self>, Self::Error>> + Send {
        async move {
            let mut found = Vec::with_capacity(keys.len());
            for key in keys {
                let value = self.load(key).await?;
                found.extend(value.map(|value| (key.clone(), value)));
            }
            Ok(found)
        }
    }

    /// A number that rises with every change of the row. With it Redis refuses a fill that is older than the stored entry
    /// or than the version of [`Cache::invalidate_older`](crate::Cache::invalidate_older).
    fn version(_value: &Self::Value) -> Option<u64> {
        None
    }

    /// How long this value is fresh, instead of [`Builder::soft_ttl`](crate::Builder::soft_ttl); `value` is `None` if the row does
    /// not exist. See [`Loaded::ttl`](crate::Loaded::ttl).
    fn ttl(&self, _key: &Self::Key, _value: Option<&Self::Value>) -> Option<Duration> {
        None
    }

    /// The tags of this key: [`Cache::invalidate_tag`](crate::Cache::invalidate_tag) of one of them invalidates the key. At most
    /// 32, of at most 512 bytes; a value with more is not stored.
    ///
    /// They are a property of the key and not of the value, because their versions are read before the load. A tag that were
    /// known only after it could have been invalidated in between.
    fn tags(&self, _key: &Self::Key) -> Vec<String> {
        Vec::new()
    }
}
