//! One crowd against one version, for a reader who wants to see it: `lab crowd`.
//!
//! It writes a line of JSON per event, which the site reads (`crates/server/src/http/lab/crowd.rs`) and a person can read too.

use std::io::Write as _;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::catalogue::CatalogueEntry;
use crate::lab::Lab;
use crate::sale_outcome::SaleOutcome;

/// So many buyers, each of whom clicks twice, want so many units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crowd {
    pub buyers: u32,
    pub stock: u32,
}

/// Larger crowds take minutes with the slow versions and show nothing new.
pub(crate) const MAX_BUYERS: u32 = 20_000;

/// What a crowd writes.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "event")]
pub enum CrowdEvent {
    /// Redis and SQL are there; the sale begins.
    Started,
    /// So many clicks have a reply.
    #[serde(rename_all = "camelCase")]
    Served { clicks: u64 },
    #[serde(rename_all = "camelCase")]
    Done { verdict: SaleOutcome, per_sec: f64 },
}

impl Crowd {
    /// Refuses what cannot be served, before anything is started.
    pub fn check(self) -> Result<()> {
        ensure!(
            (1..=MAX_BUYERS).contains(&self.buyers),
            "there must be 1 to {MAX_BUYERS} buyers"
        );
        ensure!(
            (1..=self.buyers).contains(&self.stock),
            "there must be at least one unit, and no more units than buyers"
        );
        Ok(())
    }
}

/// Serves the crowd and writes its events to standard output.
pub async fn run_crowd(lab: &Lab, entry: &'static CatalogueEntry, crowd: Crowd) -> Result<()> {
    print(&CrowdEvent::Started)?;
    let progress = |clicks| {
        // A reader that is gone ends the process by itself.
        let _ = print(&CrowdEvent::Served { clicks });
    };
    let (verdict, per_sec) = lab.serve_crowd(entry, crowd, progress).await?;
    print(&CrowdEvent::Done {
        verdict,
        per_sec: per_sec.round(),
    })
}

fn print(event: &CrowdEvent) -> Result<()> {
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", serde_json::to_string(event)?)?;
    Ok(out.flush()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crowd_has_buyers_and_no_more_units_than_buyers() {
        let is_possible = |buyers, stock| Crowd { buyers, stock }.check().is_ok();
        assert!(is_possible(1, 1) && is_possible(MAX_BUYERS, 1));
        assert!(!is_possible(0, 0) && !is_possible(MAX_BUYERS + 1, 1));
        assert!(!is_possible(10, 0) && !is_possible(10, 11));
    }
}
