//! The lock scenario: what a lock costs alone, how fast it changes hands, and how soon a waiter wakes up.
//!
//! Redis is private and keeps nothing on disk, so that what is compared is the protocol and not the disk.

mod alone;
mod crowd;
mod wakeup;
pub(crate) mod worker;

use anyhow::Result;
use link::{Link, Options, Target};
use testkit::Redis;

use crate::report::Figure;

const NAME: &str = "lock";

/// Pairs per figure: enough for a median that one hiccup does not move.
const ROUNDS: usize = 15;

pub(crate) async fn run() -> Result<Vec<Figure>> {
    let redis = Redis::builder().arg("--appendonly", "no").start().await;
    let url = redis.url();
    let mut figures = alone::compare(&url).await?;
    figures.extend(wakeup::compare(&url).await?);
    for processes in [1, 4] {
        figures.extend(crowd::compare(&redis, processes).await?);
    }
    figures.push(crowd::cost_of_lone_tasks(&redis).await?);
    Ok(figures)
}

async fn link(url: &str) -> Result<Link> {
    let target = Target::parse(url)?;
    Ok(Link::connect(&target, Options::default()).await?)
}

#[expect(clippy::print_stderr, reason = "progress, away from the table")]
fn progress(what: &str) {
    eprintln!("lock: {what}");
}
