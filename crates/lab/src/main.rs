//! `lab [--version NAME]`: attacks every version of the flash sale, prints a table and writes a report.

use std::io::Write as _;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use clap::{Parser, Subcommand};
use lab::{ENTRIES, EXPERIMENTS, Entry, Ground, Lab, Places, Report, run_process, texts};

/// Walks the road to a flash sale that works.
#[derive(Debug, Parser)]
struct Arguments {
    /// Attacks this version only.
    #[arg(long)]
    version: Option<String>,
    /// Where the report is written.
    #[arg(long, default_value = "data/lab/report.json")]
    out: PathBuf,
    #[command(subcommand)]
    part: Option<Part>,
}

#[derive(Debug, Subcommand)]
enum Part {
    /// Writes code and words of an existing report anew, without trying anything.
    Retell { report: PathBuf },
    /// A process under attack; the lab starts these itself.
    #[command(hide = true)]
    Process { version: String, places: String },
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.part {
        Some(Part::Process { version, places }) => {
            let places: Places = serde_json::from_str(&places)?;
            run_process(&version, places).await
        }
        Some(Part::Retell { report }) => Report::read(&report)?.retold().write(&report),
        None => walk(arguments.version.as_deref(), &arguments.out).await,
    }
}

async fn walk(wanted: Option<&str>, out: &std::path::Path) -> Result<()> {
    let chosen: Vec<&'static Entry> = ENTRIES
        .iter()
        .filter(|entry| wanted.is_none_or(|wanted| wanted == entry.id))
        .collect();
    if chosen.is_empty() {
        let known: Vec<&str> = ENTRIES.iter().map(|entry| entry.id).collect();
        bail!("there is no such version; there is: {}", known.join(", "));
    }
    let began = Instant::now();
    let program = std::env::current_exe().context("the lab starts itself")?;
    let lab = Lab::new(Ground::start(program).await);
    let mut report = Report::begin();
    for (number, entry) in chosen.iter().enumerate() {
        let place = format!(
            "{}/{} {}",
            number + 1,
            chosen.len(),
            texts(entry.id).title.en
        );
        if !entry.can_run_here() {
            say(&format!(
                "{place}: what it needs is not here (scripts/ensure-kafka)"
            ));
            continue;
        }
        let progress = |attack: lab::Attack| say(&format!("{place}: {}", attack.title().en));
        let findings = Box::pin(lab.attack(entry, progress)).await?;
        say(&format!("{place}: the crowd"));
        let figures = Box::pin(lab.measure(entry)).await?;
        report.note(entry.id, findings, Some(figures));
    }
    if wanted.is_none() {
        for experiment in EXPERIMENTS {
            say(&format!("beside the road: {}", experiment.id));
            for (way, outcomes) in experiment.run(lab.ground()).await? {
                report.note_way(experiment.id, way, outcomes);
            }
        }
    }
    let mut terminal = std::io::stdout().lock();
    writeln!(terminal, "\n{report}")?;
    if wanted.is_none() {
        report.write(out)?;
        writeln!(
            terminal,
            "  It took {} minutes. The report is in {}; the site shows it at /lab.",
            began.elapsed().as_secs().div_ceil(60),
            out.display()
        )?;
    }
    Ok(())
}

fn say(line: &str) {
    eprintln!("  {line}");
}
