//! What a load gives: a value, or none, with what the cache shall know about it.

use std::{marker::PhantomData, pin::Pin, time::Duration};

use serde::{Serialize, de::DeserializeOwned};

use crate::{Key, Loader};

/// The outcome of a load: a value, or that the row does not exist, with lifetimes and a version of its own if it has them.
/// Made from a `V` or an `Option<V>` with `into()`.
///
/// ```
/// # use std::time::Duration;
/// use redis_two_level_cache::Loaded;
///
/// let rates = Loaded::new(vec![7.1, 7.2]).ttl(Duration::from_secs(30)).version(12);
/// let unknown: Loaded<u64> = None.into();
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded<V> {
    pub(crate) value: Option<V>,
    pub(crate) soft_ttl: Option<Duration>,
    pub(crate) hard_ttl: Option<Duration>,
    pub(crate) version: Option<u64>,
}

impl<V> Loaded<V> {
    /// A value, with the lifetimes of the cache.
    pub fn new(value: V) -> Self {
        Some(value).into()
    }

    /// The row does not exist.
    pub fn absent() -> Self {
        None.into()
    }

    /// How long this value is fresh, instead of [`Builder::soft_ttl`](crate::Builder::soft_ttl), or of
    /// [`Builder::negative_ttl`](crate::Builder::negative_ttl) if there is no row. Jitter shortens it. With zero the readers
    /// who wait get the value, and no level stores it. It is cut to 49 days, the longest that an entry can encode.
    #[must_use]
    pub fn ttl(mut self, ttl: Duration) -> Self {
        self.soft_ttl = Some(ttl);
        self
    }

    /// How long this value is a fallback after its load. Without it, as much longer than its time of freshness as the
    /// settings of the cache say.
    #[must_use]
    pub fn hard_ttl(mut self, ttl: Duration) -> Self {
        self.hard_ttl = Some(ttl);
        self
    }

    /// The version of the row, instead of [`Loader::version`].
    #[must_use]
    pub fn version(mut self, version: u64) -> Self {
        self.version = Some(version);
        self
    }
}

impl<V> From<Option<V>> for Loaded<V> {
    fn from(value: Option<V>) -> Self {
        Self {
            value,
            soft_ttl: None,
            hard_ttl: None,
            version: None,
        }
    }
}

impl<V> From<V> for Loaded<V> {
    fn from(value: V) -> Self {
        Some(value).into()
    }
}

/// The closure of [`Cache::get_with`](crate::Cache::get_with), called at most once.
pub(crate) type LoadClosure<L> = Box<dyn FnOnce() -> ClosureLoad<L> + Send>;

/// What such a closure returns.
pub(crate) type ClosureLoad<L> = Pin<
    Box<
        dyn Future<Output = Result<Loaded<<L as Loader>::Value>, <L as Loader>::Error>>
            + Send
            + 'static,
    >,
>;

/// In place of a [`Loader`], for a cache whose values come from the closures of
/// [`Cache::get_with`](crate::Cache::get_with) alone. [`Cache::get`](crate::Cache::get) then gives
/// [`CacheError::NoLoader`](crate::CacheError::NoLoader) for a key that is not cached.
#[derive(Debug)]
pub struct NoLoader<K, V, E> {
    types: Types<K, V, E>,
}

/// Holds none of them, and is `Send` and `Sync` whatever they are.
type Types<K, V, E> = PhantomData<fn() -> (K, V, E)>;

impl<K, V, E> NoLoader<K, V, E> {
    /// Keys, values and errors are of these types.
    pub fn new() -> Self {
        Self { types: PhantomData }
    }
}

impl<K, V, E> Default for NoLoader<K, V, E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K, V, E> Loader for NoLoader<K, V, E>
where
    K: Key,
    V: Serialize + DeserializeOwned + Send + Sync + 'static,
    E: std::error::Error + Send + Sync + 'static,
{
    type Key = K;
    type Value = V;
    type Error = E;
    const LOADS: bool = false;

    async fn load(&self, _: &K) -> Result<Option<V>, E> {
        unreachable!("the cache does not call a loader whose LOADS is false")
    }
}
