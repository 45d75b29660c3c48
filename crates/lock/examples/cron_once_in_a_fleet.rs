//! A cron job on every machine of a fleet, which runs once per slot: `cargo run -p redis-locks --example cron_once_in_a_fleet`.
//!
//! A lock alone is not enough: a machine whose clock is late finds the lock free again and would run the slot a second time.
//! So the slot that ran last is stored, and is read and written under the lock. The job itself must tolerate a second run all
//! the same, since no lease can stop a machine that is paused in the middle of it (or check the fence: see the example
//! `fenced_writer_to_sql`).

#![expect(clippy::print_stdout, reason = "an example shows what it does")]

#[path = "support/server.rs"]
mod server;

use std::time::Duration;

use redis_locks::{Error, Locks, Term, link::Link};
use tokio::time::{Instant, sleep, sleep_until};

const MACHINES: usize = 3;
const SLOTS: u64 = 4;
/// A real cron would have minutes here.
const INTERVAL: Duration = Duration::from_millis(300);
/// Longer than a slow machine or a slow network takes, so that no slot is left out. A machine that gets the lock after the next
/// slot has run finds that out from the stored slot.
const PATIENCE: Duration = Duration::from_secs(30);

/// Runs the job of a slot, unless another machine runs it or did; returns whether it ran here.
async fn run_slot(locks: &Locks, link: &Link, slot: u64) -> anyhow::Result<bool> {
    let mutex = locks.mutex("cron: report");
    let mutex = mutex.term(Term::Renewed(Duration::from_secs(10)));
    let guard = match mutex.lock_within(PATIENCE).await {
        Ok(guard) => guard,
        Err(Error::WaitLimit) => return Ok(false),
        Err(error) => return Err(error.into()),
    };
    let last: Option<u64> = link
        .run(redis::cmd("GET").arg("cron: report: last"))
        .await?;
    let is_due = last.is_none_or(|last| last < slot);
    if is_due {
        // Dropped at its next await if the lock is lost.
        guard.protect(build_report()).await?;
        let mut store = redis::cmd("SET");
        link.run::<()>(store.arg("cron: report: last").arg(slot))
            .await?;
    }
    guard.release().await?;
    Ok(is_due)
}

async fn build_report() {
    sleep(Duration::from_millis(20)).await;
}

async fn machine(
    number: usize,
    locks: Locks,
    link: Link,
    start: Instant,
) -> anyhow::Result<Vec<u64>> {
    let mut ran = Vec::new();
    for slot in 1..=SLOTS {
        // Clocks differ a little.
        let drift = Duration::from_millis(10 * number as u64);
        sleep_until(start + INTERVAL * u32::try_from(slot)? + drift).await;
        if run_slot(&locks, &link, slot).await? {
            println!("slot {slot}: machine {number} built the report");
            ran.push(slot);
        }
    }
    // Waits until dropped guards are released.
    locks.shutdown(Duration::from_secs(2)).await;
    Ok(ran)
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    let server = server::Server::find_or_start().await;
    let mut fleet = tokio::task::JoinSet::new();
    let link = server.link().await?;
    link.run::<()>(redis::cmd("DEL").arg("cron: report: last"))
        .await?;
    let start = Instant::now();
    for number in 0..MACHINES {
        let link = server.link().await?;
        fleet.spawn(machine(number, Locks::new(link.clone()), link, start));
    }
    let mut ran = Vec::new();
    while let Some(slots) = fleet.join_next().await {
        ran.extend(slots??);
    }
    ran.sort_unstable();
    anyhow::ensure!(ran == (1..=SLOTS).collect::<Vec<_>>(), "ran: {ran:?}");
    println!("{SLOTS} slots on {MACHINES} machines, each ran once");
    Ok(())
}
