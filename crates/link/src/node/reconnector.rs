//! The task behind a [`Node`](super::Node): keeps one connection open to the right server.
//!
//! It closes a connection that does not reply, and behind sentinels one whose server is not the master they name. It backs
//! off between attempts.

use std::sync::Arc;

use redis::{PushInfo, PushKind, Value, from_redis_value};
use supervise::Supervisor;
use tokio::{
    sync::{Notify, watch},
    time::{Instant, sleep},
};

use super::{LiveConnection, NodeState};
use crate::{
    dial::Dialer, error::Cause, heartbeat::Heartbeat, reconnect, sentinel::Sentinels,
    target::ServerAddress,
};

/// How to find the server.
#[derive(Debug)]
pub(crate) enum ServerSource {
    Fixed(ServerAddress),
    /// At the address that the sentinels name; boxed because it is large and rare.
    Sentinels(Box<Sentinels>),
}

pub(super) struct Reconnector {
    pub(super) dialer: Dialer,
    pub(super) source: ServerSource,
    pub(super) heartbeat: Heartbeat,
    pub(super) state: watch::Sender<NodeState>,
    pub(super) suspicion: Arc<Notify>,
}

impl Reconnector {
    /// Runs until the node is dropped.
    pub(super) async fn run(mut self) {
        let mut supervisor = Supervisor::new("redis connection");
        while supervisor.run(self.stay_connected()).await.is_none() {}
    }

    async fn stay_connected(&mut self) {
        let state = &self.state;
        let mut backoff = reconnect::backoff();
        let mut was_up = false;
        loop {
            match self.source.dial(&self.dialer).await {
                Ok((live, ended)) => {
                    was_up = true;
                    let since = Instant::now();
                    publish_up(state, &live);
                    let triggers = CheckTriggers {
                        ended: &ended,
                        suspicion: &self.suspicion,
                        heartbeat: &self.heartbeat,
                    };
                    let why = self.source.wait_until_unusable(&live, triggers).await;
                    tracing::warn!(address = %live.address, why, "redis connection lost");
                    if reconnect::reset_after(&mut backoff, since.elapsed()) {
                        state.send_replace(NodeState::Dialing);
                        continue;
                    }
                    state.send_replace(NodeState::Down(Cause::new(why)));
                }
                Err(cause) => publish_down(state, cause, was_up),
            }
            backoff.sleep().await;
        }
    }
}

fn publish_up(state: &watch::Sender<NodeState>, live: &Arc<LiveConnection>) {
    let before = state.send_replace(NodeState::Up(live.clone()));
    if matches!(before, NodeState::Down(_)) {
        tracing::info!(address = %live.address, "redis connection restored");
    }
}

/// A server that was never reached is not logged: the caller of `connect` gets the error.
fn publish_down(state: &watch::Sender<NodeState>, cause: Cause, was_up: bool) {
    let before = state.send_replace(NodeState::Down(cause.clone()));
    if was_up && !matches!(before, NodeState::Down(_)) {
        tracing::warn!(%cause, "redis unreachable; reconnecting");
    }
}

/// What triggers a check of the connection.
struct CheckTriggers<'a> {
    ended: &'a Notify,
    suspicion: &'a Notify,
    heartbeat: &'a Heartbeat,
}

impl ServerSource {
    /// Opens a connection to the server; the second value is notified when it has ended.
    async fn dial(&mut self, dialer: &Dialer) -> Result<(Arc<LiveConnection>, Arc<Notify>), Cause> {
        let address = match self {
            Self::Fixed(address) => address.clone(),
            Self::Sentinels(sentinels) => sentinels.locate().await?,
        };
        let ended = Arc::new(Notify::new());
        let connection = dialer.open(&address, notify_end(ended.clone())).await?;
        let live = Arc::new(LiveConnection {
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

    /// Returns when the connection is unusable, with the reason.
    async fn wait_until_unusable(
        &mut self,
        live: &LiveConnection,
        triggers: CheckTriggers<'_>,
    ) -> &'static str {
        loop {
            tokio::select! {
                () = triggers.ended.notified() => return "closed by the server",
                () = triggers.suspicion.notified() => {}
                () = sleep(triggers.heartbeat.period()) => {}
            }
            if !triggers.heartbeat.beat(&mut live.connection.clone()).await {
                return "no reply to a heartbeat";
            }
            match self {
                Self::Fixed(_) => {}
                Self::Sentinels(_) if !is_master(live).await => return "not a master",
                // A master that replies is kept although the sentinels do not reply.
                Self::Sentinels(sentinels) => match sentinels.locate().await {
                    Ok(address) if address != live.address => return "another master was elected",
                    Ok(_) | Err(_) => {}
                },
            }
        }
    }
}

fn notify_end(ended: Arc<Notify>) -> impl Fn(PushInfo) {
    move |push| {
        if push.kind == PushKind::Disconnection {
            ended.notify_one();
        }
    }
}

async fn is_master(live: &LiveConnection) -> bool {
    let mut connection = live.connection.clone();
    match connection.send_packed_command(&redis::cmd("ROLE")).await {
        Ok(Value::Array(mut role)) if !role.is_empty() => {
            from_redis_value::<String>(role.swap_remove(0)).is_ok_and(|role| role == "master")
        }
        _ => false,
    }
}
