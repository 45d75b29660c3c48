//! The heartbeat of a server: one command proves that every connection to it works.
//!
//! The command connection publishes on a channel of this link, and each push connection subscribes to that channel. The
//! reply proves that the command connection works, the message proves the same of each push connection, so the number of
//! subscriptions does not change what a quiet process sends. A push connection without a beat for a whole heartbeat sends a
//! `PING` of its own: a lost beat, a server that forbids `PUBLISH` and a dead connection are then told apart within the
//! same time as without beats.
//!
//! A beat carries the time of its publication, and that is what it proves: a connection that delivers an old beat lags, and
//! other messages on it may be just as old. A connection that misses beats which the server has acknowledged leads to
//! another server, even if that one replies to a `PING`.
//!
//! In a Cluster a message goes to every node, so there each connection sends its own `PING`.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use redis::{Cmd, Value, aio::MultiplexedConnection};
use tokio::time::Instant;

/// Beats come earlier than they are missed, so that a beat which is a little late causes no `PING`.
const PERIOD_TENTHS: u32 = 9;

/// The channel on which a link publishes its beats; `None` in a Cluster.
#[derive(Clone, Debug)]
pub(crate) struct HeartbeatChannel(Option<Arc<Beats>>);

#[derive(Debug)]
struct Beats {
    channel: String,
    /// Beats are stamped with the milliseconds since then.
    since: Instant,
    /// The latest stamp that a server has acknowledged.
    acknowledged_ms: AtomicU64,
}

impl HeartbeatChannel {
    /// A channel of this link alone.
    pub(crate) fn random() -> Self {
        Self::random_since(Instant::now())
    }

    pub(crate) fn random_since(since: Instant) -> Self {
        Self(Some(Arc::new(Beats {
            channel: format!("link:heartbeat:{:016x}", rand::random::<u64>()),
            since,
            acknowledged_ms: AtomicU64::new(0),
        })))
    }

    pub(crate) fn none() -> Self {
        Self(None)
    }

    pub(crate) fn name(&self) -> Option<&str> {
        self.0.as_ref().map(|beats| beats.channel.as_str())
    }

    /// When a beat with this payload was published; nothing for what is no beat.
    pub(crate) fn published_at(&self, payload: &[u8]) -> Option<Instant> {
        let beats = self.0.as_ref()?;
        let stamp_ms = std::str::from_utf8(payload).ok()?.parse().ok()?;
        beats.since.checked_add(Duration::from_millis(stamp_ms))
    }

    /// When the last beat was published that a server has acknowledged.
    pub(crate) fn acknowledged_at(&self) -> Option<Instant> {
        let beats = self.0.as_ref()?;
        let stamp_ms = beats.acknowledged_ms.load(Ordering::Relaxed);
        (stamp_ms > 0).then(|| beats.since + Duration::from_millis(stamp_ms))
    }

    fn stamp_ms(&self) -> u64 {
        let elapsed = self.0.as_ref().map(|beats| beats.since.elapsed());
        u64::try_from(elapsed.unwrap_or_default().as_millis()).unwrap_or(u64::MAX)
    }

    fn acknowledge(&self, stamp_ms: u64) {
        if let Some(beats) = &self.0 {
            beats.acknowledged_ms.fetch_max(stamp_ms, Ordering::Relaxed);
        }
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
        let stamp_ms = self.channel.stamp_ms();
        let reply = connection
            .send_packed_command(&self.command(stamp_ms))
            .await;
        match &reply {
            // How many connections it was sent to.
            Ok(Value::Int(_)) => self.channel.acknowledge(stamp_ms),
            Ok(Value::ServerError(error)) if error.code() == "NOPERM" => {
                self.may_publish.store(false, Ordering::Relaxed);
            }
            _ => {}
        }
        reply.is_ok()
    }

    fn command(&self, stamp_ms: u64) -> Cmd {
        match self.channel.name() {
            Some(channel) if self.may_publish.load(Ordering::Relaxed) => {
                let mut publish = redis::cmd("PUBLISH");
                publish.arg(channel).arg(stamp_ms);
                publish
            }
            _ => redis::cmd("PING"),
        }
    }
}
