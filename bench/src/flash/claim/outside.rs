//! The same claims by a client that is none of ours, and at a rate that does not wait for replies.

use std::time::Duration;

use anyhow::{Result, ensure};

use crate::load::{ask_for, offer};
use crate::market::{Defaults, Market, MarketPlan, MarketRole, order_of};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Breakdown, Figure, Findings, Goal};
use crate::settings::{CLAIM_PEOPLE, CLAIM_ROUNDS};
use crate::wrk::Wrk;

const CONNECTIONS: [usize; 2] = [64, 256];
/// The shortest time that `wrk` knows.
const WINDOW: Duration = Duration::from_secs(1);
/// Parts of the capacity that an open loop sends.
const LOADS: [f64; 2] = [0.5, 0.8];
/// Enough that a reply that is late keeps no other request waiting for a connection.
const OPEN_CONNECTIONS: usize = 1_024;
const OPEN_WINDOW: Duration = Duration::from_secs(2);

/// What both clients saw from so many connections, round by round.
#[derive(Debug)]
struct Clients {
    connections: usize,
    own: Vec<f64>,
    own_p99_ms: Vec<f64>,
    wrk: Vec<f64>,
    wrk_p99_ms: Vec<f64>,
}

/// Waits at a part of the capacity, round by round, in milliseconds.
#[derive(Debug, Default)]
struct Waits {
    rate: Vec<f64>,
    quantiles: [Vec<f64>; QUANTILES.len()],
}

const QUANTILES: [(f64, &str); 3] = [(0.5, "p50"), (0.99, "p99"), (0.999, "p99.9")];

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "The site of `claim` (one process does everything by default settings, sessions cold, appendfsync always), seen from outside: wrk and our own \
     client send the same claims in turn, a second each; then an open loop sends 50 % and 80 % of what our client was served from 256 connections.",
);
const NAME: &str = "claim-outside";

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a site with default settings");
    let mut market = Market::open(MarketPlan {
        people: CLAIM_PEOPLE.get() as usize,
        role: MarketRole::All,
        defaults: Defaults::Kept,
        ..MarketPlan::default()
    })
    .await?;
    let market = &mut market;
    // Two clients differ by more than a window differs from the next, so fewer rounds show it.
    let rounds = (CLAIM_ROUNDS.get() as usize).min(5);
    let mut clients = CONNECTIONS.map(Clients::new);
    let wrk = Wrk::new(&market.tokens)?;
    for round in 0..=rounds {
        progress::step(
            NAME,
            format!("our client and wrk, round {round} of {rounds}"),
        );
        for pair in &mut clients {
            pair.measure(market, &wrk).await?;
        }
    }
    let mut findings = Findings::default();
    let by_client = clients.iter_mut().map(|pair| {
        pair.forget_warm_up();
        pair.figures()
    });
    findings.figures.extend(by_client.flatten());
    let capacity = clients
        .iter()
        .map(|pair| Summary::of(pair.own.iter().copied()).median);
    let capacity = capacity.fold(0.0, f64::max);
    let mut waits: [Waits; LOADS.len()] = Default::default();
    for round in 1..=rounds {
        progress::step(NAME, format!("open loop, round {round} of {rounds}"));
        for (load, waits) in LOADS.iter().zip(&mut waits) {
            waits.measure(market, capacity * load).await?;
        }
    }
    for (load, waits) in LOADS.iter().zip(&waits) {
        findings.figures.extend(waits.figures(*load));
    }
    findings.breakdowns.push(Breakdown {
        title: "The same claims by two clients, cold, always",
        head: vec!["connections", "client", "per second", "p99 ms"],
        rows: clients.iter().flat_map(Clients::rows).collect(),
    });
    Ok(findings)
}

impl Clients {
    fn new(connections: usize) -> Self {
        Self {
            connections,
            own: Vec::new(),
            own_p99_ms: Vec::new(),
            wrk: Vec::new(),
            wrk_p99_ms: Vec::new(),
        }
    }

