//! `tandian seed`: demo data for trying the site and for load tests.

use std::process::ExitCode;

use anyhow::bail;
use app::seed::{self, Added, DemoPlan, Progress};
use jiff::Timestamp;

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct SeedArgs {
    /// How many times the usual 1,000 people, 300 shops and 600 notes
    #[arg(long, value_name = "N", default_value_t = 1)]
    scale: u32,
}

pub(super) async fn run(settings: Settings, args: SeedArgs) -> anyhow::Result<ExitCode> {
    if settings.is_production() {
        bail!("demo data is refused in production: everybody knows the demo accounts");
    }
    let site = OpenSite::open(&settings).await?;
    let seeded = seed_site(&site, args.scale).await;
    let added = site.close(seeded).await?;
    print(&describe(added))?;
    Ok(ExitCode::SUCCESS)
}

async fn seed_site(site: &OpenSite, scale: u32) -> anyhow::Result<Added> {
    let plan = DemoPlan {
        scale,
        now: Timestamp::now(),
    };
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    Ok(seed::seed(&site.app, plan, &site.pictures(), &mut show).await?)
}

fn describe(added: Added) -> String {
    if added == Added::default() {
        return "Nothing to add: the demo data is all there.\n".to_owned();
    }
    format!(
        "Added {} rows and {} pictures.\n",
        added.rows, added.pictures
    )
}
