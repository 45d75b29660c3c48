//! `tandian migrate`: applies the migrations that this version needs, and prints them. `--dry-run` prints what it would do.

use std::process::ExitCode;

use anyhow::anyhow;
use clap::ValueEnum;
use domain::SiteZone;
use jiff::{SignedDuration, Timestamp};
use storage::{Error, MigrationReport, SiteClock, StoredTimes};

use super::print::print;
use crate::data_dir::DataDir;
use crate::settings::Settings;
use crate::startup;

#[derive(Debug, clap::Args)]
pub(super) struct MigrateArgs {
    /// Print what would be done, with the number of rows, and change nothing
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    times: TimesArg,
}

/// Only a database of the original in another time zone than the site needs it.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct TimesArg {
    /// What the times of an adopted database are, if it runs in another time zone than the site
    #[arg(long, value_enum, value_name = "ZONE")]
    times: Option<Times>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Times {
    /// Clock times of the site, which shows them as they stand
    Site,
    /// Clock times in the database's own zone
    Database,
}

impl TimesArg {
    /// The offset is that of today.
    pub(super) fn clock(self, settings: &Settings) -> anyhow::Result<SiteClock> {
        let zone = SiteZone::named(&settings.site.time_zone)?;
        let offset = zone.offset_secs(Timestamp::now());
        Ok(SiteClock {
            utc_offset: SignedDuration::from_secs(i64::from(offset)),
            stored_times: self.times.map(|times| match times {
                Times::Site => StoredTimes::SiteZone,
                Times::Database => StoredTimes::DatabaseZone,
            }),
        })
    }
}

pub(super) async fn run(settings: Settings, args: MigrateArgs) -> anyhow::Result<ExitCode> {
    let clock = args.times.clock(&settings)?;
    DataDir::open(&settings.data_dir)?;
    let db = startup::connect_sql(&settings).await?;
    let report = if args.dry_run {
        db.plan_migration(clock).await
    } else {
        db.migrate_with(clock).await
    };
    let closed = db.close().await;
    let report = report.map_err(|error| explain(error, clock))?;
    closed?;
    print(&describe(&report, args.dry_run))?;
    Ok(ExitCode::SUCCESS)
}

fn describe(report: &MigrationReport, is_dry_run: bool) -> String {
    if report.is_empty() {
        return "The database is up to date.\n".to_owned();
    }
    let (verb, end) = match is_dry_run {
        true => ("Would apply", "Nothing was changed.\n"),
        false => ("Applied", ""),
    };
    let applied = report.applied.iter().map(|name| format!("{verb} {name}\n"));
    let changes = report.changes.iter().map(|change| format!("  {change}\n"));
    applied.chain(changes).chain([end.to_owned()]).collect()
}

/// Adds to a refusal to adopt what the operator can do about it.
pub(super) fn explain(error: Error, clock: SiteClock) -> anyhow::Error {
    let Error::ZoneUnclear { zones } = error else {
        return error.into();
    };
    let sample = zones.sample.map_or_else(String::new, |sample| {
        format!("; {} of one row is {} there", sample.column, sample.shown)
    });
    let (database, site) = (hours(zones.database_offset), hours(clock.utc_offset));
    let later = hours(clock.utc_offset - zones.database_offset);
    anyhow!(
        "the database runs in the time zone {}, which is {database}, and the site in {site}{sample}. \
         Say what its times are: `--times site`, for zones at most 12 hours apart, if they are clock times of the site \
         (the site shows them as they stand), or `--times database` if the database's zone is right (the site shows \
         them {later} later). Nothing was changed",
        zones.database_zone
    )
}

/// `+08:00`
fn hours(offset: SignedDuration) -> String {
    let sign = if offset.is_negative() { '-' } else { '+' };
    let minutes = offset.as_mins().abs();
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}
