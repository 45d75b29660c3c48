//! What a cache asks of its user: keys that can be written down, and a [`Loader`] that knows the truth.

use std::{fmt::Display, hash::Hash, str::FromStr};

use serde::{Serialize, de::DeserializeOwned};

/// What entries are called. `Display` and `FromStr` must be each other's inverse: Redis tells of a change by the
/// written form, and a form that cannot be read back costs the whole memory of the process, to be safe.
pub trait Key: Clone + Eq + Hash + Display + FromStr + Send + Sync + 'static {}

impl<T: Clone + Eq + Hash + Display + FromStr + Send + Sync + 'static> Key for T {}

/// What a batch brings.
pub type Rows<L> = Vec<(<L as Loader>::Key, <L as Loader>::Value)>;

/// Where values come from when the cache does not have them, usually a database.
///
/// It must read what is committed, and not from a replica that lags: a row read before a change and handed in after the
/// change was announced is the one stale value that only [`Loader::version`] can tell.
pub trait Loader: Send + Sync + 'static {
    type Key: Key;
    type Value: Serialize + DeserializeOwned + Send + Sync + 'static;
    type Error: std::error::Error + Send + Sync + 'static;

    /// To be raised whenever the shape of `Value` changes: entries of another number are misses, never errors.
    const SCHEMA: u16 = 0;

    /// The value of this key, or nothing if there is none.
    fn load(
        &self,
        key: &Self::Key,
    ) -> impl Future<Output = Result<Option<Self::Value>, Self::Error>> + Send;

    /// The values of these keys, in any order and without those that do not exist.
    fn load_many(
        &self,
        keys: &[Self::Key],
    ) -> impl Future<Output = Result<Rows<Self>, Self::Error>> + Send {
        async move {
            let mut found = Vec::with_capacity(keys.len());
            for key in keys {
                let value = self.load(key).await?;
                found.extend(value.map(|value| (key.clone(), value)));
            }
            Ok(found)
        }
    }

    /// A number that rises with every change of the row. With it a fill older than what is stored, or than what
    /// [`Cache::invalidate_older`](crate::Cache::invalidate_older) announced, is refused.
    fn version(_value: &Self::Value) -> Option<u64> {
        None
    }
}
