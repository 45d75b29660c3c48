//! `bench peers`: what one could use instead, in one run and interleaved: a bare Redis with the plain script, a textbook server of
//! axum and sqlx, this site; and any server with the original's paths, by its URL.
//!
//! The Java original itself is not started here. The figures that are given for it were measured elsewhere, on a machine of
//! two cores like the one that the guide's figures come from; ratios to them are marked as such.

mod contestant;
mod elsewhere;
mod target;

use std::time::Instant;

use anyhow::Result;
use clap::Args;

use crate::flash::plain::{self, By};
use crate::market::{Defaults, Market, MarketPlan, MarketRole};
use crate::pairs::Summary;
use crate::progress;
use crate::report::{Breakdown, Figure, Findings, Goal, ScenarioOutcome};
use crate::sql::{DatabaseKind, Sql};
use crate::textbook::TextbookSite;
use contestant::{Contestant, Kind, Measured};
use target::{Target, TargetArgs};

const NAME: &str = "peers";
const ABOUT: &str = "The same claims, sold-out answers and cached shops from so many connections for a second each, in turn: by a \
    textbook server of axum and sqlx (sessions and shops in Redis, orders in a stream, a worker that brings them to \
    MariaDB one by one), by this site with default settings and cold sessions on MariaDB, and by the server whose URL was \
    given; and the plain script by redis-benchmark. appendfsync everysec and always in turn; MariaDB flushes every commit.";
const FSYNC: [&str; 2] = ["everysec", "always"];
/// People of the servers that are started here: more than claim in a second.
const PEOPLE: usize = 50_000;
/// Calls of a window of `redis-benchmark`.
const PLAIN_CALLS: usize = 20_000;

#[derive(Debug, Args)]
pub(crate) struct PeersArgs {
    #[command(flatten)]
    target: TargetArgs,
    /// Pairs per figure; one more round warms up
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=20))]
    rounds: u32,
    /// Connections of the crowd
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=4096))]
    connections: u32,
}

/// What is compared: each measures under one setting of `appendfsync`, or under its own.
struct Peers {
    contestants: Vec<Contestant>,
    plain: [Vec<f64>; FSYNC.len()],
    connections: usize,
}

/// Compares, and returns what the report is made of.
pub(crate) async fn compare(args: PeersArgs) -> Result<ScenarioOutcome> {
    let since = Instant::now();
    let rounds = args.rounds as usize;
    let target = Target::parse(&args.target, rounds + 1)?;
    if let Some(target) = &target {
        progress::step(NAME, format!("looking at {}", target.url()));
        target.look().await?;
    }
    progress::step(NAME, "opening this site and a textbook server");
    let mut peers = Peers::open(target, args.connections as usize).await?;
    for round in 0..=rounds {
        progress::step(NAME, format!("round {round} of {rounds}"));
        peers.measure(round > 0).await?;
    }
    Ok(ScenarioOutcome {
        scenario: NAME,
        about: ABOUT,
        took: since.elapsed(),
        findings: Ok(peers.findings()),
    })
}

impl Peers {
    async fn open(target: Option<Target>, connections: usize) -> Result<Self> {
        let mut market = Market::open(MarketPlan {
            people: PEOPLE + 1,
            sql: DatabaseKind::MariaDb,
            role: MarketRole::All,
            defaults: Defaults::Kept,
            ..MarketPlan::default()
        })
        .await?;
        market.sql.flush_every_commit().await?;
        let sold_out = market.publish(1).await?;
        market.open_with(sold_out, PEOPLE..PEOPLE + 1).await?;
        market.settle().await?;
        let sql = Sql::start(DatabaseKind::MariaDb).await?;
        sql.flush_every_commit().await?;
        let textbook = TextbookSite::open(&market.redis, Some(&sql.url())).await?;
        textbook.furnish(&sql, &market.tokens).await?;
        let mut contestants = vec![
            Contestant::new(Kind::Textbook {
                site: textbook,
                sql,
                tokens: market.tokens.clone(),
                sales: 0,
            }),
            Contestant::new(Kind::Ours {
                market: Box::new(market),
                sold_out,
            }),
        ];
        contestants
            .extend(target.map(|target| Contestant::new(Kind::Outside { target, round: 0 })));
        Ok(Self {
            contestants,
            plain: Default::default(),
            connections,
        })
    }

    async fn measure(&mut self, is_counted: bool) -> Result<()> {
        for (place, fsync) in FSYNC.into_iter().enumerate() {
            self.ours().appendfsync(fsync).await?;
            let plain = plain::calls_per_sec(&self.ours().redis, By::UnixSocket, PLAIN_CALLS);
            let plain = plain.await?;
            if is_counted {
                self.plain[place].push(plain);
            }
            for contestant in &mut self.contestants {
                contestant
                    .measure(place, self.connections, is_counted)
                    .await?;
            }
        }
        Ok(())
    }

    /// The site of this repository, whose Redis all share who are started here.
    fn ours(&self) -> &Market {
        let mut markets = self.contestants.iter().filter_map(Contestant::market);
        markets.next().expect("this site is among its peers")
    }

    fn findings(&self) -> Findings {
        let ours = self.contestants.iter().find(|it| it.market().is_some());
        let ours = ours.expect("this site is among its peers");
        let others = self.contestants.iter().filter(|it| it.market().is_none());
        let mut figures = Vec::new();
        for (place, fsync) in FSYNC.into_iter().enumerate() {
            let plain = &self.plain[place];
            figures.push(Figure::new(
                NAME,
                format!("claims, this site / plain script by redis-benchmark, {fsync}"),
                Summary::of_ratios(&ours.rates(place, Measured::Claim), plain),
                None,
            ));
            for other in others.clone() {
                for what in Measured::ALL {
                    figures.extend(ratio(ours, other, what, (place, fsync)));
                }
            }
        }
        figures.extend(elsewhere::figures(NAME, ours));
        Findings {
            figures,
            breakdowns: vec![self.breakdown()],
            ..Findings::default()
        }
    }

    fn breakdown(&self) -> Breakdown {
        let mut rows = Vec::new();
        for (place, fsync) in FSYNC.into_iter().enumerate() {
            let plain = Summary::of(self.plain[place].iter().copied());
            let plain = format!("{:.0}", plain.median);
            rows.push(
                [fsync, "redis-benchmark", "plain script", &plain, "–"]
                    .map(str::to_owned)
                    .into(),
            );
            rows.extend(self.contestants.iter().flat_map(|it| it.rows(place, fsync)));
        }
        rows.extend(elsewhere::rows());
        Breakdown {
            title: "Everybody's figures",
            head: vec!["appendfsync", "who", "what", "per second", "p99 ms"],
            rows,
        }
    }
}

/// This site's rate by another's, where both were measured.
fn ratio(
    ours: &Contestant,
    other: &Contestant,
    what: Measured,
    (place, fsync): (usize, &str),
) -> Option<Figure> {
    let (a, b) = (ours.rates(place, what), other.rates(place, what));
    let is_measured = !b.is_empty() && b.iter().all(|rate| *rate > 0.0);
    let metric = format!("{}, this site / {}, {fsync}", what.name(), other.name());
    let goal = Some(Goal::AtLeast(1.0));
    is_measured.then(|| Figure::new(NAME, metric, Summary::of_ratios(&a, &b), goal))
}
