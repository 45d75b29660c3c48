//! Commands that wait on the server on purpose: `XREADGROUP … BLOCK`, `BLPOP` and similar.
//!
//! They would block all other commands of a shared connection, so a [`Blocking`] has one of its own and takes
//! `&mut self`: it runs one command at a time.

use std::time::Duration;

use redis::{Cmd, FromRedisValue, Value};

use crate::{Link, LinkError, connection::Connection, link::read, target::ServerAddress};

/// A connection for one blocking command at a time. It is opened when first used and reopened after a failure.
///
/// Dropping a call, or the whole value, closes the connection, and the server ends the blocked command. A reply that was in
/// flight is lost: use a consumer group rather than a pop.
#[derive(Debug)]
pub struct Blocking {
    link: Link,
    open: Option<(ServerAddress, Connection)>,
}

impl Blocking {
    pub(crate) fn new(link: Link) -> Self {
        Self { link, open: None }
    }

    /// Runs a command that blocks at most `block` on the server. The client waits for the response timeout on top of that.
    ///
    /// Without a connection it fails at once, so a caller that reads in a loop has to back off after an error.
    pub async fn run<T: FromRedisValue>(
        &mut self,
        cmd: &Cmd,
        block: Duration,
    ) -> Result<T, LinkError> {
        let reply = self.send(cmd, block).await;
        read(reply.inspect_err(|error| self.link.servers().refresh_after(error))?)
    }

    async fn send(&mut self, cmd: &Cmd, block: Duration) -> Result<Value, LinkError> {
        let limit = block + self.link.options().response_timeout;
        let (address, mut connection) = self.connection_for(cmd).await?;
        connection.set_response_timeout(limit);
        let reply = connection.send_packed_command(cmd).await;
        if reply.is_ok() {
            self.open = Some((address, connection));
        }
        let reply = reply.and_then(Value::extract_error);
        reply.map_err(|error| LinkError::after_sending(error, limit))
    }

    /// The open connection if it leads to the present master of the command's keys, otherwise a new one.
    async fn connection_for(
        &mut self,
        cmd: &Cmd,
    ) -> Result<(ServerAddress, Connection), LinkError> {
        let node = self.link.servers().node_for(cmd).await?;
        let address = node.live().await?.address.clone();
        match self.open.take() {
            Some(open) if open.0 == address => Ok(open),
            _ => {
                let opened = Box::pin(self.link.dialer().open(&address, |_| {})).await;
                let connection = opened.map_err(LinkError::Unreachable)?;
                Ok((address, connection))
            }
        }
    }
}
