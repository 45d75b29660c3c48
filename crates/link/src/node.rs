//! One server and the connection to it that mends itself.
//!
//! A task owns the connection (see [`keeper`]): it dials, watches, and dials again for as long as the [`Node`] lives.
//! Callers only look at its [`State`]. While an attempt is under way they wait for its outcome, once it has failed
//! they are refused at once, and nothing is ever queued for a server that is away. The invariant: a command is handed
//! to a connection at most once, so whatever fails after that is reported as such and never repeated behind the
//! caller's back.

mod keeper;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use redis::{
    Cmd, Pipeline, RedisResult, Value,
    aio::{ConnectionLike, MultiplexedConnection},
};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};
use tokio_util::task::AbortOnDropHandle;

use keeper::Keeper;
pub(crate) use keeper::Source;

use crate::{
    LinkError, Options,
    dial::Dialer,
    error::{Cause, is_stale_master},
    target::Address,
};

/// A server, reached through one multiplexed connection.
#[derive(Debug)]
pub(crate) struct Node {
    state: watch::Receiver<State>,
    /// Raised by whoever has reason to think that the connection is dead or leads to the wrong server.
    doubt: Arc<Notify>,
    response_timeout: Duration,
    /// Counts round trips, together with the other nodes of the link.
    meter: Arc<AtomicU64>,
    _keeper: AbortOnDropHandle<()>,
}

/// What the keeper knows about the connection.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// An attempt is under way and none has failed since the last connection.
    Dialing,
    Up(Arc<Live>),
    /// The last attempt failed; the next follows by itself.
    Down(Cause),
}

/// A connection that is believed to work.
#[derive(Debug)]
pub(crate) struct Live {
    pub(crate) address: Address,
    connection: MultiplexedConnection,
}

impl Node {
    pub(crate) fn spawn(
        dialer: Dialer,
        source: Source,
        options: &Options,
        meter: Arc<AtomicU64>,
    ) -> Self {
        let (sender, state) = watch::channel(State::Dialing);
        let doubt = Arc::new(Notify::new());
        let keeper = Keeper {
            dialer,
            source,
            heartbeat: options.heartbeat,
            state: sender,
            doubt: doubt.clone(),
        };
        Self {
            state,
            doubt,
            response_timeout: options.response_timeout,
            meter,
            _keeper: AbortOnDropHandle::new(tokio::spawn(keeper.run())),
        }
    }

    /// Follows what the keeper knows.
    pub(crate) fn state(&self) -> watch::Receiver<State> {
        self.state.clone()
    }

    /// The current connection, or the outcome of the attempt that is under way.
    pub(crate) async fn live(&self) -> Result<Arc<Live>, LinkError> {
        self.live_within(self.response_timeout).await
    }

    pub(crate) async fn live_within(&self, limit: Duration) -> Result<Arc<Live>, LinkError> {
        if let State::Up(live) = &*self.state.borrow() {
            return Ok(live.clone());
        }
        let mut state = self.state.clone();
        let decided = state.wait_for(|state| !matches!(state, State::Dialing));
        match timeout(limit, decided).await {
            Ok(Ok(state)) => match &*state {
                State::Up(live) => Ok(live.clone()),
                State::Down(cause) => Err(LinkError::Unreachable(cause.clone())),
                State::Dialing => Err(not_yet()),
            },
            Ok(Err(_)) | Err(_) => Err(not_yet()),
        }
    }

    pub(crate) async fn ask(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        self.meter.fetch_add(1, Ordering::Relaxed);
        self.ask_quietly(cmd).await
    }

    /// Asks on behalf of the link itself, uncounted.
    pub(crate) async fn ask_quietly(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let mut connection = self.live().await?.connection.clone();
        let answer = connection.send_packed_command(cmd).await;
        self.judge(answer.and_then(Value::extract_error))
    }

    /// The answers in order; an error answer of a single command is one of them.
    pub(crate) async fn ask_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        self.meter.fetch_add(1, Ordering::Relaxed);
        let mut connection = self.live().await?.connection.clone();
        let answers = connection.req_packed_commands(pipeline, offset, count);
        self.judge(answers.await)
    }

    fn judge<T>(&self, answer: RedisResult<T>) -> Result<T, LinkError> {
        answer.map_err(|error| {
            let error = LinkError::after_sending(error, self.response_timeout);
            if casts_doubt(&error) {
                self.doubt.notify_one();
            }
            error
        })
    }
}

fn casts_doubt(error: &LinkError) -> bool {
    match error {
        LinkError::TimedOut(_) | LinkError::Lost(_) => true,
        LinkError::Refused { code, .. } => is_stale_master(code),
        _ => false,
    }
}

fn not_yet() -> LinkError {
    LinkError::Unreachable(Cause::new("the connection is still being opened"))
}
