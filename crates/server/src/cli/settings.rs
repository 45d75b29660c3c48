//! `tandian settings`: what is in force, from where, and no secrets.

use std::process::ExitCode;

use super::print::print;
use crate::settings::Effective;

pub(super) fn run(effective: &Effective) -> anyhow::Result<ExitCode> {
    print(&effective.print())?;
    Ok(ExitCode::SUCCESS)
}
