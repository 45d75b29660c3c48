//! One process that does everything, and people who click once, ten minutes after they opened the page.
//!
//! By default a process reads sessions ahead, so such a click is the first use of a session that is in memory (cold). With
//! more sessions than memory holds it is not: that is measured on a second site whose memory for sessions is off (unread).

use std::ops::Range;

use anyhow::{Result, ensure};

use super::series::Series;
use crate::load::{Tally, ask_all};
use crate::market::{Defaults, Market, MarketPlan, MarketRole};
use crate::pairs::Summary;
use crate::program::ServerSetting;
use crate::progress;
use crate::report::{Axis, Breakdown, Figure, Findings, Goal, Plot, PlotLine, Point};
use crate::settings::{CLAIM_BUYERS, CLAIM_ROUNDS};
use crate::sql::DatabaseKind;
use crate::textbook::TextbookSite;

/// How many connections claims come from. The headline is those that are measured as a whole.
const CONNECTIONS: [usize; 4] = [16, 64, 256, 1_024];
const HEADLINE: [usize; 2] = [64, 256];
const FSYNC: [&str; 2] = ["everysec", "always"];
/// A sale of the textbook server; its keys are removed after every window.
const TEXTBOOK_SALE: i64 = 1;

/// Everything that is measured from so many connections under one setting of `appendfsync`.
#[derive(Debug)]
struct Level {
    connections: usize,
    fsync: &'static str,
    claim_cold: Series,
    claim_warm: Series,
    claim_unread: Series,
    /// The same as cold, by a process that records nothing meanwhile.
    claim_answered: Series,
    sold_out_cold: Series,
    sold_out_warm: Series,
    sold_out_unread: Series,
    textbook: Series,
    hello: Series,
    /// Calls of scripts per claim.
    calls: Vec<f64>,
    /// Commands that read sessions, per claim.
    unread_reads: Vec<f64>,
}

/// A window of claims, and what it sent to Redis per claim.
struct ClaimWindow {
    tally: Tally,
    script_calls: f64,
    session_reads: f64,
}

/// Everything that is compared.
struct Stage {
    site: Site,
    /// Reads every session when its token is shown.
    unread: Option<Site>,
    /// Its process only answers; a worker of its own is away while a window is measured.
    answering: Option<Site>,
    textbook: TextbookSite,
    /// The buyers of the textbook server, which takes a token for a number.
    numbers: Vec<String>,
}

/// A market with default settings, and a sale of it that is sold out.
struct Site {
    market: Market,
    sold_out: i64,
}

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Everybody's one claim of a sale. One process does everything (it drains to SQL meanwhile) by default settings, Redis by a \
     unix socket, and every buyer's last request is ten minutes old (cold) or has just been sent (warm), or the process has no \
     memory for sessions and reads each from Redis (unread); from 16 to 1,024 connections on SQLite, appendfsync everysec and always in turn, against a textbook axum server with one EVALSHA per request, no \
     sessions and no SQL, and against /healthz; then on MariaDB. Only the bounds of the limits on claims are out of reach, because one address \
     sends all of them. A second process that only answers (its worker is away during the window) tells what recording takes. Time of the cores is per request. After every \
     window each order that was handed out is looked for in SQL.",
);
const NAME: &str = "claim";

pub(crate) async fn run() -> Result<Findings> {
    let mut findings = compare(DatabaseKind::Sqlite).await?;
    findings.add(compare(DatabaseKind::MariaDb).await?);
    Ok(findings)
}

async fn compare(sql: DatabaseKind) -> Result<Findings> {
    let name = sql.name();
    progress::step(
        NAME,
        format!("opening a site with default settings on {name}"),
    );
    let mut stage = Stage::open(sql).await?;
    let mut levels: Vec<Level> = levels(sql);
    let rounds = CLAIM_ROUNDS.get() as usize;
    for round in 0..=rounds {
        progress::step(NAME, format!("{name}, round {round} of {rounds}"));
        for level in &mut levels {
            stage.appendfsync(level.fsync).await?;
            level.measure(&mut stage).await?;
        }
    }
    levels.iter_mut().for_each(Level::forget_warm_up);
    Ok(findings(name, &levels))
}

