//! How long after a release a waiter of another process has the lock, against one round trip.

use std::time::{Duration, Instant};

use anyhow::Result;
use lock::{Locks, Mutex};

use super::{NAME, link, progress};
use crate::{
    pairs::{Summary, percentile},
    report::Figure,
};

/// Enough for a ninety-ninth percentile that more than one value decides.
const SAMPLES: usize = 300;
const ROUNDS: usize = 9;

/// For the waiter to join the queue: many round trips, far less than a poll.
const SETTLE: Duration = Duration::from_millis(3);

pub(super) async fn compare(url: &str) -> Result<Vec<Figure>> {
    progress::step(NAME, "waking up");
    let (first, second) = (link(url).await?, link(url).await?);
    let locks = [Locks::new(first.clone()), Locks::new(second)];
    let mutexes = locks.each_ref().map(|locks| locks.mutex("wake"));
    let (mut half, mut tail) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let mut wakes = Vec::new();
        let mut round_trips = Vec::new();
        for _ in 0..SAMPLES {
            wakes.push(time_wake(&mutexes).await?);
            let since = Instant::now();
            first.run::<()>(&redis::cmd("PING")).await?;
            round_trips.push(since.elapsed().as_secs_f64());
        }
        half.push(percentile(&mut wakes, 0.5) / percentile(&mut round_trips, 0.5));
        tail.push(percentile(&mut wakes, 0.99) / percentile(&mut round_trips, 0.99));
    }
    Ok(vec![
        Figure::new(
            NAME,
            "wake-up p50 / round trip p50",
            Summary::of(half),
            None,
        ),
        Figure::new(
            NAME,
            "wake-up p99 / round trip p99",
            Summary::of(tail),
            None,
        ),
    ])
}

async fn time_wake([holder, waiter]: &[Mutex; 2]) -> Result<f64> {
    let held = holder.lock().await?;
    let waiter = waiter.clone();
    let waiting = tokio::spawn(async move {
        let guard = waiter.lock().await?;
        Ok::<_, lock::Error>((Instant::now(), guard))
    });
    tokio::time::sleep(SETTLE).await;
    let released = Instant::now();
    held.release().await?;
    let (woken, guard) = waiting.await??;
    guard.release().await?;
    Ok(woken.duration_since(released).as_secs_f64())
}
