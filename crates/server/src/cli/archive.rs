//! `tandian archive …`: ended orders, moved out of the way, listed, exported and checked.
//!
//! A serving process archives by itself (`retention.orders_days`); the command does it now, or earlier. It works beside
//! running servers.

use std::fs::OpenOptions;
use std::io::{BufWriter, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use app::{App, Progress, retention};
use clap::Subcommand;
use domain::OrderId;
use jiff::Timestamp;
use storage::accounts::{self, TrialBalance};
use storage::archive;
use storage::retention::days_before;

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

/// A refund, a redeemed voucher or a late payment comes within this time; nothing younger is archived.
const LEAST_DAYS: i64 = 30;

#[derive(Debug, Subcommand)]
pub(super) enum Archive {
    /// Archive orders that ended long ago, with their payments and ledger entries
    Run {
        /// How many days ago; `retention.orders_days` if not given
        #[arg(long, value_parser = clap::value_parser!(u32).range(LEAST_DAYS..=36_500))]
        days: Option<u32>,
    },
    /// List the months of the archive
    List,
    /// Write a month of the archive into a new file, one order with its money a line (JSON)
    Export {
        /// The month, such as 2026-11
        #[arg(value_parser = parse_month)]
        month: i32,
        /// The file, which must not exist
        #[arg(long, value_name = "FILE")]
        out: PathBuf,
    },
    /// Add up the whole ledger, archive included, and compare it with the running sums
    Check,
}

pub(super) async fn run(settings: Settings, command: Archive) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let done = match &command {
        Archive::Run { days } => run_now(&site.app, *days).await,
        Archive::List => list(&site.app).await,
        Archive::Export { month, out } => export(&site.app, *month, out).await,
        Archive::Check => check(&site.app).await,
    };
    print(&site.close(done).await?)?;
    Ok(ExitCode::SUCCESS)
}

async fn run_now(app: &App, days: Option<u32>) -> anyhow::Result<String> {
    let (rules, now) = (app.retention(), Timestamp::now());
    let before = days_before(now, days.unwrap_or(rules.orders_days));
    let total = archive::count_ended(app.db(), before).await?;
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, .. }| line.show(what, done, total.max(done));
    let moved = retention::archive(app.db(), rules, now, before, &mut show).await?;
    drop(line);
    Ok(format!(
        "Archived {} order(s), {} payment(s) and {} ledger entries.\n",
        moved.orders, moved.payments, moved.entries
    ))
}

async fn list(app: &App) -> anyhow::Result<String> {
    let mut text = format!("{:<8}  {:>12}\n", "MONTH", "ORDERS");
    for month in archive::months(app.db()).await? {
        let (year, of_year) = (month.month / 100, month.month % 100);
        text.push_str(&format!("{year:04}-{of_year:02}   {:>12}\n", month.orders));
    }
    Ok(text)
}

async fn export(app: &App, month: i32, out: &PathBuf) -> anyhow::Result<String> {
    let file = OpenOptions::new().write(true).create_new(true).open(out);
    let file = file.with_context(|| format!("cannot create {}", out.display()))?;
    let mut file = BufWriter::new(file);
    let (mut after, mut count) = (OrderId::new(0), 0_u64);
    loop {
        let page = archive::list_month(app.db(), month, after).await?;
        let Some(last) = page.last() else { break };
        after = OrderId::new(last.id);
        for order in &page {
            serde_json::to_writer(&mut file, order)?;
            file.write_all(b"\n")?;
            count += 1;
        }
    }
    file.flush()
        .with_context(|| format!("cannot write {}", out.display()))?;
    Ok(format!("{count} order(s) written to {}.\n", out.display()))
}

async fn check(app: &App) -> anyhow::Result<String> {
    let wrong = accounts::check_running_sums(app.db()).await?;
    let books = accounts::trial_balance(app.db()).await?;
    let zeroes = TrialBalance {
        total_cents: 0,
        wrong_balances: 0,
        escrow_excess_cents: 0,
    };
    if wrong > 0 || books != zeroes {
        bail!(
            "the books do not add up: {wrong} running sum(s) differ from their entries, {} cents \
             in all, {} wrong balance(s), {} cents too many in escrow; keep a copy of the database \
             and compare it with your provider's statement",
            books.total_cents,
            books.wrong_balances,
            books.escrow_excess_cents
        );
    }
    Ok("The ledger adds up, the archive included.\n".to_owned())
}

fn parse_month(text: &str) -> Result<i32, String> {
    let wrong = || "must be a month such as 2026-11".to_owned();
    let (year, month) = text.split_once('-').ok_or_else(wrong)?;
    let is_plain = |part: &str, len: usize| {
        part.len() == len && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !is_plain(year, 4) || !is_plain(month, 2) {
        return Err(wrong());
    }
    let (year, month): (i32, i32) = (
        year.parse().map_err(|_| wrong())?,
        month.parse().map_err(|_| wrong())?,
    );
    if (1..=12).contains(&month) {
        Ok(year * 100 + month)
    } else {
        Err(wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_a_year_and_a_month() {
        assert_eq!(parse_month("2026-11"), Ok(202_611));
        for wrong in [
            "2026", "2026-13", "2026-00", "26-11", "2026-1", "2026-+1", "",
        ] {
            assert!(parse_month(wrong).is_err(), "{wrong}");
        }
    }
}
