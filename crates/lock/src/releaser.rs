//! The background task that releases dropped guards.
//!
//! `Drop` cannot await and may run outside a runtime, in a panic or at shutdown, so it only sends the token to this task.
//! The task runs until the last handle is dropped and its queue is empty.

use std::sync::Arc;

use supervise::{Supervisor, run_once};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::Instant,
};

use crate::{limits::RELEASE_LIMIT, remote_lock::RemoteLock, retry::Retry, token::Token};

#[derive(Debug)]
pub(crate) enum ReleaseCommand {
    Release(Arc<RemoteLock>, Token),
    /// Completed when all releases before it are done.
    Flush(oneshot::Sender<()>),
}

pub(crate) async fn run(mut commands: mpsc::UnboundedReceiver<ReleaseCommand>) {
    let mut releases = JoinSet::new();
    let mut supervisor = Supervisor::new("lock releaser");
    while supervisor
        .run(work(&mut commands, &mut releases))
        .await
        .is_none()
    {}
}

async fn work(
    commands: &mut mpsc::UnboundedReceiver<ReleaseCommand>,
    releases: &mut JoinSet<Option<()>>,
) {
    loop {
        tokio::select! {
            command = commands.recv() => match command {
                Some(ReleaseCommand::Release(remote, token)) => {
                    releases.spawn(run_once("lock release", release(remote, token)));
                }
                Some(ReleaseCommand::Flush(done)) => {
                    while releases.join_next().await.is_some() {}
                    // The caller of `shutdown` may have timed out.
                    let _ = done.send(());
                }
                None => break,
            },
            Some(_) = releases.join_next(), if !releases.is_empty() => {}
        }
    }
    while releases.join_next().await.is_some() {}
}

async fn release(remote: Arc<RemoteLock>, token: Token) {
    let mut retry = Retry::until(Instant::now() + RELEASE_LIMIT);
    while let Err(error) = remote.release(token).await {
        if let Err(error) = retry.after(error).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(
                lock = remote.name(),
                error,
                "lock release failed; the lock is free when its lease ends"
            );
            return;
        }
    }
}
