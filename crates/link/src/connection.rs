//! An open connection, and the task that drives it.

use std::{
    ops::{Deref, DerefMut},
    sync::Arc,
};

use redis::aio::MultiplexedConnection;
use tokio_util::task::AbortOnDropHandle;

/// A connection that is closed with its last clone, commands in flight included: a blocked command must end with its
/// caller.
#[derive(Clone, Debug)]
pub(crate) struct Connection {
    inner: MultiplexedConnection,
    /// The task of a connection that was opened on a stream of ours; the client library owns the task of any other.
    _driver: Option<Arc<AbortOnDropHandle<Option<()>>>>,
}

impl Connection {
    #[cfg(feature = "tls")]
    pub(crate) fn driven(
        inner: MultiplexedConnection,
        driver: impl Future<Output = ()> + Send + 'static,
    ) -> Self {
        let driver = supervise::spawn_once("redis connection", driver);
        Self {
            inner,
            _driver: Some(Arc::new(AbortOnDropHandle::new(driver))),
        }
    }
}

impl From<MultiplexedConnection> for Connection {
    fn from(inner: MultiplexedConnection) -> Self {
        Self {
            inner,
            _driver: None,
        }
    }
}

impl Deref for Connection {
    type Target = MultiplexedConnection;

    fn deref(&self) -> &MultiplexedConnection {
        &self.inner
    }
}

impl DerefMut for Connection {
    fn deref_mut(&mut self) -> &mut MultiplexedConnection {
        &mut self.inner
    }
}
