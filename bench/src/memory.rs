//! What the site takes of a machine's memory: at rest, and for people who are signed in.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use tokio::time::Instant;

use crate::flash::CONNECTIONS;
use crate::market::{Market, MarketPlan, MarketRole};
use crate::pairs::Summary;
use crate::process::MemoryUsage;
use crate::progress;
use crate::report::{Axis, Figure, Findings, Plot, PlotLine, Point};

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Resident memory of a process that does everything on a site with demo data, and its private memory (heap and stacks); \
     then 10,000 people after 10,000 others sign in and look who they are, which puts their sessions into Redis and into the \
     memory of the process.",
);
const NAME: &str = "memory";

const PEOPLE: usize = 10_000;
const STEPS: usize = 3;
/// A process is at rest when it has grown by less than this since the last look.
const STILL_MIB: f64 = 0.25;
const LOOK: Duration = Duration::from_millis(500);
const REST_LIMIT: Duration = Duration::from_secs(30);
const MIB: f64 = 1024.0 * 1024.0;

/// What is taken when so many people are signed in.
struct MemorySample {
    people: usize,
    process: MemoryUsage,
    redis_mib: f64,
}

pub(crate) async fn run() -> Result<Findings> {
    progress::step(NAME, "opening a site");
    let mut market = Market::open(MarketPlan {
        people: 0,
        role: MarketRole::All,
        ..MarketPlan::default()
    })
    .await?;
    let mut steps = vec![MemorySample::of(&market, 0).await?];
    for step in 1..=STEPS {
        let people = step * PEOPLE;
        progress::step(NAME, format!("{people} people"));
        market.sign_in_crowd(people).await?;
        market.arrive(CONNECTIONS).await?;
        steps.push(MemorySample::of(&market, people).await?);
    }
    Ok(findings(&steps))
}

impl MemorySample {
    async fn of(market: &Market, people: usize) -> Result<Self> {
        Ok(Self {
            people,
            process: at_rest(market.web.pid()).await?,
            redis_mib: redis_mib(market).await?,
        })
    }
}

/// Waits until a process has nothing more to do that takes memory.
async fn at_rest(pid: u32) -> Result<MemoryUsage> {
    let limit = Instant::now() + REST_LIMIT;
    let mut before = MemoryUsage::of(pid)?;
    loop {
        tokio::time::sleep(LOOK).await;
        let now = MemoryUsage::of(pid)?;
        if (now.resident_mib - before.resident_mib).abs() < STILL_MIB {
            return Ok(now);
        }
        ensure!(Instant::now() < limit, "the process goes on growing");
        before = now;
    }
}

async fn redis_mib(market: &Market) -> Result<f64> {
    let mut connection = market.redis.connection().await;
    let mut info = redis::cmd("INFO");
    let text: String = info.arg("memory").query_async(&mut connection).await?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("used_memory:"));
    let bytes: f64 = line.context("Redis knows its memory")?.trim().parse()?;
    Ok(bytes / MIB)
}

fn findings(steps: &[MemorySample]) -> Findings {
    let rest = &steps[0];
    let growth = |what: fn(&MemorySample) -> f64| {
        let grown = steps.windows(2).map(|pair| what(&pair[1]) - what(&pair[0]));
        Summary::of(grown)
    };
    let only = |value| Summary::of([value]);
    let figures = vec![
        Figure::new(
            NAME,
            "at rest, resident MiB",
            only(rest.process.resident_mib),
            None,
        ),
        Figure::new(
            NAME,
            "at rest, heap and stacks MiB",
            only(rest.process.own_mib),
            None,
        ),
        Figure::new(NAME, "at rest, Redis MiB", only(rest.redis_mib), None),
        Figure::new(
            NAME,
            "10,000 sessions more: process, MiB",
            growth(|step| step.process.resident_mib),
            None,
        ),
        Figure::new(
            NAME,
            "10,000 sessions more: Redis, MiB",
            growth(|step| step.redis_mib),
            None,
        ),
    ];
    let line = |name: &str, what: fn(&MemorySample) -> f64| PlotLine {
        name: name.to_owned(),
        points: steps
            .iter()
            .map(|step| Point {
                x: step.people as f64,
                y: Summary::of([what(step)]),
            })
            .collect(),
    };
    let plot = Plot {
        title: "Memory by people who are signed in".to_owned(),
        x: Axis::linear("people"),
        y: Axis::linear("MiB"),
        lines: vec![
            line("process", |step| step.process.resident_mib),
            line("of it heap and stacks", |step| step.process.own_mib),
            line("Redis", |step| step.redis_mib),
        ],
    };
    Findings {
        figures,
        plots: vec![plot],
        ..Findings::default()
    }
}
