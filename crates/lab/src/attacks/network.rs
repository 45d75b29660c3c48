//! Faults of the network and the servers: lost replies, a master that dies.

use anyhow::Result;

use super::{Hunt, MAX_STEPS, go_to_step};
use crate::attack_run::{AttackRun, Call, CallState, LONG_MS, RunSetup};
use crate::catalogue::{CatalogueEntry, VersionKind};
use crate::services::{Services, VersionDatabase};
use crate::version::PurchaseReply;

const ONE_PROCESS: RunSetup = RunSetup::of(&[LONG_MS]);

const WITH_REPLICA: RunSetup = RunSetup::of(&[LONG_MS, LONG_MS]).with_replica();

const WITH_SQL_LINE: RunSetup = ONE_PROCESS.with_sql_line();

/// More statements than any purchase and its recording take.
const MAX_STATEMENTS: usize = 12;

const STOCK: usize = 2;

const A: i64 = 1;
const B: i64 = 2;

/// At each step of A the next reply of Redis is dropped; A retries until there is a reply.
pub(super) async fn lose_replies(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, ONE_PROCESS).await?;
    for steps in 0..MAX_STEPS {
        run.publish(STOCK).await?;
        let Some(call) = go_to_step(&mut run, 0, A, steps).await? else {
            return Ok(());
        };
        run.lose_next_reply().await;
        let answer = run.finish(call).await?;
        run.restore_connections().await;
        if !matches!(answer, PurchaseReply::Ordered(_)) {
            run.insist(0, A).await?;
        }
        if hunt.judge(&mut run, 0).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// SQL's reply to each statement in turn is dropped, including the commit; A retries if the outcome is unknown.
pub(super) async fn lose_sql_replies(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, WITH_SQL_LINE).await?;
    for answered in 0..MAX_STATEMENTS {
        run.publish(STOCK).await?;
        run.lose_sql_reply_after(answered)?;
        let call = run.begin(0, A, true).await?;
        let answer = run.finish(call).await?;
        // A worker records orders within this time.
        run.settle().await?;
        let is_lost = run.restore_sql()?;
        if !matches!(answer, PurchaseReply::Ordered(_)) {
            run.insist(0, A).await?;
        }
        let has_done_harm = hunt.judge(&mut run, 0).await?;
        if has_done_harm || !is_lost {
            return Ok(());
        }
    }
    Ok(())
}

/// The replica lags, the master dies, the replica takes over.
pub(super) async fn fail_over(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, WITH_REPLICA).await?;
    match entry.kind {
        VersionKind::Lock => forget_lock(&mut run).await?,
        _ => forget_order(&mut run).await?,
    }
    hunt.judge(&mut run, 0).await?;
    Ok(())
}

/// A holds the lock and has read the last unit when Redis loses the lock. B buys.
async fn forget_lock(run: &mut AttackRun<'_>) -> Result<()> {
    run.publish(1).await?;
    run.let_replica_lag().await;
    let a = run.begin(0, A, true).await?;
    run.fail_over().await?;
    let b = begin_anew(run, 1, B).await?;
    run.finish(a).await?;
    run.finish(b).await?;
    Ok(())
}

/// A has an order in flight when Redis loses it. A clicks again.
async fn forget_order(run: &mut AttackRun<'_>) -> Result<()> {
    run.publish(STOCK).await?;
    for process in 0..WITH_REPLICA.leases.len() {
        run.hold_worker(process).await?;
    }
    run.let_replica_lag().await;
    let a = run.begin(0, A, false).await?;
    run.finish(a).await?;
    run.fail_over().await?;
    for process in 0..WITH_REPLICA.leases.len() {
        run.release_worker(process).await?;
    }
    run.insist(0, A).await?;
    Ok(())
}

/// Runs a call as far as possible; restarts it while connections are still being re-established.
async fn begin_anew(run: &mut AttackRun<'_>, process: usize, buyer: i64) -> Result<Call> {
    loop {
        let call = run.begin(process, buyer, true).await?;
        if run.push(call).await? != CallState::Done(PurchaseReply::Failed) {
            return Ok(call);
        }
    }
}
