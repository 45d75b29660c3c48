//! One server and the connection to it that mends itself.
//!
//! A task owns the connection: it dials, watches, and dials again for as long as the [`Node`] lives. Callers only
//! look at its [`State`]. While an attempt is under way they wait for its outcome, once it has failed they are
//! refused at once, and nothing is ever queued for a server that is away. The invariant: a command is handed to a
//! connection at most once, so whatever fails after that is reported as such and never repeated behind the caller's
//! back.

use std::{sync::Arc, time::Duration};

use redis::{
    Cmd, Pipeline, PushKind, RedisResult, Value,
    aio::{ConnectionLike, MultiplexedConnection},
};
use tokio::{
    sync::{Notify, watch},
    time::{Instant, timeout},
};
use tokio_util::task::AbortOnDropHandle;

use crate::{
    LinkError, Options,
    backoff::Backoff,
    dial::Dialer,
    error::{Cause, is_stale_master},
    target::Address,
};

/// A connection that lived at least this long was a good one: the next one is dialled without a pause. A server that
/// takes connections only to drop them is given pauses like one that refuses them.
const GOOD_LIFE: Duration = Duration::from_secs(1);

/// A server, reached through one multiplexed connection.
#[derive(Debug)]
pub(crate) struct Node {
    state: watch::Receiver<State>,
    /// Raised by whoever has reason to think that the connection is dead or leads to the wrong server.
    doubt: Arc<Notify>,
    response_timeout: Duration,
    _keeper: AbortOnDropHandle<()>,
}

/// What the keeper knows about the connection.
#[derive(Clone, Debug)]
pub(crate) enum State {
    /// An attempt is under way and none has failed since the last connection.
    Dialing,
    Up(Live),
    /// The last attempt failed; the next follows by itself.
    Down(Cause),
}

/// A connection that is believed to work.
#[derive(Clone, Debug)]
pub(crate) struct Live {
    pub(crate) address: Address,
    connection: MultiplexedConnection,
}

impl Node {
    pub(crate) fn spawn(dialer: Dialer, address: Address, options: &Options) -> Self {
        let (sender, state) = watch::channel(State::Dialing);
        let doubt = Arc::new(Notify::new());
        let keeper = Keeper {
            dialer,
            address,
            heartbeat: options.heartbeat,
            state: sender,
            doubt: doubt.clone(),
        };
        Self {
            state,
            doubt,
            response_timeout: options.response_timeout,
            _keeper: AbortOnDropHandle::new(tokio::spawn(keeper.keep())),
        }
    }

    /// The current connection, or the outcome of the attempt that is under way.
    pub(crate) async fn live(&self) -> Result<Live, LinkError> {
        if let State::Up(live) = &*self.state.borrow() {
            return Ok(live.clone());
        }
        let mut state = self.state.clone();
        let decided = state.wait_for(|state| !matches!(state, State::Dialing));
        match timeout(self.response_timeout, decided).await {
            Ok(Ok(state)) => match &*state {
                State::Up(live) => Ok(live.clone()),
                State::Down(cause) => Err(LinkError::Unreachable(cause.clone())),
                State::Dialing => Err(not_yet()),
            },
            Ok(Err(_)) | Err(_) => Err(not_yet()),
        }
    }

    pub(crate) async fn ask(&self, cmd: &Cmd) -> Result<Value, LinkError> {
        let mut live = self.live().await?;
        let answer = live.connection.send_packed_command(cmd).await;
        self.judge(answer.and_then(Value::extract_error))
    }

    pub(crate) async fn ask_all(
        &self,
        pipeline: &Pipeline,
        offset: usize,
        count: usize,
    ) -> Result<Vec<Value>, LinkError> {
        let mut live = self.live().await?;
        let answers = live
            .connection
            .req_packed_commands(pipeline, offset, count)
            .await;
        self.judge(answers)
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

/// The task behind a [`Node`].
struct Keeper {
    dialer: Dialer,
    address: Address,
    heartbeat: Duration,
    state: watch::Sender<State>,
    doubt: Arc<Notify>,
}

impl Keeper {
    async fn keep(self) {
        let mut backoff = Backoff::new();
        loop {
            match self.dial().await {
                Ok((live, ended)) => {
                    let since = Instant::now();
                    self.announce_up(&live);
                    let why = self.watch_over(live, &ended).await;
                    tracing::warn!(address = %self.address, why, "redis connection lost");
                    if since.elapsed() >= GOOD_LIFE {
                        backoff.reset();
                        self.state.send_replace(State::Dialing);
                        continue;
                    }
                    self.state.send_replace(State::Down(Cause::new(why)));
                }
                Err(cause) => self.announce_down(cause),
            }
            backoff.pause().await;
        }
    }

    async fn dial(&self) -> Result<(Live, Arc<Notify>), Cause> {
        let ended = Arc::new(Notify::new());
        let on_push = {
            let ended = ended.clone();
            move |push: redis::PushInfo| {
                if push.kind == PushKind::Disconnection {
                    ended.notify_one();
                }
            }
        };
        let connection = self.dialer.open(&self.address, on_push).await?;
        let address = self.address.clone();
        Ok((
            Live {
                address,
                connection,
            },
            ended,
        ))
    }

    /// Returns when the connection has ended, with the reason.
    async fn watch_over(&self, mut live: Live, ended: &Notify) -> &'static str {
        loop {
            tokio::select! {
                () = ended.notified() => return "closed by the server",
                () = self.doubt.notified() => {}
                () = tokio::time::sleep(self.heartbeat) => {}
            }
            let ping = redis::cmd("PING");
            if live.connection.send_packed_command(&ping).await.is_err() {
                return "no sign of life";
            }
        }
    }

    fn announce_up(&self, live: &Live) {
        let before = self.state.send_replace(State::Up(live.clone()));
        if matches!(before, State::Down(_)) {
            tracing::info!(address = %live.address, "redis is back");
        }
    }

    fn announce_down(&self, cause: Cause) {
        let text = cause.to_string();
        let before = self.state.send_replace(State::Down(cause));
        if !matches!(before, State::Down(_)) {
            tracing::warn!(cause = text, "redis cannot be reached");
        }
    }
}
