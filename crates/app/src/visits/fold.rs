//! Folds finished days into SQL: one process of the site at a time.
//!
//! Folding sets totals instead of adding, so it is idempotent. A day stays open until SQL has all of it; a site that
//! was down for a month catches up.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use kv::DayMark;
use storage::visits::{self, Visit};
use tokio_util::sync::CancellationToken;

use crate::{App, Error};

/// How often finished days are looked for.
const FOLD_EVERY: Duration = Duration::from_secs(60);
/// The delay after midnight, by which all views of the day are in Redis. A later batch reopens its day.
const SETTLING: Duration = Duration::from_secs(120);
/// The lock of the folding process.
const LOCK: &str = "visits:fold";

/// Folds finished days until `stop` fires. Errors are logged and retried in the next round.
pub async fn run_folding(app: App, stop: CancellationToken) {
    loop {
        tokio::select! {
            folded = fold_alone(&app) => report(folded),
            () = stop.cancelled() => return,
        }
        tokio::select! {
            () = tokio::time::sleep(FOLD_EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// Skips the work if another process holds the lock. Losing the lock is harmless: folding is idempotent.
async fn fold_alone(app: &App) -> Result<usize, Error> {
    let Some(guard) = app.locks().mutex(LOCK).try_lock().await? else {
        return Ok(0);
    };
    guard
        .protect(fold_finished_days(app, Timestamp::now()))
        .await?
}

fn report(folded: Result<usize, Error>) {
    match folded {
        Ok(0) => {}
        Ok(days) => tracing::info!(days, "visits folded into SQL"),
        Err(error) => {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(error, "visit fold failed, retrying");
        }
    }
}

/// Folds every open day that ended before `now` and returns their number.
pub async fn fold_finished_days(app: &App, now: Timestamp) -> Result<usize, Error> {
    let settled = now.saturating_sub(SETTLING);
    let settled = settled.expect("seconds need no calendar");
    let today = app.rules().zone.date(settled);
    let mut folded = 0;
    for (day, mark) in app.kv().list_open_visit_days().await? {
        if day < today {
            fold_day(app, day, &mark).await?;
            folded += 1;
        }
    }
    Ok(folded)
}

/// The mark was read before the figures: if it changed since, the day stays open for the next round.
async fn fold_day(app: &App, day: Date, mark: &DayMark) -> Result<(), Error> {
    let mut cursor = Some(0);
    while let Some(from) = cursor {
        let some = app.kv().scan_visited_pages(day, from).await?;
        visits::fold(app.db(), &read_pages(app, day, some.pages).await?).await?;
        cursor = some.next;
    }
    app.kv().close_visit_day(day, mark).await?;
    Ok(())
}

async fn read_pages(app: &App, day: Date, pages: Vec<String>) -> Result<Vec<Visit>, Error> {
    let places: Vec<(Date, &str)> = pages.iter().map(|page| (day, page.as_str())).collect();
    let totals = app.kv().get_visits(&places).await?;
    let visits = pages.into_iter().zip(totals).map(|(page, totals)| Visit {
        day,
        page,
        uv: totals.uv,
        pv: totals.pv,
    });
    Ok(visits.collect())
}
