//! Erases the accounts whose time is over: one process of the site at a time, under the lease of the retention worker.
//!
//! `storage::account_deletion` has the states. Each step is a small transaction, so a pass that dies is continued by the next
//! one, and a second process that is at it too does no harm. One account that fails blocks no other.

use std::time::Duration;

use domain::{Contact, Month, UserId};
use jiff::{Timestamp, ToSpan as _};
use kv::CHECK_INS_KEPT_MONTHS;
use storage::account_deletion::{
    self, AccountErased, DeletionState, EraseStep, ErasureBegun, take_step,
};
use storage::users;

use crate::{App, Error, notices};

/// Accounts of one state per pass; the next pass goes on.
const ACCOUNTS_PER_PASS: u32 = 1_000;

/// Things per batch: a fraction of a second of work.
const BATCH: u32 = 100;

/// The pause between two batches, for other writers.
const BATCH_PAUSE: Duration = Duration::from_millis(20);

/// The result of a pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ErasureReport {
    pub closed: u64,
    /// Open again, because money is open.
    pub reopened: u64,
    pub erased: u64,
}

/// Closes what is due at `now`, and erases what was closed long enough ago.
pub async fn erase_due(app: &App, now: Timestamp) -> Result<ErasureReport, Error> {
    let mut report = ErasureReport::default();
    let list = async |state, before| {
        account_deletion::list(app.db(), state, before, ACCOUNTS_PER_PASS).await
    };
    for user in list(DeletionState::Requested, now).await? {
        let closed = close(app, user, now).await;
        report.closed += u64::from(counted(user, closed));
    }
    let settled = now - app.rules().account.deletion_settle;
    for user in list(DeletionState::Closed, settled).await? {
        let reopened = begin(app, user, now).await;
        report.reopened += u64::from(counted(user, reopened));
    }
    for user in list(DeletionState::Erasing, Timestamp::MAX).await? {
        let erased = erase(app, user, now).await;
        report.erased += u64::from(counted(user, erased));
    }
    if report != ErasureReport::default() {
        let ErasureReport {
            closed,
            reopened,
            erased,
        } = report;
        tracing::info!(closed, reopened, erased, "accounts deleted");
    }
    Ok(report)
}

/// Clears what Redis still has of an erased account. Idempotent.
pub(crate) async fn apply_erasure(app: &App, erased: &AccountErased) -> Result<(), Error> {
    let user = erased.id;
    app.sessions().end_all(user).await?;
    let newest = app.rules().zone.date(Timestamp::now());
    let months: Vec<Month> = (0..=CHECK_INS_KEPT_MONTHS)
        .filter_map(|back| newest.checked_sub(i64::try_from(back).ok()?.months()).ok())
        .map(Month::of)
        .collect();
    app.kv().forget_check_ins(user, &months).await?;
    app.kv().forget_own_likes(&[user]).await?;
    app.kv().forget_follows(&[user]).await?;
    Ok(app.kv().forget_feeds(&[user]).await?)
}

/// Whether it happened; a failure is left to the next pass.
fn counted(user: UserId, outcome: Result<bool, Error>) -> bool {
    outcome.unwrap_or_else(|error| {
        let error = &error as &dyn std::error::Error;
        tracing::warn!(%user, error, "account erasure failed, the next pass continues");
        false
    })
}

async fn close(app: &App, user: UserId, now: Timestamp) -> Result<bool, Error> {
    let is_closed = account_deletion::close(app.db(), user, now).await?;
    if is_closed {
        app.outbox().wake();
        app.sessions().end_all(user).await?;
    }
    Ok(is_closed)
}

/// Returns whether the account is open again. The devices go while the contact that names them is still known.
async fn begin(app: &App, user: UserId, now: Timestamp) -> Result<bool, Error> {
    if let Some(user) = users::get(app.db(), user).await? {
        let contacts = [user.phone.map(Contact::from), user.email.map(Contact::from)];
        for contact in contacts.into_iter().flatten() {
            app.kv().forget_devices(&contact).await?;
        }
    }
    let begun = account_deletion::begin_erasure(app.db(), user, now).await?;
    app.outbox().wake();
    if matches!(begun, ErasureBegun::Stopped(_)) {
        notices::notify(app, &[user]).await;
        return Ok(true);
    }
    Ok(false)
}

async fn erase(app: &App, user: UserId, now: Timestamp) -> Result<bool, Error> {
    for step in EraseStep::ALL {
        while take_step(app.db(), user, step, BATCH).await? > 0 {
            app.outbox().wake();
            tokio::time::sleep(BATCH_PAUSE).await;
        }
    }
    let is_erased = account_deletion::finish(app.db(), user, now).await?;
    app.outbox().wake();
    Ok(is_erased)
}