    async fn measure(&mut self, market: &mut Market, wrk: &Wrk) -> Result<()> {
        let people = market.tokens.len();
        let voucher = market.publish(people).await?;
        market.age_sessions(people).await?;
        let claims = market.claims(voucher, 0..people);
        let tally = ask_for(market.address(), self.connections, claims, WINDOW).await?;
        ensure!(
            tally.answers.len() < people,
            "{people} people are too few for a second: raise BENCH_CLAIM_PEOPLE"
        );
        let tally = tally.all_fine()?;
        market.note(voucher, tally.answers.iter().filter_map(order_of));
        market.settle().await?;
        self.own.push(tally.per_sec());
        self.own_p99_ms.push(tally.quantile_ms(0.99));

        let voucher = market.publish(people).await?;
        market.age_sessions(people).await?;
        let path = format!("/api/voucher-order/seckill/{voucher}");
        let seen = wrk
            .claim(market.address(), &path, self.connections, WINDOW)
            .await?;
        market.wait_until_drained().await?;
        // When its time is over wrk hangs up, on one claim per connection at the most.
        let recorded = market.sql.order_ids(voucher).await?.len() as u64;
        let most = seen.complete + self.connections as u64;
        ensure!(
            (seen.complete..=most).contains(&recorded),
            "wrk claimed {} pieces, and {recorded} orders are in SQL",
            seen.complete
        );
        self.wrk.push(seen.per_sec());
        self.wrk_p99_ms.push(seen.p99_us / 1_000.0);
        Ok(())
    }

    fn forget_warm_up(&mut self) {
        for values in [
            &mut self.own,
            &mut self.own_p99_ms,
            &mut self.wrk,
            &mut self.wrk_p99_ms,
        ] {
            values.remove(0);
        }
    }

    fn figures(&self) -> [Figure; 2] {
        let connections = self.connections;
        [
            Figure::new(
                NAME,
                format!("our client / wrk, cold claims, always, c = {connections}"),
                Summary::of_ratios(&self.own, &self.wrk),
                Some(Goal::Within(0.9, 1.1)),
            ),
            Figure::new(
                NAME,
                format!("cold claims per second by wrk, always, c = {connections}"),
                Summary::of(self.wrk.iter().copied()),
                None,
            ),
        ]
    }

    fn rows(&self) -> [Vec<String>; 2] {
        let row = |client: &str, rates: &[f64], waits: &[f64]| {
            let median = |values: &[f64]| Summary::of(values.iter().copied()).median;
            vec![
                self.connections.to_string(),
                client.to_owned(),
                format!("{:.0}", median(rates)),
                format!("{:.2}", median(waits)),
            ]
        };
        [
            row("ours", &self.own, &self.own_p99_ms),
            row("wrk", &self.wrk, &self.wrk_p99_ms),
        ]
    }
}

impl Waits {
    async fn measure(&mut self, market: &mut Market, per_sec: f64) -> Result<()> {
        let people = market.tokens.len();
        let voucher = market.publish(people).await?;
        market.age_sessions(people).await?;
        // Everybody claims once, so few people make a short window.
        let window = OPEN_WINDOW.min(Duration::from_secs_f64(people as f64 / per_sec));
        let claims = market.claims(voucher, 0..people);
        let offered = offer(market.address(), OPEN_CONNECTIONS, claims, per_sec, window).await?;
        ensure!(
            offered.refused_us.is_empty(),
            "{} claims were refused below the capacity",
            offered.refused_us.len()
        );
        market.note(voucher, offered.orders.iter().copied());
        market.settle().await?;
        self.rate.push(per_sec);
        for ((part, _), values) in QUANTILES.iter().zip(&mut self.quantiles) {
            values.push(offered.granted_us.value_at_quantile(*part) as f64 / 1_000.0);
        }
        Ok(())
    }

    fn figures(&self, load: f64) -> Vec<Figure> {
        let percent = load * 100.0;
        let each = QUANTILES.iter().zip(&self.quantiles);
        let figure = |((_, name), values): (&(f64, &str), &Vec<f64>)| {
            let metric = format!("cold claim at {percent:.0} % of capacity, always, {name} in ms");
            Figure::new(NAME, metric, Summary::of(values.iter().copied()), None)
        };
        let mut figures: Vec<Figure> = each.map(figure).collect();
        figures.push(Figure::new(
            NAME,
            format!("claims offered per second at {percent:.0} % of capacity"),
            Summary::of(self.rate.iter().copied()),
            None,
        ));
        figures
    }
}
