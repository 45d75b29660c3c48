//! Notes, fans and feeds: whether size costs the people who use them anything.

mod publish;
mod read;

use anyhow::Result;

use crate::market::{Market, MarketPlan, MarketRole};
use crate::progress;
use crate::report::Findings;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "What publishing a note costs its author with 100, 10,000 (the most that are pushed to) and a million fans: five notes in a \
     row, while the outbox relays. A thousand fans, or all of a hundred, have inboxes and find the notes there. Then feed pages \
     of people who follow 10 and 1,000 others, the hot list, a note, shops nearby and likes (of a thousand people, a note \
     each), against /healthz from 32 connections. One process does \
     everything, on SQLite.",
);
const NAME: &str = "social";

/// Pairs per figure; the first round warms up.
const ROUNDS: usize = 9;
/// Among them the authors with fans, the readers, and a thousand who are read.
const PEOPLE: usize = 1_100;

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a site");
    let market = Market::open(MarketPlan {
        people: PEOPLE,
        role: MarketRole::All,
        ..MarketPlan::default()
    })
    .await?;
    let ids = market.sql.crowd_ids().await?;
    let mut findings = publish::compare(&market, &ids).await?;
    findings.figures.extend(read::compare(&market, &ids).await?);
    Ok(findings)
}