/// MariaDB is measured where most people would: by the defaults, from 64 connections.
fn levels(sql: DatabaseKind) -> Vec<Level> {
    let all = CONNECTIONS.into_iter().flat_map(|connections| {
        FSYNC
            .into_iter()
            .map(move |fsync| Level::new(connections, fsync))
    });
    let is_measured = |level: &Level| match sql {
        DatabaseKind::Sqlite => true,
        DatabaseKind::MariaDb => level.connections == 64 && level.fsync == "always",
    };
    all.filter(is_measured).collect()
}

impl Stage {
    async fn open(sql: DatabaseKind) -> Result<Self> {
        let (unread, answering) = match sql {
            DatabaseKind::Sqlite => {
                let memory_off = vec![("session.memory_mib", "0".to_owned())];
                let unread = Site::open(MarketRole::All, sql, buyers().len(), memory_off);
                let unread = Some(unread.await?);
                let answering = Site::open(MarketRole::Web, sql, buyers().len(), Vec::new());
                (unread, Some(answering.await?))
            }
            DatabaseKind::MariaDb => (None, None),
        };
        let site = Site::open(MarketRole::All, sql, buyers().len(), Vec::new()).await?;
        let textbook = TextbookSite::open(&site.market.redis, None).await?;
        Ok(Self {
            site,
            unread,
            answering,
            textbook,
            numbers: buyers().map(|number| number.to_string()).collect(),
        })
    }

    async fn appendfsync(&self, when: &str) -> Result<()> {
        let besides = self.unread.iter().chain(&self.answering);
        for site in std::iter::once(&self.site).chain(besides) {
            site.market.appendfsync(when).await?;
        }
        Ok(())
    }
}

impl Site {
    async fn open(
        role: MarketRole,
        sql: DatabaseKind,
        people: usize,
        settings: Vec<ServerSetting>,
    ) -> Result<Self> {
        let mut market = Market::open(MarketPlan {
            people: people + 1,
            sql,
            role,
            defaults: Defaults::Kept,
            settings,
            ..MarketPlan::default()
        })
        .await?;
        let sold_out = market.publish(1).await?;
        let last = market.tokens.len() - 1;
        market.open_with(sold_out, last..last + 1).await?;
        market.settle().await?;
        Ok(Self { market, sold_out })
    }

    /// Everybody's claim of a sale of their own.
    async fn claim(&mut self, connections: usize) -> Result<ClaimWindow> {
        let voucher = self.market.publish(buyers().len()).await?;
        let before = self.market.commands().await;
        let tally = self.market.sell_to(voucher, buyers(), connections).await?;
        let called = self.market.commands().await.since(&before);
        // What is left to write would weigh on the window that follows.
        self.market.settle().await?;
        self.market.wait_until_uses_are_written().await?;
        let per_claim = |calls: u64| calls as f64 / buyers().len() as f64;
        Ok(ClaimWindow {
            tally,
            script_calls: per_claim(called.of("evalsha") + called.of("eval")),
            session_reads: per_claim(called.of("mget")),
        })
    }

    /// The same while nothing is recorded: the worker, which a sale needs before it opens, comes back after the window.
    async fn claim_unrecorded(&mut self, connections: usize) -> Result<Tally> {
        let voucher = self.market.publish(buyers().len()).await?;
        self.market.send_worker_away().await?;
        let tally = self.market.sell_to(voucher, buyers(), connections).await?;
        self.market.start_worker()?;
        self.market.settle().await?;
        self.market.wait_until_uses_are_written().await?;
        Ok(tally)
    }

    async fn claim_in_vain(&self, connections: usize) -> Result<Tally> {
        let claims = self.market.claims(self.sold_out, buyers());
        let tally = ask_all(self.market.address(), connections, claims).await?;
        let any_sold = tally.answers.iter().any(|answer| answer.is_success);
        ensure!(!any_sold, "something was sold that was not there");
        Ok(tally)
    }
}

/// Who claims in a window.
fn buyers() -> Range<usize> {
    0..CLAIM_BUYERS.get() as usize
}

