//! `wrk`, a load generator that is none of ours: what it measures keeps our own client honest.
//!
//! It sends one claim per person by a script. Of a reply it sees the status alone, so what was granted is looked for in SQL.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;
use tempfile::TempDir;
use tokio::process::Command;

const SCRIPT: &str = include_str!("wrk.lua");

/// The people in front of a site, prepared for `wrk`.
#[derive(Debug)]
pub(crate) struct Wrk {
    folder: TempDir,
}

/// What it printed.
#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct WrkReport {
    /// Replies that were complete when the time was over.
    pub(crate) complete: u64,
    /// How long it took, in microseconds.
    pub(crate) took_us: f64,
    /// Replies with a status of 400 and above, and connections that failed.
    pub(crate) failed: u64,
    pub(crate) p99_us: f64,
}

impl Wrk {
    pub(crate) fn new(tokens: &[String]) -> Result<Self> {
        let folder = tempfile::tempdir()?;
        std::fs::write(folder.path().join("claim.lua"), SCRIPT)?;
        std::fs::write(folder.path().join("tokens"), tokens.join("\n"))?;
        Ok(Self { folder })
    }

    /// Everybody's one claim, from so many connections of one thread, for so long as there are people.
    pub(crate) async fn claim(
        &self,
        address: SocketAddr,
        path: &str,
        connections: usize,
        window: Duration,
    ) -> Result<WrkReport> {
        let output = Command::new("wrk")
            .current_dir(self.folder.path())
            .args(["-t", "1", "-c", &connections.to_string()])
            .args(["-d", &format!("{}s", window.as_secs().max(1))])
            .args(["-s", "claim.lua", &format!("http://{address}{path}")])
            .args(["--", "tokens", path])
            .output()
            .await
            .context("wrk cannot be started: scripts/ensure-tools wrk installs it")?;
        let text = String::from_utf8_lossy(&output.stdout);
        let line = text.lines().find(|line| line.starts_with('{'));
        let line = line.with_context(|| {
            let errors = String::from_utf8_lossy(&output.stderr);
            format!("wrk printed something else: {text}{errors}")
        })?;
        let report: WrkReport = serde_json::from_str(line)?;
        ensure!(report.failed == 0, "wrk saw {} failures", report.failed);
        Ok(report)
    }
}

impl WrkReport {
    pub(crate) fn per_sec(&self) -> f64 {
        self.complete as f64 / (self.took_us / 1e6)
    }
}
