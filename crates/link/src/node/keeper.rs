//! The task behind a [`Node`](super::Node): keeps one connection open to the right server.
//!
//! It ends a connection that shows no sign of life, and behind sentinels one whose server is not the master, or no
//! longer the one they name. It pauses between attempts, so that a server is never stormed.

use std::{sync::Arc, time::Duration};

use redis::{PushInfo, PushKind, Value, from_redis_value};
use supervise::Supervisor;
use tokio::{
    sync::{Notify, watch},
    time::{Instant, sleep},
};

use super::{Live, State};
use crate::{dial::Dialer, error::Cause, reconnect, sentinel::Sentinels, target::Address};

/// Where the server is.
#[derive(Debug)]
pub(crate) enum Source {
    Fixed(Address),
    /// Wherever the sentinels say, boxed because it is large and rare.
    Sentinels(Box<Sentinels>),
}

pub(super) struct Keeper {
    pub(super) dialer: Dialer,
    pub(super) source: Source,
    pub(super) heartbeat: Duration,
    pub(super) state: watch::Sender<State>,
    pub(super) doubt: Arc<Notify>,
}

impl Keeper {
    /// Runs for as long as the node lives.
    pub(super) async fn run(mut self) {
        let mut supervisor = Supervisor::new("redis connection");
        while supervisor.run(self.keep()).await.is_none() {}
    }

    async fn keep(&mut self) {
        let state = &self.state;
        let mut backoff = reconnect::backoff();
        let mut was_up = false;
        loop {
            match self.source.dial(&self.dialer).await {
                Ok((live, ended)) => {
                    was_up = true;
                    let since = Instant::now();
                    announce_up(state, &live);
                    let signals = Signals {
                        ended: &ended,
                        doubt: &self.doubt,
                        heartbeat: self.heartbeat,
                    };
                    let why = self.source.watch_over(&live, signals).await;
                    tracing::warn!(address = %live.address, why, "redis connection lost");
                    if reconnect::reset_after(&mut backoff, since.elapsed()) {
                        state.send_replace(State::Dialing);
                        continue;
                    }
                    state.send_replace(State::Down(Cause::new(why)));
                }
                Err(cause) => announce_down(state, cause, was_up),
            }
            backoff.sleep().await;
        }
    }
}

fn announce_up(state: &watch::Sender<State>, live: &Arc<Live>) {
    let before = state.send_replace(State::Up(live.clone()));
    if matches!(before, State::Down(_)) {
        tracing::info!(address = %live.address, "redis is back");
    }
}

/// A server that was never there is the caller's to report: whoever connects gets the error.
fn announce_down(state: &watch::Sender<State>, cause: Cause, was_up: bool) {
    let before = state.send_replace(State::Down(cause.clone()));
    if was_up && !matches!(before, State::Down(_)) {
        tracing::warn!(%cause, "redis cannot be reached");
    }
}

/// What makes the keeper look at a connection that seems fine.
struct Signals<'a> {
    ended: &'a Notify,
    doubt: &'a Notify,
    heartbeat: Duration,
}

impl Source {
    /// Opens a connection to the server; the second value tells when it has ended.
    async fn dial(&mut self, dialer: &Dialer) -> Result<(Arc<Live>, Arc<Notify>), Cause> {
        let address = match self {
            Self::Fixed(address) => address.clone(),
            Self::Sentinels(sentinels) => sentinels.locate().await?,
        };
        let ended = Arc::new(Notify::new());
        let connection = dialer.open(&address, tell_end(ended.clone())).await?;
        let live = Arc::new(Live {
            address,
            connection,
        });
        if let Self::Sentinels(_) = self
            && !is_master(&live).await
        {
            return Err(Cause::new(format_args!(
                "{}: named by the sentinels, and not a master",
                live.address
            )));
        }
        Ok((live, ended))
    }

    /// Returns when the connection is of no use any more, with the reason.
    async fn watch_over(&mut self, live: &Live, signals: Signals<'_>) -> &'static str {
        loop {
            tokio::select! {
                () = signals.ended.notified() => return "closed by the server",
                () = signals.doubt.notified() => {}
                () = sleep(signals.heartbeat) => {}
            }
            match self {
                Self::Fixed(_) if is_alive(live).await => {}
                Self::Fixed(_) => return "no sign of life",
                Self::Sentinels(_) if !is_master(live).await => return "not a master",
                // Sentinels that do not answer are no reason to leave a master that does.
                Self::Sentinels(sentinels) => match sentinels.locate().await {
                    Ok(address) if address != live.address => return "another master was elected",
                    Ok(_) | Err(_) => {}
                },
            }
        }
    }
}

fn tell_end(ended: Arc<Notify>) -> impl Fn(PushInfo) {
    move |push| {
        if push.kind == PushKind::Disconnection {
            ended.notify_one();
        }
    }
}

/// Any answer will do: a server that is loading its data is alive.
async fn is_alive(live: &Live) -> bool {
    let mut connection = live.connection.clone();
    let ping = redis::cmd("PING");
    connection.send_packed_command(&ping).await.is_ok()
}

async fn is_master(live: &Live) -> bool {
    let mut connection = live.connection.clone();
    match connection.send_packed_command(&redis::cmd("ROLE")).await {
        Ok(Value::Array(mut role)) if !role.is_empty() => {
            from_redis_value::<String>(role.swap_remove(0)).is_ok_and(|role| role == "master")
        }
        _ => false,
    }
}