impl Level {
    fn new(connections: usize, fsync: &'static str) -> Self {
        Self {
            connections,
            fsync,
            claim_cold: Series::default(),
            claim_warm: Series::default(),
            claim_unread: Series::default(),
            claim_answered: Series::default(),
            sold_out_cold: Series::default(),
            sold_out_warm: Series::default(),
            sold_out_unread: Series::default(),
            textbook: Series::default(),
            hello: Series::default(),
            calls: Vec::new(),
            unread_reads: Vec::new(),
        }
    }

    fn is_headline(&self) -> bool {
        HEADLINE.contains(&self.connections)
    }

    /// A window that finds sessions cold leaves them warm for the next.
    async fn measure(&mut self, stage: &mut Stage) -> Result<()> {
        let connections = self.connections;
        let Stage {
            site,
            unread,
            answering,
            textbook,
            numbers,
        } = stage;
        site.market.age_sessions(buyers().len()).await?;
        let window = site.claim(connections).await?;
        self.claim_cold.push(&window.tally);
        self.calls.push(window.script_calls);
        let sold = textbook.sell_to(TEXTBOOK_SALE, numbers, connections);
        self.textbook.push(&sold.await?);
        if let Some(answering) = answering {
            answering.market.age_sessions(buyers().len()).await?;
            let tally = answering.claim_unrecorded(connections).await?;
            self.claim_answered.push(&tally);
        }
        if !self.is_headline() {
            return Ok(());
        }
        // Whatever the pauses were: everybody has just been here.
        let everybody = buyers().len();
        site.market.arrive_some(everybody, connections).await?;
        self.claim_warm.push(&site.claim(connections).await?.tally);
        if let Some(unread) = unread {
            unread.market.age_sessions(buyers().len()).await?;
            let window = unread.claim(connections).await?;
            self.claim_unread.push(&window.tally);
            self.unread_reads.push(window.session_reads);
            unread.market.age_sessions(buyers().len()).await?;
            self.sold_out_unread
                .push(&unread.claim_in_vain(connections).await?);
        }
        site.market.age_sessions(buyers().len()).await?;
        self.sold_out_cold
            .push(&site.claim_in_vain(connections).await?);
        self.sold_out_warm
            .push(&site.claim_in_vain(connections).await?);
        self.hello
            .push(&site.market.hello(connections, everybody).await?);
        Ok(())
    }

    fn forget_warm_up(&mut self) {
        for counts in [&mut self.calls, &mut self.unread_reads] {
            if !counts.is_empty() {
                counts.remove(0);
            }
        }
        for series in [
            &mut self.claim_cold,
            &mut self.claim_warm,
            &mut self.claim_unread,
            &mut self.claim_answered,
            &mut self.sold_out_cold,
            &mut self.sold_out_warm,
            &mut self.sold_out_unread,
            &mut self.textbook,
            &mut self.hello,
        ] {
            series.forget_warm_up();
        }
    }

