//! `tandian rebuild`: what is derived, made anew from what is true.

use std::process::ExitCode;

use app::Progress;
use app::rebuild::{self, RebuildTarget};
use clap::ValueEnum;

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct RebuildArgs {
    /// What to rebuild
    #[arg(value_enum, default_value_t = What::All)]
    what: What,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Counters, search and geo indexes, cached rows of shops
    Shops,
    /// The gates of flash sales, from what SQL has
    Flash,
    /// Counters and the ranking of notes, and who likes them
    Notes,
    /// Counters of follows, and whom people follow
    Follows,
    /// The feeds of those who read them
    Feeds,
    /// The bitmaps of check-ins, of the last thirteen months
    CheckIns,
    /// Everything
    All,
}

impl From<What> for RebuildTarget {
    fn from(what: What) -> Self {
        match what {
            What::Shops => Self::Shops,
            What::Flash => Self::FlashSales,
            What::Notes => Self::Notes,
            What::Follows => Self::Follows,
            What::Feeds => Self::Feeds,
            What::CheckIns => Self::CheckIns,
            What::All => Self::All,
        }
    }
}

pub(super) async fn run(settings: Settings, args: RebuildArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let rebuilt = rebuild_site(&site, args.what.into()).await;
    site.close(rebuilt).await?;
    print("Rebuilt. Running servers use it from now on.\n")?;
    Ok(ExitCode::SUCCESS)
}

async fn rebuild_site(site: &OpenSite, part: RebuildTarget) -> anyhow::Result<()> {
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    Ok(rebuild::rebuild(&site.app, part, &mut show).await?)
}
