//! Ten thousand connections that stay open: what they cost in memory, what they do to latency, and what happens when all
//! of them send a request at once.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Result, ensure};

use crate::load::{Crowd, Requests, TimedReply, play};
use crate::pairs::{Summary, percentile};
use crate::process::{MemoryUsage, allow_open_files};
use crate::progress;
use crate::report::{Axis, Figure, Findings, Plot, PlotLine, Point};
use crate::settings::STORM_CONNECTIONS;
use crate::site::BenchSite;

pub(crate) const ABOUT: (&str, &str) = (
    NAME,
    "Connections that stay open, step by step up to ten thousand, all of them used in turn at 2,000 requests a second for a \
     cached shop: memory of the process and latency at each step, nine windows each. Then all of them send a request in the same moment, \
     three times; those beyond the limit get 503.",
);
const NAME: &str = "storm";

/// What the first step has, and what the others are compared with.
const FEW: usize = 100;
/// Shares of all connections.
const STEPS: [f64; 4] = [0.1, 0.25, 0.5, 1.0];
const WINDOWS: usize = 9;
const WINDOW: Duration = Duration::from_millis(600);
/// Often enough that even the largest crowd is used up within the ten seconds after which the site closes idle ones.
const PER_SEC: usize = 2_000;
const BURSTS: usize = 3;
/// Files that a process has open besides.
const OTHER_FILES: u64 = 1_000;
const PATH: &str = "/api/shop/1";

/// What so many connections cost.
struct StormSample {
    connections: usize,
    memory: MemoryUsage,
    p99_ms: Summary,
}

pub(crate) async fn run() -> Result<Findings> {
    let most = STORM_CONNECTIONS.get() as usize;
    allow_open_files(most as u64 + OTHER_FILES)?;
    progress::step(NAME, "starting a site with demo data");
    let site = BenchSite::start().await?;
    let (address, pid) = (site.address, site.pid());
    let (steps, bursts) = tokio::task::spawn_blocking(move || storm(address, pid, most)).await??;
    Ok(findings(&steps, &bursts))
}

fn storm(address: SocketAddr, pid: u32, most: usize) -> Result<(Vec<StormSample>, Vec<Burst>)> {
    let mut crowd = Crowd::open(address, FEW)?;
    window(&mut crowd)?;
    let counts = STEPS.map(|share| (most as f64 * share) as usize);
    let mut steps = Vec::new();
    for connections in std::iter::once(FEW).chain(counts) {
        progress::step(NAME, format!("{connections} connections"));
        crowd.grow(connections)?;
        let windows: Result<Vec<f64>> = (0..WINDOWS).map(|_| window(&mut crowd)).collect();
        steps.push(StormSample {
            connections,
            memory: MemoryUsage::of(pid)?,
            p99_ms: Summary::of(windows?),
        });
    }
    progress::step(NAME, "all at once");
    let bursts: Result<_> = (0..BURSTS).map(|_| burst(&mut crowd, most)).collect();
    Ok((steps, bursts?))
}

/// The ninety-ninth percentile of a window, in milliseconds.
fn window(crowd: &mut Crowd) -> Result<f64> {
    let count = (PER_SEC as f64 * WINDOW.as_secs_f64()) as usize;
    let requests = Requests::repeat("GET", PATH, None, count);
    let due: Vec<Duration> = (0..count)
        .map(|place| WINDOW.mul_f64(place as f64 / count as f64))
        .collect();
    let replies = play(crowd, &requests, &due)?;
    let refused = replies.iter().find(|it| !it.answer.is_success);
    ensure!(refused.is_none(), "a request was refused: {refused:?}");
    Ok(p99_ms(&replies))
}

fn p99_ms(replies: &[TimedReply]) -> f64 {
    let mut waits: Vec<f64> = replies
        .iter()
        .map(|it| it.took.as_secs_f64() * 1_000.0)
        .collect();
    percentile(&mut waits, 0.99)
}

/// What became of everybody's request at the same moment.
struct Burst {
    served: usize,
    refused: usize,
    last_ms: f64,
}

fn burst(crowd: &mut Crowd, connections: usize) -> Result<Burst> {
    let requests = Requests::repeat("GET", PATH, None, connections);
    let replies = play(crowd, &requests, &vec![Duration::ZERO; connections])?;
    let of_status = |status| {
        replies
            .iter()
            .filter(|it| it.answer.status == status)
            .count()
    };
    let (served, refused) = (of_status(200), of_status(503));
    ensure!(
        served + refused == connections,
        "a request got neither success nor refusal"
    );
    let last = replies.iter().map(|it| it.took).max().unwrap_or_default();
    Ok(Burst {
        served,
        refused,
        last_ms: last.as_secs_f64() * 1_000.0,
    })
}

fn findings(steps: &[StormSample], bursts: &[Burst]) -> Findings {
    let (first, last) = (&steps[0], &steps[steps.len() - 1]);
    let more = (last.connections - first.connections) as f64;
    let grown_kib = (last.memory.resident_mib - first.memory.resident_mib) * 1024.0;
    let each = |what: fn(&Burst) -> f64| Summary::of(bursts.iter().map(what));
    let count = last.connections;
    let figures = vec![
        Figure::new(
            NAME,
            format!("p99 with {FEW} connections, ms"),
            first.p99_ms,
            None,
        ),
        Figure::new(
            NAME,
            format!("p99 with {count} connections, ms"),
            last.p99_ms,
            None,
        ),
        Figure::new(
            NAME,
            "memory of a connection, KiB",
            Summary::of([grown_kib / more]),
            None,
        ),
        Figure::new(
            NAME,
            "all at once: served",
            each(|burst| burst.served as f64),
            None,
        ),
        Figure::new(
            NAME,
            "all at once: refused with 503",
            each(|burst| burst.refused as f64),
            None,
        ),
        Figure::new(
            NAME,
            "all at once: the last answer after ms",
            each(|burst| burst.last_ms),
            None,
        ),
    ];
    let plots = vec![
        plot(
            "Memory by open connections",
            "MiB",
            "resident",
            steps,
            |step| Summary::of([step.memory.resident_mib]),
        ),
        plot(
            "Latency by open connections, at 2,000 requests a second",
            "p99 in ms",
            "p99",
            steps,
            |step| step.p99_ms,
        ),
    ];
    Findings {
        figures,
        plots,
        ..Findings::default()
    }
}

fn plot(
    title: &str,
    y: &str,
    name: &str,
    steps: &[StormSample],
    value: fn(&StormSample) -> Summary,
) -> Plot {
    let points = steps.iter().map(|step| Point {
        x: step.connections as f64,
        y: value(step),
    });
    Plot {
        title: title.to_owned(),
        x: Axis::linear("connections"),
        y: Axis::linear(y),
        lines: vec![PlotLine {
            name: name.to_owned(),
            points: points.collect(),
        }],
    }
}
