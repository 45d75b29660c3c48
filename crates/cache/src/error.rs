//! The errors of a read. A failure of Redis is not among them: then the cache calls the loader.

use std::{sync::Arc, time::Duration};

/// Why a load failed; all readers of one load get the same error.
#[derive(Debug, thiserror::Error)]
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
}

impl<E> Clone for CacheError<E> {
    fn clone(&self) -> Self {
        match self {
            Self::Loader(error) => Self::Loader(error.clone()),
            Self::TimedOut(limit) => Self::TimedOut(*limit),
            Self::Abandoned => Self::Abandoned,
        }
    }
}
