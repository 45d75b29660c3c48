//! The same claims by a client that is none of ours, and at a rate that does not wait for replies.

use std::time::Duration;

use anyhow::{Result, ensure};
use testkit::CommandCounts;

use crate::load::{ask_for, offer};
use crate::market::{Defaults, Market, MarketPlan, MarketRole, order_of};
use crate::pairs::Summary;
use crate::process::CpuShares;
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

/// What both clients saw from so many connections.
#[derive(Debug)]
struct Clients {
    connections: usize,
    own: Windows,
    wrk: Windows,
}

/// What one client saw, round by round.
#[derive(Debug, Default)]
struct Windows {
    per_sec: Vec<f64>,
    p99_ms: Vec<f64>,
    /// Per claim: calls of scripts, and microseconds of a core that server (with its SQLite) and Redis ran. They tell whether
    /// one of the clients makes the site work harder.
    script_calls: Vec<f64>,
    server_us: Vec<f64>,
    redis_us: Vec<f64>,
}

/// Counters of a site before a window.
struct Before {
    commands: CommandCounts,
    cpu: CpuShares,
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
            pair.measure(market, &wrk, round).await?;
        }
    }
    let mut findings = Findings::default();
    let by_client = clients.iter_mut().map(|pair| {
        pair.forget_warm_up();
        pair.figures()
    });
    findings.figures.extend(by_client.flatten());
    let capacity = clients.iter().map(|pair| median(&pair.own.per_sec));
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
        head: vec![
            "connections",
            "client",
            "per second",
            "p99 ms",
            "script calls",
            "server µs",
            "Redis µs",
        ],
        rows: clients.iter().flat_map(Clients::rows).collect(),
    });
    Ok(findings)
}

impl Clients {
    fn new(connections: usize) -> Self {
        Self {
            connections,
            own: Windows::default(),
            wrk: Windows::default(),
        }
    }

    /// Who comes second finds a site that has just sold: the clients take turns at it.
    async fn measure(&mut self, market: &mut Market, wrk: &Wrk, round: usize) -> Result<()> {
        if round.is_multiple_of(2) {
            self.measure_own(market).await?;
            self.measure_wrk(market, wrk).await
        } else {
            self.measure_wrk(market, wrk).await?;
            self.measure_own(market).await
        }
    }

    async fn measure_own(&mut self, market: &mut Market) -> Result<()> {
        let people = market.tokens.len();
        let voucher = market.publish(people).await?;
        market.age_sessions(people).await?;
        let claims = market.claims(voucher, 0..people);
        let before = Before::of(market).await?;
        let tally = ask_for(market.address(), self.connections, claims, WINDOW).await?;
        ensure!(
            tally.answers.len() < people,
            "{people} people are too few for a second: raise BENCH_CLAIM_PEOPLE"
        );
        let tally = tally.all_fine()?;
        self.own.per_sec.push(tally.per_sec());
        self.own.p99_ms.push(tally.quantile_ms(0.99));
        market.note(voucher, tally.answers.iter().filter_map(order_of));
        market.settle().await?;
        market.wait_until_uses_are_written().await?;
        let claimed = tally.answers.len();
        self.own.push_costs(market, &before, claimed).await
    }

    async fn measure_wrk(&mut self, market: &mut Market, wrk: &Wrk) -> Result<()> {
        let people = market.tokens.len();
        let voucher = market.publish(people).await?;
        market.age_sessions(people).await?;
        let path = format!("/api/voucher-order/seckill/{voucher}");
        let before = Before::of(market).await?;
        let seen = wrk
            .claim(market.address(), &path, self.connections, WINDOW)
            .await?;
        self.wrk.per_sec.push(seen.per_sec());
        self.wrk.p99_ms.push(seen.p99_us / 1_000.0);
        market.wait_until_drained().await?;
        // When its time is over wrk hangs up, on one claim per connection at the most.
        let recorded = market.sql.order_ids(voucher).await?.len();
        let complete = seen.complete as usize;
        ensure!(
            (complete..=complete + self.connections).contains(&recorded),
            "wrk claimed {complete} pieces, and {recorded} orders are in SQL"
        );
        market.wait_until_uses_are_written().await?;
        self.wrk.push_costs(market, &before, recorded).await
    }

    fn forget_warm_up(&mut self) {
        self.own.forget_warm_up();
        self.wrk.forget_warm_up();
    }

    fn figures(&self) -> [Figure; 2] {
        let connections = self.connections;
        [
            Figure::new(
                NAME,
                format!("our client / wrk, cold claims, always, c = {connections}"),
                Summary::of_ratios(&self.own.per_sec, &self.wrk.per_sec),
                Some(Goal::Within(0.9, 1.1)),
            ),
            Figure::new(
                NAME,
                format!("cold claims per second by wrk, always, c = {connections}"),
                Summary::of(self.wrk.per_sec.iter().copied()),
                None,
            ),
        ]
    }

    fn rows(&self) -> [Vec<String>; 2] {
        let row = |client: &str, windows: &Windows| {
            let names = [self.connections.to_string(), client.to_owned()];
            names.into_iter().chain(windows.cells()).collect()
        };
        [row("ours", &self.own), row("wrk", &self.wrk)]
    }
}

impl Before {
    async fn of(market: &Market) -> Result<Self> {
        Ok(Self {
            commands: market.commands().await,
            cpu: CpuShares::of(market.watched())?,
        })
    }
}

impl Windows {
    /// What a site did from before the window until everything that came of it was written.
    async fn push_costs(&mut self, market: &Market, before: &Before, claims: usize) -> Result<()> {
        let cpu = CpuShares::of(market.watched())?.since(&before.cpu);
        let calls = market.commands().await.since(&before.commands);
        let claims = claims as f64;
        let us_per_claim = |ran: Duration| ran.as_secs_f64() * 1e6 / claims;
        let scripts = calls.of("evalsha") + calls.of("eval");
        self.script_calls.push(scripts as f64 / claims);
        self.server_us.push(us_per_claim(cpu.server + cpu.sqlite));
        self.redis_us.push(us_per_claim(cpu.redis));
        Ok(())
    }

    fn forget_warm_up(&mut self) {
        let Self {
            per_sec,
            p99_ms,
            script_calls,
            server_us,
            redis_us,
        } = self;
        for values in [per_sec, p99_ms, script_calls, server_us, redis_us] {
            values.remove(0);
        }
    }

    fn cells(&self) -> [String; 5] {
        [
            format!("{:.0}", median(&self.per_sec)),
            format!("{:.2}", median(&self.p99_ms)),
            format!("{:.4}", median(&self.script_calls)),
            format!("{:.1}", median(&self.server_us)),
            format!("{:.1}", median(&self.redis_us)),
        ]
    }
}

fn median(values: &[f64]) -> f64 {
    Summary::of(values.iter().copied()).median
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
