//! What a user of the cache implements: keys with a text form, and a [`Loader`] that reads the source of truth.

use std::{fmt::Display, hash::Hash, str::FromStr};

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
    type Key: Key;
    type Value: Serialize + DeserializeOwned + Send + Sync + 'static;
    type Error: std::error::Error + Send + Sync + 'static;

    /// Raise it whenever the layout of `Value` changes: entries of another schema are misses, never errors.
    const SCHEMA: u16 = 0;

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
}
