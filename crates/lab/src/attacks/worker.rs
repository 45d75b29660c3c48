//! The process whose worker is processing an order is paused; others continue, and take over where the version allows it.
//!
//! Where one worker writes at a time, by a lease, the paused one resumes after another worker took the lease, with an
//! order that the other has recorded.

use anyhow::Result;

use super::Hunt;
use crate::attack_run::{AttackRun, Call, LONG_MS, RunSetup};
use crate::catalogue::{CatalogueEntry, VersionKind};
use crate::protocol::WORKER;
use crate::services::{Services, VersionDatabase};

const CAST: RunSetup = RunSetup::of(&[LONG_MS, LONG_MS]);

const STOCK: usize = 2;

const A: i64 = 1;
const B: i64 = 2;

/// Before the order is recorded, and after it, where the worker has an acknowledgement to send then.
pub(super) async fn pause(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, CAST).await?;
    let moments = match entry.kind {
        VersionKind::Queue => 1,
        _ => 2,
    };
    for steps in 0..moments {
        run.publish(STOCK).await?;
        overtake(&mut run, entry, steps).await?;
        if hunt.judge(&mut run, 0).await? {
            break;
        }
    }
    Ok(())
}

async fn overtake(run: &mut AttackRun<'_>, entry: &CatalogueEntry, steps: usize) -> Result<()> {
    for process in 0..CAST.leases.len() {
        run.hold_worker(process).await?;
    }
    run.insist(0, A).await?;
    let worker = run.wait_for_worker().await?;
    for _ in 0..steps {
        run.advance(worker).await?;
    }
    let other = 1 - worker.process;
    run.stop(worker.process).await?;
    if entry.kind == VersionKind::LeasedQueue {
        let successor = Call {
            process: other,
            number: WORKER,
        };
        run.wait_for(successor).await?;
    }
    run.release_worker(other).await?;
    run.insist(other, B).await?;
    run.resume(worker.process).await?;
    run.release_worker(worker.process).await
}
