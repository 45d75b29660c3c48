//! `tandian migrate`: applies the migrations that this version needs, and prints them.

use std::process::ExitCode;

use storage::MigrationReport;

use super::print::print;
use crate::data_dir::DataDir;
use crate::settings::Settings;
use crate::startup;

pub(super) async fn run(settings: Settings) -> anyhow::Result<ExitCode> {
    DataDir::open(&settings.data_dir)?;
    let db = startup::connect_sql(&settings).await?;
    let report = db.migrate().await?;
    db.close().await?;
    print(&describe(&report))?;
    Ok(ExitCode::SUCCESS)
}

fn describe(report: &MigrationReport) -> String {
    if report.is_empty() {
        return "The database is up to date.\n".to_owned();
    }
    let applied = report
        .applied
        .iter()
        .map(|name| format!("Applied {name}\n"));
    let changes = report.changes.iter().map(|change| format!("  {change}\n"));
    applied.chain(changes).collect()
}
