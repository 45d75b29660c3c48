//! A fair queue with a rate limit over a whole fleet: `cargo run -p redis-locks --example fair_queue`.
//!
//! A partner allows one call per interval. Workers of several machines want to call it, and are served in the order in which
//! they asked, whichever machine they are on. Whoever has the turn calls, and keeps the lock until the interval is over.

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

#[path = "support/server.rs"]
mod server;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use redis_locks::{FairMutex, Locks};
use tokio::{
    task::JoinSet,
    time::{Instant, sleep, sleep_until},
};

const MACHINES: usize = 2;
const WORKERS: usize = 6;
const INTERVAL: Duration = Duration::from_millis(100);

type Calls = Arc<Mutex<Vec<(usize, Instant)>>>;

async fn call_partner(turn: FairMutex, worker: usize, calls: Calls) -> anyhow::Result<()> {
    let guard = turn.lock().await?;
    let called_at = Instant::now();
    calls.lock().expect("no panic").push((worker, called_at));
    println!("worker {worker} calls with fence {}", guard.fence());
    // The lock paces the next caller. A worker that dies here holds up the others for its lease, no longer.
    sleep_until(called_at + INTERVAL).await;
    Ok(guard.release().await?)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let server = server::Server::find_or_start().await;
    let mut fleet = Vec::new();
    for _ in 0..MACHINES {
        fleet.push(Locks::new(server.link().await?));
    }
    let calls = Calls::default();
    let mut workers = JoinSet::new();
    for worker in 0..WORKERS {
        let turn = fleet[worker % MACHINES].fair_mutex("partner API");
        workers.spawn(call_partner(turn, worker, calls.clone()));
        // They arrive one after the other, faster than they are served.
        sleep(INTERVAL / 4).await;
    }
    while let Some(done) = workers.join_next().await {
        done??;
    }
    let calls = calls.lock().expect("no panic").clone();
    let order: Vec<usize> = calls.iter().map(|(worker, _)| *worker).collect();
    anyhow::ensure!(order.is_sorted(), "served out of order: {order:?}");
    for pair in calls.windows(2) {
        anyhow::ensure!(pair[1].1 - pair[0].1 >= INTERVAL, "two calls too close");
    }
    println!("{WORKERS} workers on {MACHINES} machines were served in order, one per {INTERVAL:?}");
    Ok(())
}
