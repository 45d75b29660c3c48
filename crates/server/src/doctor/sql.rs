//! Checks the database: reachable, of a known version, migrated.

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
    let findings = vec![version(&db).await, migrations(&db).await];
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
