//! Commands that wait on the server on purpose: `XREADGROUP … BLOCK`, `BLPOP` and their kin.
//!
//! They would hold up everybody else on a shared connection, so a [`Blocking`] has one of its own and takes
//! `&mut self`: two commands cannot meet on it.

use std::time::Duration;

use redis::{Cmd, FromRedisValue, Value, aio::MultiplexedConnection};

use crate::{Link, LinkError, link::read, target::Address};

/// A connection for one waiting command at a time. It is opened when first used and opened anew after a failure.
///
/// Dropping a call, or the whole value, closes the connection, and the server stops waiting on its behalf. What the
/// server had just sent is then lost on the way: read in a manner that survives that, with a consumer group rather than
/// a pop.
#[derive(Debug)]
pub struct Blocking {
    link: Link,
    open: Option<(Address, MultiplexedConnection)>,
}

impl Blocking {
    pub(crate) fn new(link: Link) -> Self {
        Self { link, open: None }
    }

    /// Runs a command that waits at most `block` on the server. It is given the response timeout on top of that.
    ///
    /// While Redis is away it fails at once, so a reader that asks in a loop has to pause after an error.
    pub async fn run<T: FromRedisValue>(
        &mut self,
        cmd: &Cmd,
        block: Duration,
    ) -> Result<T, LinkError> {
        let answer = self.ask(cmd, block).await;
        read(answer.inspect_err(|error| self.link.servers().learn_from(error))?)
    }

    async fn ask(&mut self, cmd: &Cmd, block: Duration) -> Result<Value, LinkError> {
        let limit = block + self.link.options().response_timeout;
        let (address, mut connection) = self.connection_for(cmd).await?;
        connection.set_response_timeout(limit);
        let answer = connection.send_packed_command(cmd).await;
        if answer.is_ok() {
            self.open = Some((address, connection));
        }
        let answer = answer.and_then(Value::extract_error);
        answer.map_err(|error| LinkError::after_sending(error, limit))
    }

    /// The open connection if it leads to the present master of the command's keys, otherwise a new one.
    async fn connection_for(
        &mut self,
        cmd: &Cmd,
    ) -> Result<(Address, MultiplexedConnection), LinkError> {
        let node = self.link.servers().node_for(cmd).await?;
        let address = node.live().await?.address.clone();
        match self.open.take() {
            Some(open) if open.0 == address => Ok(open),
            _ => {
                let opened = self.link.dialer().open(&address, |_| {}).await;
                let connection = opened.map_err(LinkError::Unreachable)?;
                Ok((address, connection))
            }
        }
    }
}
