//! The lock scenario: what an uncontended lock costs, how many handovers a second it reaches, and how soon a waiter wakes up.
//!
//! Redis is private and keeps nothing on disk, so that what is compared is the protocol and not the disk.

mod alone;
mod crowd;
mod wakeup;
pub(crate) mod worker;

use anyhow::Result;
use link::{Link, Options, Target};
use testkit::Redis;

use crate::progress;
use crate::report::Findings;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "The lock against bare commands, and 64 tasks that want one lock, in one process and in four, by our lock, by rslock and \
     by a loop around SET NX. Redis keeps nothing on disk here, so that protocols are compared and not disks.",
);
const NAME: &str = "lock";

/// Pairs per figure: enough for a median that one hiccup does not move.
const ROUNDS: usize = 15;

pub(crate) async fn run() -> Result<Findings> {
    let redis = Redis::builder().arg("--appendonly", "no").start().await;
    let url = redis.url();
    let mut figures = alone::compare(&url).await?;
    figures.extend(wakeup::compare(&url).await?);
    for processes in [1, 4] {
        figures.extend(crowd::compare(&redis, processes).await?);
    }
    figures.push(crowd::cost_of_lone_tasks(&redis).await?);
    Ok(figures.into())
}

async fn link(url: &str) -> Result<Link> {
    let target = Target::parse(url)?;
    Ok(Link::connect(&target, Options::default()).await?)
}
