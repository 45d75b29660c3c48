//! An uncontended lock, against two bare round trips.

use std::time::Instant;

use anyhow::Result;
use link::Link;
use lock::Locks;

use super::{NAME, ROUNDS, link, progress};
use crate::{
    pairs::Summary,
    report::{Figure, Goal},
};

/// Repetitions in one measurement.
const TIMES: usize = 400;

pub(super) async fn compare(url: &str) -> Result<Vec<Figure>> {
    progress::step(NAME, "without contention");
    let link = link(url).await?;
    let locks = Locks::new(link.clone());
    let (mut ours, mut pings, mut writes) = (Vec::new(), Vec::new(), Vec::new());
    // The first round warms up: connections, scripts, caches.
    for round in 0..=ROUNDS {
        let times = [
            time_locks(&locks).await?,
            time_pings(&link).await?,
            time_writes(&link).await?,
        ];
        if round > 0 {
            ours.push(times[0]);
            pings.push(times[1]);
            writes.push(times[2]);
        }
    }
    let figure = |metric, base: &[f64], goal| {
        Figure::new(NAME, metric, Summary::of_ratios(&ours, base), goal)
    };
    Ok(vec![
        figure("lock + release / two PINGs", &pings, None),
        figure(
            "lock + release / SET + DEL",
            &writes,
            Some(Goal::AtMost(1.2)),
        ),
    ])
}

async fn time_locks(locks: &Locks) -> Result<f64> {
    let mutex = locks.mutex("alone");
    let since = Instant::now();
    for _ in 0..TIMES {
        mutex.lock().await?.release().await?;
    }
    Ok(since.elapsed().as_secs_f64())
}

async fn time_pings(link: &Link) -> Result<f64> {
    let since = Instant::now();
    for _ in 0..2 * TIMES {
        link.run::<()>(&redis::cmd("PING")).await?;
    }
    Ok(since.elapsed().as_secs_f64())
}

/// What the simplest lock that could work does.
async fn time_writes(link: &Link) -> Result<f64> {
    let since = Instant::now();
    for _ in 0..TIMES {
        let mut set = redis::cmd("SET");
        set.arg("bare").arg("token").arg("NX").arg("PX").arg(30_000);
        link.run::<()>(&set).await?;
        link.run::<()>(redis::cmd("DEL").arg("bare")).await?;
    }
    Ok(since.elapsed().as_secs_f64())
}
