//! `kill -9` at every step, of a purchase and of the worker; then a restart, and the buyer retries.

use anyhow::Result;

use super::{Hunt, MAX_STEPS, go_to_step};
use crate::attack_run::{AttackRun, Call, RunSetup, SHORT_MS};
use crate::catalogue::CatalogueEntry;
use crate::protocol::WORKER;
use crate::services::{Services, VersionDatabase};

const CAST: RunSetup = RunSetup::of(&[SHORT_MS]);

const STOCK: usize = 2;
const A: i64 = 1;

const WORKER_CALL: Call = Call {
    process: 0,
    number: WORKER,
};

/// At every step of a purchase, and while the worker is processing an order.
pub(super) async fn kill(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, CAST).await?;
    for steps in 0..MAX_STEPS {
        run.publish(STOCK).await?;
        if go_to_step(&mut run, 0, A, steps).await?.is_none() {
            break;
        }
        run.kill_and_restart(0).await?;
        run.insist(0, A).await?;
        if hunt.judge(&mut run, 0).await? {
            return Ok(());
        }
    }
    if entry.has_worker() {
        kill_worker(&mut run, hunt, KillPoint::Delivered).await?;
    }
    Ok(())
}

/// When SQL has the order and its message is not acknowledged.
pub(super) async fn redeliver(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, CAST).await?;
    kill_worker(&mut run, hunt, KillPoint::Recorded).await
}

/// When the worker is killed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum KillPoint {
    /// It has taken an order: its first step.
    Delivered,
    /// SQL has the order, and its message is not acknowledged yet: its second step.
    Recorded,
}

/// Kills the process while its worker has A's order.
async fn kill_worker(run: &mut AttackRun<'_>, hunt: &mut Hunt, moment: KillPoint) -> Result<()> {
    run.publish(STOCK).await?;
    run.hold_worker(0).await?;
    run.insist(0, A).await?;
    run.wait_for(WORKER_CALL).await?;
    if moment == KillPoint::Recorded {
        run.advance(WORKER_CALL).await?;
    }
    run.kill_and_restart(0).await?;
    hunt.judge(run, 0).await?;
    Ok(())
}
