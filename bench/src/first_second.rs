//! The first second after a start, and after Redis lost everything: whether those who come then wait longer than those who
//! come later.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::load::{Crowd, Requests, TimedReply, play};
use crate::market::{Defaults, Market, MarketPlan, MarketRole};
use crate::pairs::{Summary, percentile};
use crate::progress;
use crate::report::{Figure, Findings, Goal};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Cached reads (shops, their types, their vouchers, the running sales) at 2,000 a second from 64 connections, for a second from the \
     moment at which the process says that it is ready, and for a second from the moment at which Redis was flushed, each \
     against a second three seconds later. Default settings, demo data, one process does everything.",
);
const NAME: &str = "first-second";
/// Pairs per figure; the first round warms up.
const ROUNDS: usize = 9;
const CONNECTIONS: usize = 64;
const PER_SEC: usize = 2_000;
/// Seconds of load: what is measured first, what is left out, and what is measured last.
const SECONDS: usize = 4;
/// Shops of the demo data that are read in turn.
const SHOPS: usize = 10;

/// p99 in milliseconds, round by round.
#[derive(Debug, Default)]
struct Seconds {
    first: Vec<f64>,
    later: Vec<f64>,
}

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a site");
    let mut market = Market::open(MarketPlan {
        people: 0,
        role: MarketRole::All,
        defaults: Defaults::Kept,
        ..MarketPlan::default()
    })
    .await?;
    market.publish(100).await?;
    let (mut restarted, mut flushed) = (Seconds::default(), Seconds::default());
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        market.restart().await?;
        restarted.measure(market.address(), round > 0).await?;
        market.redis.flush().await;
        flushed.measure(market.address(), round > 0).await?;
    }
    let mut figures = restarted.figures("a restart");
    figures.extend(flushed.figures("a flush of Redis"));
    Ok(figures.into())
}

impl Seconds {
    async fn measure(&mut self, address: SocketAddr, is_counted: bool) -> Result<()> {
        let replies = tokio::task::spawn_blocking(move || read(address)).await??;
        if is_counted {
            self.first.push(p99_ms(&replies[..PER_SEC]));
            self.later.push(p99_ms(&replies[(SECONDS - 1) * PER_SEC..]));
        }
        Ok(())
    }

    fn figures(&self, after: &str) -> Vec<Figure> {
        let ms = |values: &[f64]| Summary::of(values.iter().copied());
        vec![
            Figure::new(
                NAME,
                format!("cached reads, p99 of the first second after {after} / of a warm second"),
                Summary::of_ratios(&self.first, &self.later),
                Some(Goal::AtMost(3.0)),
            ),
            Figure::new(
                NAME,
                format!("p99 of the first second after {after}, ms"),
                ms(&self.first),
                None,
            ),
            Figure::new(
                NAME,
                format!("p99 of a warm second after {after}, ms"),
                ms(&self.later),
                None,
            ),
        ]
    }
}

fn read(address: SocketAddr) -> Result<Vec<TimedReply>> {
    let count = PER_SEC * SECONDS;
    let mut requests = Requests::default();
    for place in 0..count {
        requests.push("GET", &path(place), None);
    }
    let pause = Duration::from_secs(1) / PER_SEC as u32;
    let due: Vec<Duration> = (0..count as u32).map(|place| pause * place).collect();
    let mut crowd = Crowd::open(address, CONNECTIONS)?;
    let replies = play(&mut crowd, &requests, &due)?;
    let refused = replies.iter().find(|it| !it.answer.is_success);
    ensure!(refused.is_none(), "a request was refused: {refused:?}");
    Ok(replies)
}

/// What the front page and the page of a shop ask for.
fn path(place: usize) -> String {
    let shop = place / 4 % SHOPS + 1;
    match place % 4 {
        0 => format!("/api/shop/{shop}"),
        1 => "/api/shop-type/list".to_owned(),
        2 => format!("/api/voucher/list/{shop}"),
        _ => "/api/voucher/seckill/running".to_owned(),
    }
}

fn p99_ms(replies: &[TimedReply]) -> f64 {
    let waits = replies.iter().map(|it| it.took.as_secs_f64() * 1_000.0);
    percentile(&mut waits.collect::<Vec<f64>>(), 0.99)
}
