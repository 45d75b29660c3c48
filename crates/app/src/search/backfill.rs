//! Fills the index of the search with what was there before it, in the background.
//!
//! It needs no lease: the mark that says how far it came is locked by each batch (`storage::search`), so processes that do
//! this at once take turns, and a site at rest asks nobody.

use std::time::{Duration, Instant};

use storage::search::{self, Backfill, SearchKind};
use tokio_util::sync::CancellationToken;

use crate::{App, Error, OnProgress, Progress};

/// After a failure.
const RETRY_AFTER: Duration = Duration::from_secs(30);

/// How often a long run says how far it is.
const REPORT_EVERY: Duration = Duration::from_secs(60);

/// The shortest pause after a batch. A longer batch is followed by a pause of its own length, so that other writers have
/// half of the time at least.
const PAUSE_MIN: Duration = Duration::from_millis(20);

/// Indexes until nothing is left, then waits for shutdown: new rows index themselves.
pub async fn run_backfill(app: App, stop: CancellationToken) {
    stop.run_until_cancelled(fill_all(&app)).await;
    stop.cancelled().await;
}

async fn fill_all(app: &App) {
    for kind in SearchKind::ALL {
        while let Err(error) = fill(app, kind).await {
            report(kind, &error);
            tokio::time::sleep(RETRY_AFTER).await;
        }
    }
}

fn report(kind: SearchKind, error: &Error) {
    let (error, kind) = (error as &dyn std::error::Error, kind.name());
    tracing::warn!(error, kind, "search index not filled, retrying");
}

async fn fill(app: &App, kind: SearchKind) -> Result<(), Error> {
    let (mut done, mut reported) = (0, Instant::now());
    loop {
        let begun = Instant::now();
        let step = search::index_next(app.db(), kind).await?;
        done += step.rows;
        let Backfill::Below(left_below) = step.state else {
            break;
        };
        if reported.elapsed() >= REPORT_EVERY {
            reported = Instant::now();
            let kind = kind.name();
            tracing::info!(kind, done, left_below, "search index being filled");
        }
        tokio::time::sleep(begun.elapsed().max(PAUSE_MIN)).await;
    }
    if done > 0 {
        tracing::info!(kind = kind.name(), done, "search index filled");
    }
    Ok(())
}

/// Indexes all rows of a kind once more, for `rebuild`.
pub async fn index_all(app: &App, kind: SearchKind, progress: OnProgress<'_>) -> Result<(), Error> {
    search::restart(app.db(), kind).await?;
    let mut done = 0;
    loop {
        let step = search::index_next(app.db(), kind).await?;
        done += step.rows;
        progress(Progress {
            what: "texts for the search",
            done,
            total: done,
        });
        if step.state == Backfill::Done {
            return Ok(());
        }
    }
}
