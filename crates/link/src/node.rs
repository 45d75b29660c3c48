//! One server and its connection, which reconnects by itself.
//!
//! A task owns the connection (see [`reconnector`]): it connects, checks, and reconnects as long as the [`Node`] lives.
//! Callers only read its [`NodeState`]. During the first attempt they wait for its outcome; once an attempt has failed they are
//! refused at once, and no command is queued for a server that is down. The invariant: a command is sent on a connection at
//! most once, so a later failure is returned to the caller and never retried silently.

mod reconnector;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use redis::{Cmd, Pipeline, RedisResult, Value, aio::ConnectionLike};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use reconnector::Reconnector;
pub(crate) use reconnector::ServerSource;

use crate::{
    LinkError, Options,
    connection::Connection,
    dial::Dialer,
    error::{Cause, is_stale_master},
    heartbeat::{Heartbeat, HeartbeatChannel},
    target::ServerAddress,
};

/// A server, reached through one multiplexed connection.
#[derive(Debug)]
pub(crate) struct Node {
    state: watch::Receiver<NodeState>,
    /// Notified when an error suggests that the connection is dead or leads to the wrong server.
    suspicion: Arc<Notify>,
    response_timeout: Duration,
    heartbeat_channel: HeartbeatChannel,
    /// Counts round trips, together with the other nodes of the link.
    meter: Arc<AtomicU64>,
    _reconnector: AbortOnDropHandle<()>,
}

/// The state of the connection.
#[derive(Clone, Debug)]
pub(crate) enum NodeState {
    /// The first attempt since the last connection is in progress.
    Dialing,
    Up(Arc<LiveConnection>),
    /// The last attempt failed; the task retries.
    Down(Cause),
}

/// A connection that is believed to work.
#[derive(Debug)]
pub(crate) struct LiveConnection {
    pub(crate) address: ServerAddress,
    connection: Connection,
}

impl Node {
    pub(crate) fn spawn(
        dialer: Dialer,
        source: ServerSource,
        options: &Options,
        heartbeat_channel: HeartbeatChannel,
        meter: Arc<AtomicU64>,
    ) -> Self {
        let (sender, state) = watch::channel(NodeState::Dialing);
        let suspicion = Arc::new(Notify::new());
        let reconnector = Reconnector {
            dialer,
            source,
            heartbeat: Heartbeat::new(heartbeat_channel.clone(), options.heartbeat),
            state: sender,
            suspicion: suspicion.clone(),
        };
        Self {
            state,
            suspicion,
            response_timeout: options.response_timeout,
            heartbeat_channel,
            meter,
            _reconnector: AbortOnDropHandle::new(tokio::spawn(reconnector.run())),
        }
    }

    /// Subscribes to the state.
    pub(crate) fn state(&self) -> watch::Receiver<NodeState> {
        self.state.clone()
    }

    /// Where the beats of the command connection are published.
    pub(crate) fn heartbeat_channel(&self) -> &HeartbeatChannel {
        &self.heartbeat_channel
    }

    /// The current connection, or the outcome of the attempt in progress.
    pub(crate) async fn live(&self) -> Result<Arc<LiveConnection>, LinkError> {
        self.live_within(self.response_timeout).await
    }

    pub(crate) async fn live_within(
        &self,
        limit: Duration,
    ) -> Result<Arc<LiveConnection>, LinkError> {
        if let NodeState::Up(live) = &*self.state.borrow() {
            return Ok(live.clone());
        }
        let mut state = self.state.clone();
        let decided = state.wait_for(|state| !matches!(state, NodeState::Dialing));
        match timeout(limit, decided).await {
            Ok(Ok(state)) => match &*state {
                NodeState::Up(live) => Ok(live.clone()),
                NodeState::Down(cause) => Err(LinkError::Unreachable(cause.clone())),
                NodeState::Dialing => Err(not_yet()),
            },
            Ok(Err(_)) | Err(_) => Err(not_yet()),
        }
    }

    pub(crate) async fn send(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        self.meter.fetch_add(1, Ordering::Relaxed);
        self.send_uncounted(cmd).await
    }

    /// Sends a command of the link itself, which does not count as a round trip.
    pub(crate) async fn send_uncounted(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let mut connection = self.live().await?.connection.clone();
        let reply = connection.send_packed_command(cmd).await;
        self.classify(reply.and_then(Value::extract_error))
    }

    /// The replies in order; an error reply of a single command is one of them.
    pub(crate) async fn send_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        self.meter.fetch_add(1, Ordering::Relaxed);
        let mut connection = self.live().await?.connection.clone();
        let replies = connection.req_packed_commands(pipeline, offset, count);
        self.classify(replies.await)
    }

    fn classify<T>(&self, reply: RedisResult<T>) -> Result<T, LinkError> {
        reply.map_err(|error| {
            let error = LinkError::after_sending(error, self.response_timeout);
            if is_suspicious(&error) {
                self.suspicion.notify_one();
            }
            error
        })
    }
}

fn is_suspicious(error: &LinkError) -> bool {
    match error {
        LinkError::TimedOut(_) | LinkError::Lost(_) => true,
        LinkError::Refused { code, .. } => is_stale_master(code),
        _ => false,
    }
}

fn not_yet() -> LinkError {
    LinkError::Unreachable(Cause::new("the connection is still being opened"))
}
