//! `tandian outbox …`: effects of commits that have not happened yet, as an operator sees them and tries them again.
//!
//! It works beside running servers and without any; the relay of a serving process does the trying.

use std::process::ExitCode;

use anyhow::bail;
use app::App;
use clap::Subcommand;
use jiff::Timestamp;
use storage::outbox::{self, OutboxId, ProblemRow, Redrive};

use super::print::print;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(super) enum OutboxCommand {
    /// List what was dead-lettered, and what failed and is retried
    List(ListArgs),
    /// Try again what was dead-lettered, from the first attempt
    Redrive(RedriveArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    /// Only what was dead-lettered
    #[arg(long)]
    dead: bool,
    /// Rows above this id, for the next page
    #[arg(long, value_name = "ID")]
    after: Option<i64>,
    /// Rows to show
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    limit: u32,
}

#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub(super) struct RedriveArgs {
    /// The row, as `tandian outbox list` shows it; one that was put off is tried at once
    #[arg(value_name = "ID", value_parser = clap::value_parser!(i64).range(1..))]
    id: Option<i64>,
    /// Everything that was dead-lettered
    #[arg(long)]
    all: bool,
}

pub(super) async fn run(settings: Settings, command: OutboxCommand) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let done = match &command {
        OutboxCommand::List(args) => list(&site.app, args).await,
        OutboxCommand::Redrive(args) => redrive(&site.app, args).await,
    };
    let text = site.close(done).await?;
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

async fn list(app: &App, args: &ListArgs) -> anyhow::Result<String> {
    let mut after = args.after.map(OutboxId::new);
    let mut shown: Vec<ProblemRow> = Vec::new();
    // Dead ones may be few among many that are put off: pages are read until enough are found.
    while shown.len() < args.limit as usize {
        let page = outbox::list_problems(app.db(), after, outbox::LIST_LIMIT).await?;
        let Some(last) = page.last() else { break };
        after = Some(last.id);
        shown.extend(page.into_iter().filter(|row| row.is_dead || !args.dead));
    }
    shown.truncate(args.limit as usize);
    let backlog = outbox::backlog(app.db(), Timestamp::now()).await?;
    let mut text = table(&shown);
    text.push_str(&format!(
        "{} dead-lettered, {} retried, {} waiting in all.\n",
        backlog.dead, backlog.failing, backlog.count
    ));
    Ok(text)
}

async fn redrive(app: &App, args: &RedriveArgs) -> anyhow::Result<String> {
    let what = match args.id {
        Some(id) => Redrive::One(OutboxId::new(id)),
        None => Redrive::AllDead,
    };
    let count = outbox::redrive(app.db(), None, what).await?;
    if let (0, Some(id)) = (count, args.id) {
        bail!("no row {id} was dead-lettered or put off: see `tandian outbox list`");
    }
    Ok(format!(
        "{count} effect(s) redriven: a serving process tries them now.\n"
    ))
}

fn table(rows: &[ProblemRow]) -> String {
    let mut text = format!(
        "{:>12}  {:<9}  {:<9}  {:<16}  {:<24}  {:>8}  {:<20}  {}\n",
        "ID", "STATE", "LANE", "KIND", "KEY", "ATTEMPTS", "SINCE", "LAST ERROR"
    );
    for row in rows {
        let state = if row.is_dead { "dead" } else { "retried" };
        text.push_str(&format!(
            "{:>12}  {:<9}  {:<9}  {:<16}  {:<24}  {:>8}  {:<20}  {}\n",
            row.id,
            state,
            row.lane.as_str(),
            row.kind,
            row.key,
            row.attempts,
            row.created_at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            row.last_error.replace(['\n', '\r'], " "),
        ));
    }
    text
}
