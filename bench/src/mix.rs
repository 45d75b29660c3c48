//! The whole site at once: people who read, people who like and follow, and a sale that begins in the middle.
//!
//! An open loop, so latency is what people would have felt; and at the end everything that was acknowledged is looked up
//! in SQL. A run that lost or doubled a like, a follow, a check-in or an order has no figures.

mod latency;
mod replies;
mod script;
mod verdict;

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::load::{Crowd, TimedReply, play};
use crate::market::{Market, MarketPlan, MarketRole};
use crate::progress;
use crate::report::Findings;
use crate::settings::{MIX_PER_SEC, MIX_SECS, SEED};
use script::RequestScript;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "80 % reads, 15 % social, 5 % claims at a fixed rate, whatever the answers do; half of the claims come within a second of \
     the sale's beginning, which is in the middle. Then likes, follows, check-ins and orders are compared with SQL, one by \
     one. Ranges are those of single seconds. One process does everything, on SQLite.",
);
const NAME: &str = "mix";

const PEOPLE: usize = 4_000;
const CONNECTIONS: usize = 512;
/// Less than half of the claims, so that it sells out.
const STOCK_SHARE: usize = 4;
/// For publishing the sale and writing the script before the load begins.
const LEAD: SignedDuration = SignedDuration::from_secs(5);

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a site");
    let mut market = Market::open(MarketPlan {
        people: PEOPLE,
        role: MarketRole::All,
        ..MarketPlan::default()
    })
    .await?;
    let ids = market.sql.crowd_ids().await?;
    ensure!(ids.len() == PEOPLE, "everybody of the crowd is there");
    market.arrive(CONNECTIONS).await?;
    let (seconds, rate) = (MIX_SECS.get(), MIX_PER_SEC.get());
    let half = Duration::from_secs(seconds) / 2;
    let begins = next_second() + LEAD + SignedDuration::try_from(half)?;
    let stock = (seconds * rate) as usize / 20 / STOCK_SHARE;
    let voucher = market.publish_from(stock, &wall_clock(begins)?).await?;
    let script = RequestScript::new(&market, voucher, &ids, SEED.get());
    progress::step(NAME, format!("{rate} requests a second for {seconds} s"));
    let (script, replies) =
        perform(script, &market, begins - SignedDuration::try_from(half)?).await?;
    progress::step(NAME, "looking for everything in SQL");
    verdict::check(&mut market, voucher, stock, &script, &replies).await?;
    Ok(findings(&script, &replies))
}

/// Plays the script from a moment on.
async fn perform(
    script: RequestScript,
    market: &Market,
    from: Timestamp,
) -> Result<(RequestScript, Vec<TimedReply>)> {
    let address = market.address();
    let run = move || {
        let mut crowd = Crowd::open(address, CONNECTIONS)?;
        let left = from.duration_since(Timestamp::now());
        let left = Duration::try_from(left).context("the load begins too late")?;
        std::thread::sleep(left);
        let replies = play(&mut crowd, &script.requests, &script.due)?;
        anyhow::Ok((script, replies))
    };
    tokio::task::spawn_blocking(run).await?
}

fn findings(script: &RequestScript, replies: &[TimedReply]) -> Findings {
    let mut figures = vec![replies::figure(replies)];
    figures.extend(latency::figures(script, replies));
    Findings {
        figures,
        breakdowns: vec![replies::breakdown(script, replies)],
        plots: latency::plots(script, replies),
    }
}

/// Sales begin at whole seconds.
fn next_second() -> Timestamp {
    let now = Timestamp::now().as_second();
    Timestamp::from_second(now + 1).expect("the next second is a moment")
}

/// On the clocks of the site, whose zone is the default.
fn wall_clock(at: Timestamp) -> Result<String> {
    let local = TimeZone::get("Asia/Shanghai")?.to_datetime(at);
    Ok(local.strftime("%Y-%m-%dT%H:%M:%S").to_string())
}
