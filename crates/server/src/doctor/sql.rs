//! Checks the database: reachable, of a known version, migrated, in the site's time zone if it is to be adopted.

use domain::SiteZone;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use storage::{Backend, Db};

use super::Finding;
use crate::settings::Settings;
use crate::startup;

pub(super) async fn examine(settings: &Settings) -> Vec<Finding> {
    let db = match startup::connect_sql(settings).await {
        Ok(db) => db,
        Err(error) => {
            let advice = "start it, or correct TANDIAN_DATABASE__URL";
            return vec![Finding::problem(format!("{error:#}"), advice)];
        }
    };
    let mut findings = vec![version(&db).await, migrations(&db).await];
    findings.extend(zones(settings, &db).await);
    // This command only read: the end of the process cleans up what a failed close leaves.
    let _ = db.close().await;
    findings
}

async fn version(db: &Db) -> Finding {
    let name = match db.backend() {
        Backend::Sqlite => "SQLite",
        Backend::MySql => "SQL server",
    };
    match db.version().await {
        Ok(version) => Finding::ok(format!("{name} {version}")),
        Err(error) => Finding::problem(format!("{name} does not answer"), error.to_string()),
    }
}

async fn migrations(db: &Db) -> Finding {
    match db.pending_migrations().await {
        Ok(pending) if pending.is_empty() => Finding::ok("the database is up to date"),
        Ok(pending) => Finding::warning(
            format!("the database lacks {} migration(s)", pending.len()),
            "run `tandian migrate` (with SQLite, `tandian serve` does it)",
        ),
        Err(error) => Finding::problem(
            "the migrations of the database cannot be read",
            error.to_string(),
        ),
    }
}

/// The times of this version's tables are in UTC, whatever the server's zone. Those of the original are not.
async fn zones(settings: &Settings, db: &Db) -> Option<Finding> {
    let site = &settings.site.time_zone;
    let offset = SiteZone::named(site).ok()?.offset_secs(Timestamp::now());
    let offset = SignedDuration::from_secs(i64::from(offset));
    let zones = match db.compare_zones().await {
        Ok(zones) => zones?,
        Err(error) => {
            let text = "the time zone of the database cannot be read";
            return Some(Finding::warning(text, error.to_string()));
        }
    };
    let zone = &zones.database_zone;
    let machine = TimeZone::system();
    let machine = machine.iana_name().unwrap_or("unknown");
    let text = format!("time zones: database {zone}, site {site}, this machine {machine}");
    Some(if zones.database_offset == offset {
        Finding::ok(text)
    } else {
        Finding::warning(
            text,
            "the database is to be adopted: `tandian adopt` asks what its times are",
        )
    })
}
