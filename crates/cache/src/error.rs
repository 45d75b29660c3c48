//! The errors of reads and puts. A failure of Redis is not an error of a read: then the cache calls the loader.

use std::{sync::Arc, time::Duration};

use link::LinkError;

/// Why a load failed; all readers of one load get the same error.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CacheError<E> {
    /// The loader failed, and there was no earlier value to fall back on.
    #[error("the value could not be loaded")]
    Loader(#[source] Arc<E>),
    /// Neither this process nor another one had the value within the hard timeout.
    #[error("the value was not loaded within {} ms", .0.as_millis())]
    TimedOut(Duration),
    /// The loader panicked, or the runtime is shutting down.
    #[error("the load ended without a result")]
    Abandoned,
    /// The key is not cached, and the cache has no loader: see [`NoLoader`](crate::NoLoader).
    #[error("the value is not cached, and the cache has no loader")]
    NoLoader,
}

/// Why a put failed. Redis may still hold the previous value: retry, or invalidate the key.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PutError {
    /// Redis did not confirm it.
    #[error("the value could not be put into Redis")]
    Redis(#[from] LinkError),
}

impl<E> Clone for CacheError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Loader(error) => Self::Loader(error.clone()),
            Self::TimedOut(limit) => Self::TimedOut(*limit),
            Self::Abandoned => Self::Abandoned,
            Self::NoLoader => Self::NoLoader,
        }
    }
}
