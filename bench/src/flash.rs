//! Scenarios of flash sales. Each one ends with a look into SQL: whoever lost or doubled an order has no figures.

pub(crate) mod claim;
pub(crate) mod drain;
pub(crate) mod growth;
mod market;
pub(crate) mod overload;
mod plain;
pub(crate) mod sold_out;
mod sql;

use crate::load::{Requests, Tally, ask_all};
use anyhow::{Result, ensure};
use market::Market;

/// Connections of the crowd: as many as a call of the gate decides for at the most.
const CONNECTIONS: usize = 256;

/// As static as a reply of the same binary gets, through the same middleware: the whole shell, without a place in the
/// house, which probes do not take.
const HELLO: &str = "/healthz";

async fn hello(market: &Market, count: usize) -> Result<Tally> {
    let requests = Requests::repeat("GET", HELLO, count);
    let tally = ask_all(market.address(), CONNECTIONS, requests).await?;
    let all_fine = tally.answers.iter().all(|answer| answer.status == 200);
    ensure!(all_fine, "a greeting was refused");
    Ok(tally)
}

/// A number from the environment, for runs that take longer than usual.
fn from_environment(name: &str, usual: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[expect(clippy::print_stderr, reason = "progress, away from the table")]
fn progress(what: &str) {
    eprintln!("flash: {what}");
}
