//! What most people hear: sold out, from the memory of the process.

use anyhow::{Result, ensure};

use super::CONNECTIONS;
use crate::load::{Requests, ask_all};
use crate::market::{Market, Plan, order_of};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Figure, Findings, Goal};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "A thousand people ask for a sale that has nothing left, from 256 connections, against /healthz; Redis commands of all \
     processes are counted meanwhile.",
);
const NAME: &str = "sold-out";
/// Pairs per figure; the first round warms up.
const ROUNDS: usize = 9;
/// People who ask, each of them many times a window.
const PEOPLE: usize = 1_000;
const TIMES: usize = 20;

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a market");
    let plan = Plan {
        people: PEOPLE + 1,
        ..Plan::default()
    };
    let mut market = Market::open(plan).await?;
    let voucher = market.publish(1).await?;
    let first = market.claims(voucher, PEOPLE..PEOPLE + 1);
    let bought = ask_all(market.address(), 1, first).await?;
    let orders = bought.answers.iter().filter_map(order_of);
    market.note(voucher, orders);

    let (mut answers, mut hellos, mut commands) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        market.arrive(CONNECTIONS).await?;
        let before = market.commands().await;
        let answered = ask_all(market.address(), CONNECTIONS, everybody(&market, voucher)).await?;
        let called = market.commands().await.since(&before);
        let any_sold = answered.answers.iter().any(|answer| answer.is_success);
        ensure!(!any_sold, "something was sold that was not there");
        let greeted = market.hello(CONNECTIONS, PEOPLE * TIMES).await?;
        if round > 0 {
            answers.push(answered.per_sec());
            hellos.push(greeted.per_sec());
            let count = answered.answers.len() as f64;
            commands.push(called.total() as f64 * 1e6 / count);
        }
    }
    market.check().await?;
    Ok(figures(&answers, &hellos, commands).into())
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

fn figures(answers: &[f64], hellos: &[f64], commands: Vec<f64>) -> Vec<Figure> {
    vec![
        Figure::new(
            NAME,
            "sold out / static reply",
            Summary::of_ratios(answers, hellos),
            Some(Goal::AtLeast(0.95)),
        ),
        Figure::new(
            NAME,
            "Redis commands per million sold-out answers",
            Summary::of(commands),
            Some(Goal::AtMost(1_000.0)),
        ),
        Figure::new(
            NAME,
            "sold-out answers per second",
            Summary::of(answers.iter().copied()),
            None,
        ),
    ]
}
