//! How many instructions requests cost, counted by callgrind: the one cost that does not depend on the machine's mood.
//!
//! One worker thread answers and a process of its own drains, so that what is counted is requests. What is counted is
//! user space alone: the kernel's share of a small reply is larger than ours and none of our making.

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

use crate::load::{Requests, ask_all};
use crate::market::{Market, Plan, order_of};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Figure, Findings, Goal};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Instructions in user space per request, counted by callgrind (valgrind) over 400 requests from 64 connections to one \
     worker thread: a static reply, a cached shop, a claim that is granted and one that hears sold out. Valgrind shows the \
     program a processor without instructions for SHA-256, so sessions look dearer than they are.",
);
const NAME: &str = "instructions";

/// Few enough that their sessions are still in memory when the last of them asks, however slow the processor is.
const PEOPLE: usize = 400;
const CONNECTIONS: usize = 64;
/// Pairs per figure; the first round warms up. Counts repeat, so three are enough.
const ROUNDS: usize = 3;
/// What a claim, a sold-out answer and a cached shop may cost at most, in static replies: what they cost when this was
/// written, and a tenth more.
const CLAIM_BOUND: f64 = 1.85;
const SOLD_OUT_BOUND: f64 = 1.7;
const SHOP_BOUND: f64 = 1.45;
/// A processor that is fifty times slower must not be taken for a Redis that is away.
const PATIENCE_MS: &str = "30000";

/// Instructions per request, round by round.
#[derive(Default)]
struct Counts {
    hello: Vec<f64>,
    shop: Vec<f64>,
    claim: Vec<f64>,
    sold_out: Vec<f64>,
}

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a market under valgrind");
    let mut market = Market::open(Plan {
        people: PEOPLE + 1,
        is_counted: true,
        settings: vec![
            ("redis.response_timeout_ms", PATIENCE_MS.to_owned()),
            // Sessions must still be in memory when the last of the crowd claims.
            ("session.l1_ms", "10000".to_owned()),
        ],
        ..Plan::default()
    })
    .await?;
    let vouchers = market.publish_many(ROUNDS + 1, PEOPLE).await?;
    let sold_out = market.publish(1).await?;
    let first = market.claims(sold_out, PEOPLE..PEOPLE + 1);
    let bought = ask_all(market.address(), 1, first).await?.all_fine()?;
    market.note(sold_out, bought.answers.iter().filter_map(order_of));
    let mut counts = Counts::default();
    for (round, voucher) in vouchers.into_iter().enumerate() {
        progress::step(NAME, format!("round {round} of {ROUNDS}"));
        counts.measure(&mut market, voucher, sold_out).await?;
    }
    market.check().await?;
    Ok(counts.figures().into())
}

impl Counts {
    async fn measure(&mut self, market: &mut Market, voucher: i64, sold_out: i64) -> Result<()> {
        let hello = Requests::repeat("GET", "/healthz", None, PEOPLE);
        self.hello.push(count(market, hello).await?.0);
        let shop = Requests::repeat("GET", "/api/shop/1", None, PEOPLE);
        self.shop.push(count(market, shop).await?.0);
        market.arrive_some(PEOPLE, CONNECTIONS).await?;
        let claims = market.claims(voucher, 0..PEOPLE);
        let (cost, orders) = count(market, claims).await?;
        ensure!(orders.len() == PEOPLE, "a claim was refused");
        market.note(voucher, orders.into_iter());
        self.claim.push(cost);
        market.arrive_some(PEOPLE, CONNECTIONS).await?;
        let claims = market.claims(sold_out, 0..PEOPLE);
        self.sold_out.push(count(market, claims).await?.0);
        Ok(())
    }

    fn figures(&self) -> Vec<Figure> {
        let ratio = |metric: &str, a: &[f64], bound| {
            let ratios = Summary::of_ratios(&a[1..], &self.hello[1..]);
            Figure::new(NAME, metric, ratios, Some(Goal::AtMost(bound)))
        };
        let level = |metric: &str, values: &[f64]| {
            Figure::new(NAME, metric, Summary::of(values[1..].iter().copied()), None)
        };
        vec![
            ratio("claim / static reply", &self.claim, CLAIM_BOUND),
            ratio("sold out / static reply", &self.sold_out, SOLD_OUT_BOUND),
            ratio("cached shop / static reply", &self.shop, SHOP_BOUND),
            level("static reply", &self.hello),
            level("claim", &self.claim),
            level("sold out", &self.sold_out),
            level("cached shop", &self.shop),
        ]
    }
}

/// Instructions per request, and the orders that the requests got.
async fn count(market: &Market, requests: Requests) -> Result<(f64, Vec<i64>)> {
    let requested = requests.len() as f64;
    control(market, "--zero").await?;
    let tally = ask_all(market.address(), CONNECTIONS, requests).await?;
    control(market, "--dump").await?;
    let total = take_counts(market)?;
    let orders = tally.answers.iter().filter_map(order_of).collect();
    Ok((total / requested, orders))
}

async fn control(market: &Market, order: &str) -> Result<()> {
    let mut command = Command::new("callgrind_control");
    command.arg(order).arg(market.web.pid().to_string());
    let output = command.output().await?;
    let text = String::from_utf8_lossy(&output.stdout);
    ensure!(
        output.status.success() && text.contains("OK"),
        "callgrind_control {order}: {text}"
    );
    Ok(())
}

/// The totals of whatever was written since the last look.
fn take_counts(market: &Market) -> Result<f64> {
    let mut total = 0.0;
    for file in count_files(market)? {
        let text = std::fs::read_to_string(&file)?;
        let line = text.lines().find_map(|line| line.strip_prefix("totals: "));
        total += line.context("callgrind counts")?.trim().parse::<f64>()?;
        std::fs::remove_file(file)?;
    }
    ensure!(total > 0.0, "callgrind counted nothing");
    Ok(total)
}

/// Their names begin alike and end in a number; the one without a number is filled when the process ends.
fn count_files(market: &Market) -> Result<Vec<PathBuf>> {
    let counts = market.web.counts();
    let folder = counts.parent().context("counts are in a folder")?;
    let name = counts
        .file_name()
        .context("counts have a name")?
        .to_string_lossy()
        .into_owned()
        + ".";
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_ours = path
            .file_name()
            .is_some_and(|it| it.to_string_lossy().starts_with(&name));
        if is_ours {
            files.push(path);
        }
    }
    Ok(files)
}
