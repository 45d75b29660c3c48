//! How many instructions requests cost, counted by callgrind: the one cost that does not depend on the machine's mood.
//!
//! One worker thread answers and a process of its own drains, so that what is counted is requests. What is counted is
//! user space alone: the kernel's share of a small reply is larger than ours and none of our making.

use std::collections::BTreeMap;

use anyhow::{Result, ensure};
use testkit::Callgrind;

use crate::load::{Requests, Tally, ask_all};
use crate::market::{Market, MarketPlan, order_of};
use crate::pairs::Summary;
use crate::program::Instrument;
use crate::progress;
use crate::report::{Figure, Findings, Goal};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Instructions in user space per request, counted by callgrind (valgrind) over 400 requests from 64 connections to one \
     worker thread, everything included that the process does meanwhile. Valgrind shows the program a processor without \
     instructions for SHA-256, so sessions look dearer than they are.",
);
const NAME: &str = "instructions";

/// Requests, and the most that each may cost in static replies: the cost of the last measurement, and a tenth more.
const BOUNDS: [(CountedRequest, &str, f64); 4] = [
    (CountedRequest::Shop, "cached shop", 1.35),
    (CountedRequest::Me, "who am I", 1.55),
    (CountedRequest::Claim, "claim", 1.95),
    (CountedRequest::SoldOut, "sold out", 1.7),
];

/// Few enough that their sessions are still in memory when the last of them sends its request, however slow the processor is.
const PEOPLE: usize = 400;
const CONNECTIONS: usize = 64;
/// Pairs per figure; the first round warms up. Counts repeat, so three are enough.
const ROUNDS: usize = 3;
/// A processor that is fifty times slower must not be taken for a Redis or a database that is away.
const PATIENCE_MS: &str = "30000";

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum CountedRequest {
    Hello,
    Shop,
    Me,
    Claim,
    SoldOut,
}

/// Instructions per request, round by round.
#[derive(Default)]
struct Counts(BTreeMap<CountedRequest, Vec<f64>>);

/// A market with a sale that has nothing left, and the counter of its process.
struct Stage {
    market: Market,
    callgrind: Callgrind,
    sold_out: i64,
}

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a market under valgrind");
    let mut market = Market::open(MarketPlan {
        people: PEOPLE + 1,
        instrument: Instrument::Instructions,
        settings: vec![
            ("redis.response_timeout_ms", PATIENCE_MS.to_owned()),
            ("database.acquire_timeout_ms", PATIENCE_MS.to_owned()),
        ],
        ..MarketPlan::default()
    })
    .await?;
    let vouchers = market.publish_many(ROUNDS + 1, PEOPLE).await?;
    let sold_out = market.publish(1).await?;
    market.open_with(sold_out, PEOPLE..PEOPLE + 1).await?;
    let callgrind = market.callgrind().await;
    let mut stage = Stage {
        market,
        callgrind,
        sold_out,
    };
    let mut counts = Counts::default();
    for (round, voucher) in vouchers.into_iter().enumerate() {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        counts.measure(&mut stage, voucher).await?;
    }
    stage.market.check().await?;
    Ok(counts.figures().into())
}

impl Counts {
    async fn measure(&mut self, stage: &mut Stage, voucher: i64) -> Result<()> {
        let repeated = |path| Requests::repeat("GET", path, None, PEOPLE);
        self.count(stage, CountedRequest::Hello, repeated("/healthz"))
            .await?;
        self.count(stage, CountedRequest::Shop, repeated("/api/shop/1"))
            .await?;
        stage.market.arrive_some(PEOPLE, CONNECTIONS).await?;
        let mut me = Requests::default();
        for token in &stage.market.tokens[..PEOPLE] {
            me.push("GET", "/api/user/me", Some(token));
        }
        self.count(stage, CountedRequest::Me, me).await?;
        let claims = stage.market.claims(voucher, 0..PEOPLE);
        let claimed = self
            .count(stage, CountedRequest::Claim, claims)
            .await?
            .all_fine()?;
        let orders = claimed.answers.iter().filter_map(order_of);
        stage.market.note(voucher, orders);
        stage.market.arrive_some(PEOPLE, CONNECTIONS).await?;
        let claims = stage.market.claims(stage.sold_out, 0..PEOPLE);
        let refused = self.count(stage, CountedRequest::SoldOut, claims).await?;
        let any_sold = refused.answers.iter().any(|answer| answer.is_success);
        ensure!(!any_sold, "something was sold that was not there");
        Ok(())
    }

    async fn count(
        &mut self,
        stage: &Stage,
        request: CountedRequest,
        requests: Requests,
    ) -> Result<Tally> {
        let count = requests.len() as f64;
        let requests = ask_all(stage.market.address(), CONNECTIONS, requests);
        let (total, tally) = stage.callgrind.count(requests).await;
        let costs = self.0.entry(request).or_default();
        costs.push(total as f64 / count);
        tally
    }

    /// Without the first round, which warms up.
    fn costs(&self, request: CountedRequest) -> &[f64] {
        &self.0[&request][1..]
    }

    fn figures(&self) -> Vec<Figure> {
        let hello = self.costs(CountedRequest::Hello);
        let level = |name: &str, costs: &[f64]| {
            Figure::new(NAME, name, Summary::of(costs.iter().copied()), None)
        };
        let ratios = BOUNDS.map(|(request, name, bound)| {
            let ratios = Summary::of_ratios(self.costs(request), hello);
            let metric = format!("{name} / static reply");
            Figure::new(NAME, metric, ratios, Some(Goal::AtMost(bound)))
        });
        let mut figures = Vec::from(ratios);
        figures.push(level("static reply", hello));
        figures.extend(BOUNDS.map(|(request, name, _)| level(name, self.costs(request))));
        figures
    }
}
