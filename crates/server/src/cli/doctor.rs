//! `tandian doctor`: the report of an examination; exits with 1 when something must be repaired.

use std::process::ExitCode;

use super::print::print;
use crate::doctor;
use crate::settings::{Effective, SettingsError};

pub(super) async fn run(settings: Result<Effective, SettingsError>) -> anyhow::Result<ExitCode> {
    let report = doctor::examine(settings).await;
    print(&report.to_string())?;
    Ok(if report.is_healthy() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
