//! The heartbeat of a server: one command proves that every connection to it works.
//!
//! The command connection publishes on a channel of this link, and each push connection subscribes to that channel. The
//! reply proves that the command connection works, the message proves the same of each push connection, so the number of
//! subscriptions does not change what a quiet process sends. A push connection that receives nothing for a whole
//! heartbeat sends a `PING` of its own: a lost beat, a server that forbids `PUBLISH` and a dead connection are then told
//! apart within the same time as without beats.
//!
//! In a Cluster a message goes to every node, so there each connection sends its own `PING`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use redis::{Cmd, Value, aio::MultiplexedConnection};

/// Beats come earlier than they are missed, so that a beat which is a little late causes no `PING`.
const PERIOD_TENTHS: u32 = 9;

/// The channel on which a link publishes its beats; `None` in a Cluster.
#[derive(Clone, Debug)]
pub(crate) struct HeartbeatChannel(Option<Arc<str>>);

impl HeartbeatChannel {
    /// A channel of this link alone.
    pub(crate) fn random() -> Self {
        let name = format!("link:heartbeat:{:016x}", rand::random::<u64>());
        Self(Some(name.into()))
    }

    pub(crate) fn none() -> Self {
        Self(None)
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.0.as_deref()
    }
}

/// The beats of one command connection.
#[derive(Debug)]
pub(crate) struct Heartbeat {
    channel: HeartbeatChannel,
    period: Duration,
    /// Cleared by a server that forbids it, whose log should not fill with attempts.
    may_publish: AtomicBool,
}

impl Heartbeat {
    /// `limit` is how long a connection may be quiet.
    pub(crate) fn new(channel: HeartbeatChannel, limit: Duration) -> Self {
        let period = match channel.name() {
            Some(_) => limit * PERIOD_TENTHS / 10,
            None => limit,
        };
        Self {
            channel,
            period,
            may_publish: AtomicBool::new(true),
        }
    }

    /// The time between two beats.
    pub(crate) fn period(&self) -> Duration {
        self.period
    }

    /// Whether the server replies. Any reply counts: a server that is loading its data is alive.
    pub(crate) async fn beat(&self, connection: &mut MultiplexedConnection) -> bool {
        let reply = connection.send_packed_command(&self.command()).await;
        if let Ok(Value::ServerError(error)) = &reply
            && error.code() == "NOPERM"
        {
            self.may_publish.store(false, Ordering::Relaxed);
        }
        reply.is_ok()
    }

    fn command(&self) -> Cmd {
        match self.channel.name() {
            Some(channel) if self.may_publish.load(Ordering::Relaxed) => {
                let mut publish = redis::cmd("PUBLISH");
                publish.arg(channel).arg("");
                publish
            }
            _ => redis::cmd("PING"),
        }
    }
}
