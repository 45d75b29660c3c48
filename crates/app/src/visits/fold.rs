//! Days that are over, written to SQL: by one process of the site at a time, as often as it takes.
//!
//! Folding sets totals and never adds, so it may be cut off anywhere and repeated. A day stays on the list of open ones
//! until SQL has all of it; a site that was down for a month catches up when it comes back.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use kv::DayMark;
use storage::visits::{self, Visit};
use tokio_util::sync::CancellationToken;

use crate::{App, Error};

/// How often it is looked whether there is anything to fold.
const FOLD_EVERY: Duration = Duration::from_secs(60);
/// What processes saw before midnight is in Redis by then. A batch that is later still opens its day again.
const SETTLING: Duration = Duration::from_secs(120);
/// The lock of the process that folds.
const LOCK: &str = "visits:fold";

/// Folds whatever is over until `stop` fires. Errors are logged, and the next round tries again.
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

/// Leaves the work to whoever is doing it already. Losing the lock on the way is no harm: the work can be repeated.
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

/// Writes every open day that ended before `now` to SQL and says how many there were.
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

/// The mark was read before the figures: if it has moved since, the day stays open for the next round.
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
