//! `tandian rebuild`: what is derived, made anew from what is true. It says which counters differ before it sets them.

use std::fmt::Write as _;
use std::process::ExitCode;

use app::Progress;
use app::rebuild::{self, RebuildTarget};
use clap::ValueEnum;
use storage::bulk::{CounterDifference, Surplus};

use super::print::print;
use super::progress::ProgressLine;
use super::site::OpenSite;
use crate::settings::Settings;

#[derive(Debug, clap::Args)]
pub(super) struct RebuildArgs {
    /// What to rebuild
    #[arg(value_enum, default_value_t = What::All)]
    what: What,
    /// Print which counters would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Lower counters that are higher than the rows behind them explain; without it such numbers stay
    #[arg(long)]
    lower: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum What {
    /// Counters, search and geo indexes, cached rows of shops
    Shops,
    /// The gates of flash sales, from what SQL has
    Flash,
    /// Counters, the ranking, cached texts and authors of notes, and who likes them
    Notes,
    /// Counters of follows, and whom people follow
    Follows,
    /// The feeds of those who read them
    Feeds,
    /// The bitmaps of check-ins, of the last thirteen months
    CheckIns,
    /// The index of the search over shops, notes and people
    Search,
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
            What::Search => Self::Search,
            What::All => Self::All,
        }
    }
}

impl RebuildArgs {
    fn surplus(&self) -> Surplus {
        match self.lower {
            true => Surplus::Drop,
            false => Surplus::Keep,
        }
    }
}

pub(super) async fn run(settings: Settings, args: RebuildArgs) -> anyhow::Result<ExitCode> {
    let site = OpenSite::open(&settings).await?;
    let rebuilt = rebuild_site(&site, &args).await;
    site.close(rebuilt).await?;
    print(match args.dry_run {
        true => "Nothing was changed.\n",
        false => "Rebuilt. Running servers use it from now on.\n",
    })?;
    Ok(ExitCode::SUCCESS)
}

async fn rebuild_site(site: &OpenSite, args: &RebuildArgs) -> anyhow::Result<()> {
    let part = args.what.into();
    let differences = rebuild::compare_counters(&site.app, part).await?;
    print(&describe(&differences, args.surplus()))?;
    if args.dry_run {
        return Ok(());
    }
    let mut line = ProgressLine::new();
    let mut show = |Progress { what, done, total }| line.show(what, done, total);
    Ok(rebuild::rebuild(&site.app, part, args.surplus(), &mut show).await?)
}

/// One line per counter and direction.
fn describe(differences: &[CounterDifference], surplus: Surplus) -> String {
    let mut text = String::new();
    for difference in differences {
        let counter = difference.counter;
        if difference.below > 0 {
            let _ = writeln!(
                text,
                "{counter}: too low in {} row(s), raised",
                difference.below
            );
        }
        let above = difference.above;
        let done = match (difference.has_base, surplus) {
            (true, Surplus::Keep) => {
                "more than its rows explain, kept (--lower sets it to what they do)"
            }
            _ => "too high, lowered",
        };
        if above > 0 {
            let _ = writeln!(text, "{counter}: {done}, in {above} row(s)");
        }
    }
    if text.is_empty() {
        text.push_str("All counters agree with their rows.\n");
    }
    text
}
