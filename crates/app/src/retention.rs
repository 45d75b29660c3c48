//! Deletes or archives old rows, and erases accounts whose owners wanted that: one process of the site at a time.
//!
//! A pass processes everything due in small batches with a pause in between, so that other writers are not blocked:
//! SQLite has one writer. The next pass continues what an outage or a lost lease left undone. `storage::retention`
//! names what bounds each table.

use std::convert::Infallible;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use storage::archive::{self, Archived};
use storage::retention::{RetentionTarget, days_before, delete_old};
use storage::{Db, accounts};
use tokio_util::sync::CancellationToken;

use crate::lease::WorkLease;
use crate::{App, Error, OnProgress, Progress, account};

const LEASE: WorkLease = WorkLease::named("retention");

/// The pause between two batches, for other writers.
const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// The age from which ledger entries are folded into the running sums: no transaction takes this long, so no entry
/// can appear below them.
const SETTLED_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// Retention periods in days; checked by the settings.
#[derive(Clone, Debug)]
pub struct RetentionRules {
    pub every: Duration,
    /// Rows per transaction.
    pub batch: u32,
    pub notices_days: u32,
    pub visits_days: u32,
    pub audit_days: u32,
    pub check_ins_days: u32,
    pub dead_orders_days: u32,
    pub id_marks_days: u32,
    pub orders_days: u32,
}

/// The result of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RetentionReport {
    pub removed: u64,
    pub archived: Archived,
}

impl RetentionRules {
    pub(crate) fn days_of(&self, what: RetentionTarget) -> u32 {
        match what {
            RetentionTarget::Notices => self.notices_days,
            RetentionTarget::Visits => self.visits_days,
            RetentionTarget::Audit => self.audit_days,
            RetentionTarget::CheckIns => self.check_ins_days,
            RetentionTarget::DeadLetteredOrders => self.dead_orders_days,
            RetentionTarget::IdMarks => self.id_marks_days,
        }
    }
}

/// Runs passes until shutdown while this process holds the lease.
pub async fn run_retention(app: App, stop: CancellationToken) {
    LEASE.run(&app, &stop, || Box::pin(run_forever(&app))).await;
}

async fn run_forever(app: &App) -> Infallible {
    loop {
        match pass(app.db(), app.retention(), Timestamp::now()).await {
            Ok(report) => log_report(&report),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "retention pass failed, the next pass continues");
            }
        }
        if let Err(error) = account::erase_due(app, Timestamp::now()).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(
                error,
                "accounts to erase not listed, the next pass continues"
            );
        }
        tokio::time::sleep(app.retention().every).await;
    }
}

/// Deletes and archives everything due at `now`.
pub async fn pass(
    db: &Db,
    rules: &RetentionRules,
    now: Timestamp,
) -> Result<RetentionReport, Error> {
    let before = days_before(now, rules.orders_days);
    let archived = archive(db, rules, now, before, &mut |_| ()).await?;
    let mut removed = 0;
    for what in RetentionTarget::ALL {
        removed += remove(db, rules, what, now).await?;
    }
    Ok(RetentionReport { removed, archived })
}

/// Archives orders and top-ups that ended before `before`, after folding their entries into the running sums. Reports
/// the archived orders after every batch.
pub async fn archive(
    db: &Db,
    rules: &RetentionRules,
    now: Timestamp,
    before: Timestamp,
    progress: OnProgress<'_>,
) -> Result<Archived, Error> {
    let settled = now - SETTLED_AFTER;
    while accounts::fold_entries(db, settled, rules.batch).await? > 0 {
        tokio::time::sleep(BATCH_PAUSE).await;
    }
    let mut all = Archived::default();
    loop {
        let orders = archive::archive_orders(db, before, rules.batch).await?;
        let top_ups = archive::archive_top_ups(db, before, rules.batch).await?;
        let moved = orders.and(top_ups);
        if moved == Archived::default() {
            break;
        }
        metrics::counter!("tandian_retention_archived_orders_total").increment(moved.orders);
        all = all.and(moved);
        progress(Progress {
            what: "orders",
            done: all.orders,
            total: all.orders,
        });
        tokio::time::sleep(BATCH_PAUSE).await;
    }
    Ok(all)
}

async fn remove(
    db: &Db,
    rules: &RetentionRules,
    what: RetentionTarget,
    now: Timestamp,
) -> Result<u64, Error> {
    let before = days_before(now, rules.days_of(what));
    let mut removed = 0;
    loop {
        let gone = delete_old(db, what, before, rules.batch).await?;
        if gone == 0 {
            return Ok(removed);
        }
        metrics::counter!("tandian_retention_removed_total", "table" => what.table())
            .increment(gone);
        removed += gone;
        tokio::time::sleep(BATCH_PAUSE).await;
    }
}

fn log_report(report: &RetentionReport) {
    if *report != RetentionReport::default() {
        let RetentionReport { removed, archived } = report;
        tracing::info!(
            removed,
            orders = archived.orders,
            payments = archived.payments,
            entries = archived.entries,
            "old rows removed and archived"
        );
    }
}
