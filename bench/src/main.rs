//! `bench [--scenario NAME]`: compares, in one run and interleaved, and reports ratios.
//!
//! Levels drift on any machine that is shared; ratios of measurements that were taken side by side do not. So every
//! figure is the median over pairs, with its spread, and a goal is a bound on such a ratio or on a count. A scenario that
//! fails is reported as failed; the others go on.

mod cold_start;
mod fill;
mod first_second;
mod flash;
mod growth;
mod http;
mod instructions;
mod load;
mod lock;
mod machine;
mod market;
mod memory;
mod mix;
mod pairs;
mod peers;
mod process;
mod program;
mod progress;
mod report;
mod rest;
mod search;
mod settings;
mod shop;
mod site;
mod social;
mod sql;
mod storm;
mod textbook;
mod wrk;

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, bail};
use clap::{Parser, Subcommand};
use futures_util::{FutureExt, future::LocalBoxFuture};

use flash::claim::{cold, only_answering, outside};
use machine::Machine;
use report::{BenchReport, Findings, ScenarioOutcome};

/// Runs benchmarks and writes what they show to bench/report.json and bench/report.html.
#[derive(Debug, Parser)]
struct Arguments {
    /// Runs these scenarios only; several are separated by commas.
    #[arg(long, value_delimiter = ',')]
    scenario: Vec<String>,
    #[command(subcommand)]
    part: Option<Command>,
}

/// What is no scenario: another comparison, and what the benchmark starts itself.
#[derive(Debug, Subcommand)]
enum Command {
    /// Compares the site with what one could use instead, and with any server that has the original's paths
    Peers(peers::PeersArgs),
    #[command(hide = true)]
    LockWorker(lock::worker::WorkerArgs),
    #[command(hide = true)]
    Textbook(textbook::TextbookArgs),
}

/// Measures, from the start of the site to the verdict.
type Run = fn() -> LocalBoxFuture<'static, Result<Findings>>;

/// Something to measure.
struct Scenario {
    name: &'static str,
    about: &'static str,
    run: Run,
}

/// A scenario of a module that has a name, a sentence about itself and a way to run it.
const fn scenario((name, about): (&'static str, &'static str), run: Run) -> Scenario {
    Scenario { name, about, run }
}

const SCENARIOS: &[Scenario] = &[
    scenario(lock::ABOUT, || lock::run().boxed_local()),
    scenario(shop::ABOUT, || shop::run().boxed_local()),
    scenario(social::ABOUT, || social::run().boxed_local()),
    scenario(cold::ABOUT, || cold::run().boxed_local()),
    scenario(outside::ABOUT, || outside::run().boxed_local()),
    scenario(only_answering::ABOUT, || {
        only_answering::run().boxed_local()
    }),
    scenario(flash::sold_out::ABOUT, || {
        flash::sold_out::run().boxed_local()
    }),
    scenario(flash::drain::ABOUT, || flash::drain::run().boxed_local()),
    scenario(flash::overload::ABOUT, || {
        flash::overload::run().boxed_local()
    }),
    scenario(mix::ABOUT, || mix::run().boxed_local()),
    scenario(storm::ABOUT, || storm::run().boxed_local()),
    scenario(cold_start::ABOUT, || cold_start::run().boxed_local()),
    scenario(first_second::ABOUT, || first_second::run().boxed_local()),
    scenario(rest::ABOUT, || rest::run().boxed_local()),
    scenario(memory::ABOUT, || memory::run().boxed_local()),
    scenario(growth::ABOUT, || growth::run().boxed_local()),
    scenario(instructions::ABOUT, || instructions::run().boxed_local()),
    scenario(search::ABOUT, || search::run().boxed_local()),
];

#[tokio::main]
async fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    settings::check()?;
    match arguments.part {
        Some(Command::LockWorker(orders)) => {
            lock::worker::work(orders).await?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Peers(args)) => {
            let machine = Machine::here();
            let outcomes = vec![peers::compare(args).await?];
            publish(&BenchReport { machine, outcomes }, "peers")
        }
        Some(Command::Textbook(args)) => {
            textbook::serve(args).await?;
            Ok(ExitCode::SUCCESS)
        }
        None => compare(&arguments.scenario).await,
    }
}

async fn compare(wanted: &[String]) -> Result<ExitCode> {
    let chosen = choose(wanted)?;
    let machine = Machine::here();
    let mut outcomes = Vec::new();
    for (place, scenario) in chosen.iter().enumerate() {
        progress::begin(scenario.name, place + 1, chosen.len());
        outcomes.push(measure(scenario).await);
    }
    publish(&BenchReport { machine, outcomes }, "report")
}

/// Missing a goal is a finding; failing to measure is a failure.
#[expect(
    clippy::print_stdout,
    reason = "where the page is belongs to the table"
)]
fn publish(report: &BenchReport, name: &str) -> Result<ExitCode> {
    report::print(report);
    println!("{}", report.write(name)?.display());
    Ok(match report.score().failed {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

fn choose(wanted: &[String]) -> Result<Vec<&'static Scenario>> {
    let is_known = |name: &&String| SCENARIOS.iter().any(|it| it.name == name.as_str());
    if let Some(unknown) = wanted.iter().find(|name| !is_known(name)) {
        let known: Vec<&str> = SCENARIOS.iter().map(|it| it.name).collect();
        bail!(
            "there is no scenario {unknown:?}; there is: {}",
            known.join(", ")
        );
    }
    let is_wanted = |it: &&Scenario| wanted.is_empty() || wanted.iter().any(|name| it.name == name);
    Ok(SCENARIOS.iter().filter(is_wanted).collect())
}

/// Services that cannot be had panic, as they do in tests: here that is a failure of one scenario.
async fn measure(scenario: &Scenario) -> ScenarioOutcome {
    let since = Instant::now();
    let findings = match AssertUnwindSafe((scenario.run)()).catch_unwind().await {
        Ok(findings) => findings.map_err(|error| format!("{error:#}")),
        Err(panic) => Err(words_of(&*panic)),
    };
    let took = since.elapsed();
    progress::end(
        scenario.name,
        took,
        findings.as_ref().err().map(String::as_str),
    );
    ScenarioOutcome {
        scenario: scenario.name,
        about: scenario.about,
        took,
        findings,
    }
}

fn words_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_scenario_that_fails_or_panics_is_an_outcome_with_its_reason() {
        let failing: [(Run, &str); 2] = [
            (
                || async { bail!("an order was lost") }.boxed_local(),
                "an order was lost",
            ),
            (
                || async { panic!("no redis-server") }.boxed_local(),
                "no redis-server",
            ),
        ];
        for (run, why) in failing {
            let outcome = measure(&scenario(("trial", "a trial"), run)).await;
            assert_eq!(outcome.findings.map(|_| ()), Err(why.to_owned()));
        }
    }

    #[test]
    fn a_scenario_that_nobody_knows_is_refused() {
        assert!(choose(&["claims".to_owned()]).is_err());
        assert_eq!(
            choose(&["claim".to_owned()]).map(|it| it.len()).ok(),
            Some(1)
        );
        assert_eq!(choose(&[]).map(|it| it.len()).ok(), Some(SCENARIOS.len()));
    }
}