    fn figures(&self, sql: &str) -> Vec<Figure> {
        let place = format!("{sql}, {}, c = {}", self.fsync, self.connections);
        let ratio = |metric: &str, a: &[f64], b: &[f64], goal| {
            let metric = format!("{metric}, {place}");
            Figure::new(NAME, metric, Summary::of_ratios(a, b), goal)
        };
        let (cold, textbook) = (&self.claim_cold, &self.textbook);
        let mut figures = vec![
            ratio(
                "cold claim / textbook server",
                &cold.per_sec,
                &textbook.per_sec,
                Some(Goal::AtLeast(1.0)),
            ),
            ratio(
                "cold claim p50 / textbook server's",
                &cold.p50_ms,
                &textbook.p50_ms,
                Some(Goal::AtMost(1.2)),
            ),
            ratio(
                "cold claim p99 / textbook server's",
                &cold.p99_ms,
                &textbook.p99_ms,
                Some(Goal::AtMost(1.2)),
            ),
        ];
        if !self.claim_answered.per_sec.is_empty() {
            figures.push(ratio(
                "cold claim, nothing recorded meanwhile / textbook server",
                &self.claim_answered.per_sec,
                &textbook.per_sec,
                None,
            ));
        }
        if self.is_headline() {
            let (warm, in_vain) = (&self.claim_warm, &self.sold_out_cold);
            figures.extend([
                ratio(
                    "claim, cold / warm",
                    &cold.per_sec,
                    &warm.per_sec,
                    Some(Goal::AtLeast(0.85)),
                ),
                ratio(
                    "sold out, cold / warm",
                    &in_vain.per_sec,
                    &self.sold_out_warm.per_sec,
                    Some(Goal::AtLeast(0.85)),
                ),
                ratio(
                    "sold out, cold / static reply",
                    &in_vain.per_sec,
                    &self.hello.per_sec,
                    None,
                ),
                ratio(
                    "cold claim / static reply",
                    &cold.per_sec,
                    &self.hello.per_sec,
                    None,
                ),
                Figure::new(
                    NAME,
                    format!("cold claims per second, {place}"),
                    cold.rate(),
                    None,
                ),
                Figure::new(
                    NAME,
                    format!("script calls per cold claim, {place}"),
                    Summary::of(self.calls.iter().copied()),
                    None,
                ),
            ]);
        }
        if !self.claim_unread.per_sec.is_empty() {
            figures.extend([
                ratio(
                    "claim, unread / warm",
                    &self.claim_unread.per_sec,
                    &self.claim_warm.per_sec,
                    Some(Goal::AtLeast(0.85)),
                ),
                ratio(
                    "sold out, unread / warm",
                    &self.sold_out_unread.per_sec,
                    &self.sold_out_warm.per_sec,
                    Some(Goal::AtLeast(0.85)),
                ),
                Figure::new(
                    NAME,
                    format!("commands that read sessions per unread claim, {place}"),
                    Summary::of(self.unread_reads.iter().copied()),
                    Some(Goal::AtMost(1.0 / 16.0)),
                ),
            ]);
        }
        figures
    }

    /// Kinds of windows by name.
    fn kinds(&self) -> [(&'static str, &Series); 9] {
        [
            ("claim, cold", &self.claim_cold),
            ("claim, warm", &self.claim_warm),
            ("claim, unread", &self.claim_unread),
            (
                "claim, cold, nothing recorded meanwhile",
                &self.claim_answered,
            ),
            ("textbook server", &self.textbook),
            ("sold out, cold", &self.sold_out_cold),
            ("sold out, warm", &self.sold_out_warm),
            ("sold out, unread", &self.sold_out_unread),
            ("static reply", &self.hello),
        ]
    }
}

fn findings(sql: &str, levels: &[Level]) -> Findings {
    let figures = levels.iter().flat_map(|level| level.figures(sql)).collect();
    let rows = levels.iter().flat_map(|level| {
        let measured = level.kinds().into_iter();
        let measured = measured.filter(|(_, series)| !series.per_sec.is_empty());
        measured.map(|(kind, series)| {
            let place = [
                sql.to_owned(),
                level.fsync.to_owned(),
                level.connections.to_string(),
                kind.to_owned(),
            ];
            place.into_iter().chain(series.cells()).collect()
        })
    });
    Findings {
        figures,
        breakdowns: vec![Breakdown {
            title: "Rates and waits in a closed loop",
            head: vec![
                "database",
                "appendfsync",
                "connections",
                "what",
                "per second",
                "p50 ms",
                "p99 ms",
                "client µs",
                "server µs",
                "its SQLite µs",
                "Redis µs",
            ],
            rows: rows.collect(),
        }],
        plots: match levels.len() {
            0 | 1 => Vec::new(),
            _ => vec![plot(levels)],
        },
    }
}

fn plot(levels: &[Level]) -> Plot {
    let line = |name: &str, fsync: &str, series: fn(&Level) -> &Series| PlotLine {
        name: format!("{name}, {fsync}"),
        points: levels
            .iter()
            .filter(|level| level.fsync == fsync)
            .map(|level| Point {
                x: level.connections as f64,
                y: series(level).rate(),
            })
            .collect(),
    };
    let marks = CONNECTIONS.map(|count| (count as f64, count.to_string()));
    let lines = FSYNC.into_iter().flat_map(|fsync| {
        [
            line("claims, cold", fsync, |level| &level.claim_cold),
            line("textbook server", fsync, |level| &level.textbook),
        ]
    });
    Plot {
        title: "Cold claims by connections".to_owned(),
        x: Axis::logarithmic("connections").marked(marks),
        y: Axis::linear("claims per second"),
        lines: lines.collect(),
    }
}
