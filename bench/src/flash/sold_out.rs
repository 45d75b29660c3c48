//! The most frequent reply: sold out, from the memory of the process.

use anyhow::{Result, ensure};

use super::CONNECTIONS;
use crate::load::{Requests, ask_all};
use crate::market::{Market, MarketPlan};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Figure, Findings, Goal};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "A thousand users claim a sale that is sold out, from 256 connections, against /healthz. Redis commands are \
     counted meanwhile and for as long afterwards, without claims: the cost of the replies is the difference. One process \
     answers, and there is no other.",
);
const NAME: &str = "sold-out";
/// Pairs per figure; the first round warms up.
const ROUNDS: usize = 9;
/// Users who claim, each of them many times a window.
const PEOPLE: usize = 1_000;
const TIMES: usize = 40;

/// What was seen, round by round.
#[derive(Default)]
struct Windows {
    /// Answers a second.
    answers: Vec<f64>,
    hellos: Vec<f64>,
    /// Commands per million answers, less those at rest.
    commands: Vec<f64>,
    /// Commands a second without claims.
    at_rest: Vec<f64>,
}

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a market");
    let plan = MarketPlan {
        people: PEOPLE + 1,
        ..MarketPlan::default()
    };
    let mut market = Market::open(plan).await?;
    let voucher = market.publish(1).await?;
    market.open_with(voucher, PEOPLE..PEOPLE + 1).await?;
    market.check().await?;
    market.send_worker_away().await?;
    let mut windows = Windows::default();
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        windows.measure(&market, voucher).await?;
    }
    market.check().await?;
    Ok(windows.figures().into())
}

impl Windows {
    async fn measure(&mut self, market: &Market, voucher: i64) -> Result<()> {
        market.arrive(CONNECTIONS).await?;
        let before = market.commands().await;
        let answered = ask_all(market.address(), CONNECTIONS, everybody(market, voucher)).await?;
        let between = market.commands().await;
        tokio::time::sleep(answered.took).await;
        let after = market.commands().await;
        let any_sold = answered.answers.iter().any(|answer| answer.is_success);
        ensure!(!any_sold, "something was sold that was not there");
        let greeted = market.hello(CONNECTIONS, PEOPLE * TIMES).await?;
        let busy = between.since(&before).total() as f64;
        let idle = after.since(&between).total() as f64;
        let millions = answered.answers.len() as f64 / 1e6;
        self.answers.push(answered.per_sec());
        self.hellos.push(greeted.per_sec());
        self.commands.push((busy - idle) / millions);
        self.at_rest.push(idle / answered.took.as_secs_f64());
        Ok(())
    }

    /// Without the first round, which warms up.
    fn figures(&self) -> Vec<Figure> {
        let each = |values: &[f64]| Summary::of(values[1..].iter().copied());
        vec![
            Figure::new(
                NAME,
                "sold out / static reply",
                Summary::of_ratios(&self.answers[1..], &self.hellos[1..]),
                Some(Goal::AtLeast(0.95)),
            ),
            Figure::new(
                NAME,
                "Redis commands per million sold-out answers",
                each(&self.commands),
                Some(Goal::AtMost(1_000.0)),
            ),
            Figure::new(
                NAME,
                "Redis commands per second without claims",
                each(&self.at_rest),
                None,
            ),
            Figure::new(
                NAME,
                "sold-out answers per second",
                each(&self.answers),
                None,
            ),
        ]
    }
}

fn everybody(market: &Market, voucher: i64) -> Requests {
    let path = format!("/api/voucher-order/seckill/{voucher}");
    let mut requests = Requests::default();
    for _ in 0..TIMES {
        for token in &market.tokens[..PEOPLE] {
            requests.push("POST", &path, Some(token));
        }
    }
    requests
}
