//! The task that releases what was dropped.
//!
//! `Drop` cannot wait and may run outside a runtime, in a panic or at shutdown, so it only puts the token into a queue.
//! The task lives until the last handle is gone and its queue is empty.

use std::sync::Arc;

use supervise::{Supervisor, run_once};
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
    time::Instant,
};

use crate::{limits::RELEASE_LIMIT, retry::Retry, site::Site, token::Token};

#[derive(Debug)]
pub(crate) enum Order {
    Release(Arc<Site>, Token),
    /// Answered when everything before it is done.
    Flush(oneshot::Sender<()>),
}

pub(crate) async fn run(mut orders: mpsc::UnboundedReceiver<Order>) {
    let mut releases = JoinSet::new();
    let mut supervisor = Supervisor::new("lock releaser");
    while supervisor
        .run(work(&mut orders, &mut releases))
        .await
        .is_none()
    {}
}

async fn work(orders: &mut mpsc::UnboundedReceiver<Order>, releases: &mut JoinSet<Option<()>>) {
    loop {
        tokio::select! {
            order = orders.recv() => match order {
                Some(Order::Release(site, token)) => {
                    releases.spawn(run_once("lock release", release(site, token)));
                }
                Some(Order::Flush(done)) => {
                    while releases.join_next().await.is_some() {}
                    // Whoever waited may have lost patience.
                    let _ = done.send(());
                }
                None => break,
            },
            Some(_) = releases.join_next(), if !releases.is_empty() => {}
        }
    }
    while releases.join_next().await.is_some() {}
}

async fn release(site: Arc<Site>, token: Token) {
    let mut retry = Retry::until(Instant::now() + RELEASE_LIMIT);
    while let Err(error) = site.release(token).await {
        if let Err(error) = retry.after(error).await {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(lock = site.name(), error, "not released, left to its lease");
            return;
        }
    }
}
