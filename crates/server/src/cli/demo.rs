//! `tandian demo purge`: removes demo data, so that a trial site can go into production. Without `--yes` it is a dry run.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::bail;
use app::Progress;
use app::demo_purge::{self, Extent, OpenOrders, Traces};
use clap::Subcommand;

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, Subcommand)]
pub(super) enum DemoCommand {
    /// Remove demo data and load-test users; a dry run without --yes
    Purge(PurgeArgs),
}

#[derive(Debug, clap::Args)]
pub(super) struct PurgeArgs {
    /// Do it; stop the servers first
    #[arg(long)]
    yes: bool,
    /// Go on although real people hold open orders for demo vouchers; the orders stay, without a voucher
    #[arg(long)]
    abandon_orders: bool,
}

pub(super) async fn run(
    settings: Settings,
    DemoCommand::Purge(args): DemoCommand,
) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let purged = purge(&site, &args).await;
    let text = site.close(purged).await?;
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}

async fn purge(site: &OpenSite, args: &PurgeArgs) -> anyhow::Result<String> {
    let traces = demo_purge::traces(site.app.db()).await?;
    if traces.are_none() {
        return Ok("There is no demo data on this site.\n".to_owned());
    }
    if traces.strangers > 0 {
        bail!(demo_purge::PurgeError::Strangers(traces.strangers));
    }
    if !args.yes {
        let extent = match traces.demo_people {
            0 => Extent::default(),
            _ => demo_purge::extent(site.app.db()).await?,
        };
        return Ok(describe(traces, &extent));
    }
    let orders = if args.abandon_orders {
        OpenOrders::Abandon
    } else {
        OpenOrders::Respect
    };
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    let rows = demo_purge::purge_demo(&site.app, orders, &mut show).await?;
    Ok(format!(
        "Took {rows} rows away. Orders that people placed, payments and the ledger are as they were.\n"
    ))
}

fn describe(traces: Traces, extent: &Extent) -> String {
    let mut text = format!(
        "Would take away:\n  {} demo people and {} people of load tests, with all they wrote\n",
        traces.demo_people, traces.load_test_people
    );
    let _ = writeln!(
        text,
        "  {} shops, {} vouchers, {} notes, {} comments",
        extent.shops, extent.vouchers, extent.notes, extent.comments
    );
    if extent.notes_of_others > 0 {
        let count = extent.notes_of_others;
        let _ = writeln!(
            text,
            "  {count} of the notes are of real people, about demo shops"
        );
    }
    if extent.shops_left > 0 {
        let count = extent.shops_left;
        let _ = writeln!(
            text,
            "Would leave {count} shop(s) that demo people made, without an owner"
        );
    }
    if extent.open_orders > 0 {
        let first: Vec<String> = extent
            .named_orders
            .iter()
            .map(ToString::to_string)
            .collect();
        let _ = writeln!(
            text,
            "Would refuse: {} open order(s) of real people are for demo vouchers (the first: {})",
            extent.open_orders,
            first.join(", ")
        );
    }
    text.push_str("Nothing was changed: stop the servers, make a backup, and repeat with --yes.\n");
    text
}
