//! `tandian openapi`: the description of the HTTP API, as the running server gives it at `/openapi.json`.

use std::process::ExitCode;

use super::print::print;
use crate::http::openapi;

pub(super) fn run() -> anyhow::Result<ExitCode> {
    let mut text = openapi::document().to_pretty_json()?;
    text.push('\n');
    print(&text)?;
    Ok(ExitCode::SUCCESS)
}
