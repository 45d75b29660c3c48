//! `kill -9` at every step, of a purchase and of the worker; then a restart, and the buyer asks again.

use anyhow::Result;

use super::{Hunt, MAX_STEPS, go_to_step};
use crate::catalogue::Entry;
use crate::ground::{Database, Ground};
use crate::scene::{Call, Cast, SHORT_MS, Scene};
use crate::wire::WORKER;

const CAST: Cast = Cast::of(&[SHORT_MS]);

const STOCK: usize = 2;
const A: i64 = 1;

const WORKER_CALL: Call = Call {
    branch: 0,
    number: WORKER,
};

/// At every step of a purchase, and when the worker has an order in hand.
pub(super) async fn kill(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut scene = Scene::open(ground, entry, database, CAST).await?;
    for steps in 0..MAX_STEPS {
        scene.publish(STOCK).await?;
        if go_to_step(&mut scene, 0, A, steps).await?.is_none() {
            break;
        }
        scene.kill_and_restart(0).await?;
        scene.insist(0, A).await?;
        if hunt.judge(&mut scene, 0).await? {
            return Ok(());
        }
    }
    if entry.has_worker() {
        kill_worker(&mut scene, hunt, Moment::InHand).await?;
    }
    Ok(())
}

/// When SQL has the order and the queue does not know it.
pub(super) async fn redeliver(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut scene = Scene::open(ground, entry, database, CAST).await?;
    kill_worker(&mut scene, hunt, Moment::Recorded).await
}

/// When the worker is killed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Moment {
    /// It has taken an order: its first step.
    InHand,
    /// SQL has the order, and the queue does not know it yet: its second step.
    Recorded,
}

/// Kills the process while its worker has A's order.
async fn kill_worker(scene: &mut Scene<'_>, hunt: &mut Hunt, moment: Moment) -> Result<()> {
    scene.publish(STOCK).await?;
    scene.hold_worker(0).await?;
    scene.insist(0, A).await?;
    scene.wait_for(WORKER_CALL).await?;
    if moment == Moment::Recorded {
        scene.advance(WORKER_CALL).await?;
    }
    scene.kill_and_restart(0).await?;
    hunt.judge(scene, 0).await?;
    Ok(())
}
