//! `lab [--version NAME]`: attacks every version of the flash sale, runs the smaller experiments, prints a table
//! and writes a report. `lab crowd NAME` lets a crowd buy from one version.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context as _, Result, bail};
use clap::{Parser, Subcommand};
use lab::{
    Attack, CatalogueEntry, Crowd, ENTRIES, EXPERIMENTS, Endpoints, Experiment, Lab, LabReport,
    Services, find, run_crowd, run_process, texts,
};

/// Attacks every version of the flash sale, from the first attempt to the engine of this site.
#[derive(Debug, Parser)]
struct Arguments {
    /// Runs this version or this experiment only.
    #[arg(long)]
    version: Option<String>,
    /// Where the report is written.
    #[arg(long, default_value = "data/lab/report.json")]
    out: PathBuf,
    #[command(subcommand)]
    part: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Updates code and texts of an existing report, without running anything.
    Retell { report: PathBuf },
    /// Lets a crowd buy from one version, each buyer with two clicks; writes a line of JSON per event.
    Crowd {
        /// The id of a version.
        version: String,
        #[arg(long, default_value_t = 500)]
        buyers: u32,
        #[arg(long, default_value_t = 50)]
        stock: u32,
        /// Ends when standard input does: whoever starts this as a child takes it along.
        #[arg(long, hide = true)]
        until_stdin_ends: bool,
    },
    /// A process under attack; the lab starts these itself.
    #[command(hide = true)]
    Process { version: String, places: String },
}

/// The versions and experiments to run.
struct Selection {
    versions: Vec<&'static CatalogueEntry>,
    experiments: Vec<&'static Experiment>,
}

#[tokio::main]
async fn main() -> Result<()> {
    let arguments = Arguments::parse();
    match arguments.part {
        Some(Command::Process { version, places }) => {
            let places: Endpoints = serde_json::from_str(&places)?;
            run_process(&version, places).await
        }
        Some(Command::Crowd {
            version,
            buyers,
            stock,
            until_stdin_ends,
        }) => {
            if until_stdin_ends {
                std::thread::spawn(end_with_stdin);
            }
            crowd(&version, Crowd { buyers, stock }).await
        }
        Some(Command::Retell { report }) => LabReport::read(&report)?.retold().write(&report),
        None => walk(arguments.version.as_deref(), &arguments.out).await,
    }
}

async fn walk(wanted: Option<&str>, out: &Path) -> Result<()> {
    let choice = Selection::of(wanted)?;
    let began = Instant::now();
    let program = std::env::current_exe().context("the lab starts itself")?;
    let lab = Lab::new(Services::start(program).await);
    let mut report = LabReport::begin();
    let count = choice.versions.len();
    for (number, entry) in (1..).zip(choice.versions) {
        let place = format!("{number}/{count} {}", texts(entry.id).title.en);
        Box::pin(try_version(&lab, entry, &place, &mut report)).await?;
    }
    for experiment in choice.experiments {
        print_progress(&format!("beside the road: {}", experiment.id));
        for (way, outcomes) in Box::pin(experiment.run(lab.services())).await? {
            report.note_way(experiment.id, way, outcomes);
        }
    }
    let mut terminal = std::io::stdout().lock();
    writeln!(terminal, "\n{report}")?;
    if wanted.is_none() {
        report.write(out)?;
        let (minutes, out) = (began.elapsed().as_secs().div_ceil(60), out.display());
        writeln!(
            terminal,
            "  It took {minutes} minutes. The report is in {out}; the site shows it at /lab."
        )?;
    }
    Ok(())
}

async fn crowd(version: &str, crowd: Crowd) -> Result<()> {
    let entry = find(version).with_context(|| format!("there is no version {version}"))?;
    crowd.check()?;
    if !entry.can_run_here() {
        bail!("there is no Kafka here: run scripts/ensure-kafka first");
    }
    let program = std::env::current_exe().context("the lab starts itself")?;
    let lab = Lab::new(Services::start(program).await);
    Box::pin(run_crowd(&lab, entry, crowd)).await
}

/// Whatever ends the pipe, this process has nobody left to tell.
fn end_with_stdin() {
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    std::process::exit(0);
}

async fn try_version(
    lab: &Lab,
    entry: &'static CatalogueEntry,
    place: &str,
    report: &mut LabReport,
) -> Result<()> {
    if !entry.can_run_here() {
        print_progress(&format!(
            "{place}: what it needs is not here (scripts/ensure-kafka)"
        ));
        return Ok(());
    }
    let progress = |attack: Attack| print_progress(&format!("{place}: {}", attack.title().en));
    let findings = lab.attack(entry, progress).await?;
    print_progress(&format!("{place}: the crowd"));
    let figures = lab.measure(entry).await?;
    report.note(entry.id, findings, Some(figures));
    Ok(())
}

impl Selection {
    /// Everything, or what has this name.
    fn of(wanted: Option<&str>) -> Result<Self> {
        let is_wanted = |id: &str| wanted.is_none_or(|wanted| wanted == id);
        let versions: Vec<_> = ENTRIES.iter().filter(|it| is_wanted(it.id)).collect();
        let experiments = EXPERIMENTS.iter().copied();
        let experiments: Vec<_> = experiments.filter(|it| is_wanted(it.id)).collect();
        if versions.is_empty() && experiments.is_empty() {
            let names = ENTRIES.iter().map(|it| it.id);
            let names: Vec<_> = names.chain(EXPERIMENTS.iter().map(|it| it.id)).collect();
            bail!("there is no such name; there is: {}", names.join(", "));
        }
        Ok(Self {
            versions,
            experiments,
        })
    }
}

fn print_progress(line: &str) {
    eprintln!("  {line}");
}
