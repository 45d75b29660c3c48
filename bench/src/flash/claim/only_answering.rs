//! The form of earlier reports: a process that only answers, people whose sessions are in memory, 256 connections. Against the
//! plain script, against a static reply, and `always` against `everysec`.
//!
//! A window is everybody's one claim of one sale. Sessions are in memory, as they are of people who have just opened the
//! page; orders wait in Redis, and are drained and looked at when the clock has stopped.

use anyhow::{Context, Result};

use crate::flash::CONNECTIONS;
use crate::flash::plain::{self, By};
use crate::market::{Market, MarketPlan};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Figure, Findings, Goal};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "The form of earlier reports: everybody's one claim from 256 connections, a process that does not drain, sessions in memory, limits off, against \
     redis-benchmark (50 clients, no pipelining) with a plain script for one person, and against /healthz. In the end each order that was handed \
     out is looked for in SQL.",
);
const NAME: &str = "claim-warm";

/// Pairs per figure; the first round warms up.
const ROUNDS: usize = 9;
/// Claims of a window: a quarter of a second of them.
const PEOPLE: usize = 12_000;

/// Windows under one setting of `appendfsync`, round by round.
#[derive(Debug, Default)]
struct Windows {
    claims: Vec<f64>,
    hellos: Vec<f64>,
    plain: Vec<f64>,
    plain_unix: Vec<f64>,
    /// Calls of scripts per claim.
    calls: Vec<f64>,
}

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a market whose first process only answers");
    let mut market = Market::open(MarketPlan {
        people: PEOPLE,
        ..MarketPlan::default()
    })
    .await?;
    let people = market.tokens.len();
    let mut vouchers = market.publish_many(2 * (ROUNDS + 1), people).await?;
    market.send_worker_away().await?;
    let (mut everysec, mut always) = (Windows::default(), Windows::default());
    for round in 0..=ROUNDS {
        progress::step(NAME, format!("only answering, round {round} of {ROUNDS}"));
        for (fsync, windows) in [("everysec", &mut everysec), ("always", &mut always)] {
            market.appendfsync(fsync).await?;
            let voucher = vouchers.pop().context("there is a sale per window")?;
            windows.measure(&mut market, voucher).await?;
        }
    }
    for windows in [&mut everysec, &mut always] {
        windows.forget_warm_up();
    }
    progress::step(NAME, "looking for every order in SQL");
    market.appendfsync("everysec").await?;
    market.drain_and_check().await?;
    let mut figures = everysec.figures("everysec", 0.8);
    figures.extend(always.figures("always", 0.65));
    figures.push(Figure::new(
        NAME,
        "only answering, warm: claim, always / everysec",
        Summary::of_ratios(&always.claims, &everysec.claims),
        Some(Goal::AtLeast(0.8)),
    ));
    Ok(Findings {
        figures,
        ..Findings::default()
    })
}

impl Windows {
    async fn measure(&mut self, market: &mut Market, voucher: i64) -> Result<()> {
        let people = market.tokens.len();
        market.arrive(CONNECTIONS).await?;
        let before = market.commands().await;
        let claimed = market.sell_to_all(voucher, CONNECTIONS).await?;
        let called = market.commands().await.since(&before);
        let greeted = market.hello(CONNECTIONS, people).await?;
        self.claims.push(claimed.per_sec());
        self.hellos.push(greeted.per_sec());
        let scripts = called.of("evalsha") + called.of("eval");
        self.calls.push(scripts as f64 / people as f64);
        let plain = plain::calls_per_sec(&market.redis, By::Tcp, people);
        self.plain.push(plain.await?);
        let plain = plain::calls_per_sec(&market.redis, By::UnixSocket, people);
        self.plain_unix.push(plain.await?);
        Ok(())
    }

    fn forget_warm_up(&mut self) {
        for values in [
            &mut self.claims,
            &mut self.hellos,
            &mut self.plain,
            &mut self.plain_unix,
            &mut self.calls,
        ] {
            values.remove(0);
        }
    }

    fn figures(&self, fsync: &str, hello_goal: f64) -> Vec<Figure> {
        let ratio = |metric: String, to: &[f64], goal| {
            Figure::new(NAME, metric, Summary::of_ratios(&self.claims, to), goal)
        };
        let at_least = |bound| Some(Goal::AtLeast(bound));
        let calls = Summary::of(self.calls.iter().copied());
        let rate = Summary::of(self.claims.iter().copied());
        vec![
            ratio(
                format!("only answering, warm: claim / plain EVALSHA, {fsync}"),
                &self.plain,
                at_least(1.1),
            ),
            ratio(
                format!("only answering, warm: claim / plain EVALSHA by unix socket, {fsync}"),
                &self.plain_unix,
                None,
            ),
            ratio(
                format!("only answering, warm: claim / static reply, {fsync}"),
                &self.hellos,
                at_least(hello_goal),
            ),
            Figure::new(
                NAME,
                format!("only answering, warm: script calls per claim, {fsync}"),
                calls,
                Some(Goal::AtMost(1.0 / 16.0)),
            ),
            Figure::new(
                NAME,
                format!("only answering, warm: claims per second, {fsync}"),
                rate,
                None,
            ),
        ]
    }
}
