//! A connection that the caller has already: [`GivenConnection`].
//!
//! Its commands go out as the link's own would, with the same bound on every wait and the same classification of errors.
//! What the connection does by itself stays as it is, repeating commands included.

use std::{fmt, sync::Arc, time::Duration};

use redis::{Cmd, Pipeline, RedisFuture, RedisResult, Value, aio::ConnectionLike};
use tokio::time::timeout;

use crate::LinkError;

/// A connection of the client library that is cheap to clone, whatever its type.
#[derive(Clone)]
pub(crate) struct GivenConnection {
    connection: Arc<dyn AnyConnection>,
    response_timeout: Duration,
}

/// What a link needs of a connection. Each call works on a clone, because all callers share the connection.
trait AnyConnection: Send + Sync {
    fn send<'a>(&self, cmd: &'a Cmd) -> RedisFuture<'a, Value>;

    fn send_all<'a>(
        &self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>>;
}

impl<C: ConnectionLike + Clone + Send + Sync + 'static> AnyConnection for C {
    fn send<'a>(&self, cmd: &'a Cmd) -> RedisFuture<'a, Value> {
        let mut connection = self.clone();
        Box::pin(async move { connection.req_packed_command(cmd).await })
    }

    fn send_all<'a>(
        &self,
        pipeline: &'a Pipeline,
        offset: usize,
        count: usize,
    ) -> RedisFuture<'a, Vec<Value>> {
        let mut connection = self.clone();
        Box::pin(async move {
            let replies = connection.req_packed_commands(pipeline, offset, count);
            replies.await
        })
    }
}

impl GivenConnection {
    pub(crate) fn new(
        connection: impl ConnectionLike + Clone + Send + Sync + 'static,
        response_timeout: Duration,
    ) -> Self {
        Self {
            connection: Arc::new(connection),
            response_timeout,
        }
    }

    pub(crate) async fn send(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let reply = self.bounded(self.connection.send(cmd)).await?;
        self.classify(reply.and_then(Value::extract_error))
    }

    pub(crate) async fn send_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        let replies = self.connection.send_all(pipeline, offset, count);
        let replies = self.bounded(replies).await?;
        self.classify(replies)
    }

    /// The connection may have a longer limit, or none.
    async fn bounded<T>(&self, reply: RedisFuture<'_, T>) -> Result<RedisResult<T>, LinkError> {
        let reply = timeout(self.response_timeout, reply).await;
        reply.map_err(|_| LinkError::TimedOut(self.response_timeout))
    }

    fn classify<T>(&self, reply: RedisResult<T>) -> Result<T, LinkError> {
        reply.map_err(|error| LinkError::after_sending(error, self.response_timeout))
    }
}

impl fmt::Debug for GivenConnection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("GivenConnection(..)")
    }
}
