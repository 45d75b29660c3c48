//! The process whose worker has an order in hand stands still; others go on, and take over if that is how it works.
//!
//! Where one worker sits at a time, by a lease, the one who was stopped wakes up in a seat that is another's, with an
//! order in hand that the other has recorded.

use anyhow::Result;

use super::Hunt;
use crate::catalogue::{Entry, Kind};
use crate::ground::{Database, Ground};
use crate::scene::{Call, Cast, LONG_MS, Scene};
use crate::wire::WORKER;

const CAST: Cast = Cast::of(&[LONG_MS, LONG_MS]);

const STOCK: usize = 2;

const A: i64 = 1;
const B: i64 = 2;

/// Before the order is recorded, and after, where the worker has something to say about it then.
pub(super) async fn pause(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut scene = Scene::open(ground, entry, database, CAST).await?;
    let moments = match entry.kind {
        Kind::Queue => 1,
        _ => 2,
    };
    for steps in 0..moments {
        scene.publish(STOCK).await?;
        overtake(&mut scene, entry, steps).await?;
        if hunt.judge(&mut scene, 0).await? {
            break;
        }
    }
    Ok(())
}

async fn overtake(scene: &mut Scene<'_>, entry: &Entry, steps: usize) -> Result<()> {
    for branch in 0..CAST.leases.len() {
        scene.hold_worker(branch).await?;
    }
    scene.insist(0, A).await?;
    let worker = scene.wait_for_worker().await?;
    for _ in 0..steps {
        scene.advance(worker).await?;
    }
    let other = 1 - worker.branch;
    scene.stop(worker.branch).await?;
    if entry.kind == Kind::SeatedQueue {
        let successor = Call {
            branch: other,
            number: WORKER,
        };
        scene.wait_for(successor).await?;
    }
    scene.release_worker(other).await?;
    scene.insist(other, B).await?;
    scene.resume(worker.branch)?;
    scene.release_worker(worker.branch).await
}
