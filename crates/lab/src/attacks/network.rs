//! What the network and the servers do: answers that are lost, a master that dies.

use anyhow::Result;

use super::{Hunt, MAX_STEPS, go_to_step};
use crate::catalogue::{Entry, Kind};
use crate::ground::{Database, Ground};
use crate::scene::{Call, Cast, LONG_MS, Scene, State};
use crate::version::Answer;

const ONE_PROCESS: Cast = Cast::of(&[LONG_MS]);

const WITH_REPLICA: Cast = Cast::of(&[LONG_MS, LONG_MS]).with_replica();

const WITH_SQL_LINE: Cast = ONE_PROCESS.with_sql_line();

/// More statements than any purchase and its recording take.
const MAX_STATEMENTS: usize = 12;

const STOCK: usize = 2;

const A: i64 = 1;
const B: i64 = 2;

/// At each step of A the next answer of Redis is swallowed; A asks again until there is an answer.
pub(super) async fn lose_replies(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut scene = Scene::open(ground, entry, database, ONE_PROCESS).await?;
    for steps in 0..MAX_STEPS {
        scene.publish(STOCK).await?;
        let Some(call) = go_to_step(&mut scene, 0, A, steps).await? else {
            return Ok(());
        };
        scene.lose_next_reply().await;
        let answer = scene.finish(call).await?;
        scene.restore_connections().await;
        if !matches!(answer, Answer::Ordered(_)) {
            scene.insist(0, A).await?;
        }
        if hunt.judge(&mut scene, 0).await? {
            return Ok(());
        }
    }
    Ok(())
}

/// SQL's answer to each statement in turn is swallowed, that to the commit among them; A asks again if in doubt.
pub(super) async fn lose_sql_replies(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut scene = Scene::open(ground, entry, database, WITH_SQL_LINE).await?;
    for answered in 0..MAX_STATEMENTS {
        scene.publish(STOCK).await?;
        scene.lose_sql_reply_after(answered)?;
        let call = scene.begin(0, A, true).await?;
        let answer = scene.finish(call).await?;
        // Whoever records orders for others does it in this time.
        scene.settle().await?;
        let is_lost = scene.restore_sql()?;
        if !matches!(answer, Answer::Ordered(_)) {
            scene.insist(0, A).await?;
        }
        let has_done_harm = hunt.judge(&mut scene, 0).await?;
        if has_done_harm || !is_lost {
            return Ok(());
        }
    }
    Ok(())
}

/// The replica lags, the master dies, the replica takes over.
pub(super) async fn fail_over(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut scene = Scene::open(ground, entry, database, WITH_REPLICA).await?;
    match entry.kind {
        Kind::Lock => forget_lock(&mut scene).await?,
        _ => forget_order(&mut scene).await?,
    }
    hunt.judge(&mut scene, 0).await?;
    Ok(())
}

/// A holds the lock and has read the last piece when Redis forgets the lock. B comes.
async fn forget_lock(scene: &mut Scene<'_>) -> Result<()> {
    scene.publish(1).await?;
    scene.let_replica_lag().await;
    let a = scene.begin(0, A, true).await?;
    scene.fail_over().await?;
    let b = begin_anew(scene, 1, B).await?;
    scene.finish(a).await?;
    scene.finish(b).await?;
    Ok(())
}

/// A has an order that is on its way when Redis forgets it. A clicks again.
async fn forget_order(scene: &mut Scene<'_>) -> Result<()> {
    scene.publish(STOCK).await?;
    for branch in 0..WITH_REPLICA.leases.len() {
        scene.hold_worker(branch).await?;
    }
    scene.let_replica_lag().await;
    let a = scene.begin(0, A, false).await?;
    scene.finish(a).await?;
    scene.fail_over().await?;
    for branch in 0..WITH_REPLICA.leases.len() {
        scene.release_worker(branch).await?;
    }
    scene.insist(0, A).await?;
    Ok(())
}

/// A call that goes as far as it can; begun again while connections are still being mended.
async fn begin_anew(scene: &mut Scene<'_>, branch: usize, buyer: i64) -> Result<Call> {
    loop {
        let call = scene.begin(branch, buyer, true).await?;
        if scene.push(call).await? != State::Done(Answer::Failed) {
            return Ok(call);
        }
    }
}
