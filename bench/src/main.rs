//! `bench [--scenario NAME]`: compares, in one run and interleaved, and reports ratios.
//!
//! Levels drift on any machine that is shared; ratios of measurements that were taken side by side do not. So every
//! figure is the median over pairs, with its spread, and a goal is a bound on such a ratio or on a count.

mod flash;
mod http;
mod load;
mod lock;
mod pairs;
mod program;
mod report;
mod shop;
mod site;

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use futures_util::{FutureExt, future::LocalBoxFuture};

use report::{Figure, Report};

/// Runs benchmarks and writes what they show to bench/report.json.
#[derive(Debug, Parser)]
struct Arguments {
    /// Runs this scenario only.
    #[arg(long)]
    scenario: Option<String>,
    #[command(subcommand)]
    part: Option<Part>,
}

/// What the benchmark starts itself.
#[derive(Debug, Subcommand)]
enum Part {
    #[command(hide = true)]
    LockWorker(lock::worker::Orders),
}

/// A scenario by its name.
type Scenario = (
    &'static str,
    fn() -> LocalBoxFuture<'static, Result<Vec<Figure>>>,
);

const SCENARIOS: [Scenario; 7] = [
    ("lock", || lock::run().boxed_local()),
    ("shop", || shop::run().boxed_local()),
    ("claim", || flash::claim::run().boxed_local()),
    ("sold-out", || flash::sold_out::run().boxed_local()),
    ("drain", || flash::drain::run().boxed_local()),
    ("overload", || flash::overload::run().boxed_local()),
    ("growth", || flash::growth::run().boxed_local()),
];

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.part {
        Some(Part::LockWorker(orders)) => lock::worker::work(orders).await,
        None => compare(arguments.scenario.as_deref()).await,
    }
}

async fn compare(wanted: Option<&str>) -> Result<()> {
    let chosen = SCENARIOS
        .iter()
        .filter(|(name, _)| wanted.is_none_or(|wanted| wanted == *name));
    let mut report = Report::default();
    for (name, run) in chosen {
        let figures = run().await;
        report
            .figures
            .extend(figures.with_context(|| format!("scenario {name}"))?);
    }
    if report.figures.is_empty() {
        let known: Vec<&str> = SCENARIOS.iter().map(|(name, _)| *name).collect();
        bail!("there is no such scenario; there is: {}", known.join(", "));
    }
    report.print();
    report.write()
}
