//! A process stands still for longer than its lease.
//!
//! Three buyers, two units. A stops at one of its steps in the first process, which is then stopped as a whole
//! (SIGSTOP), so that no watchdog runs. B, in the second process, waits until the lease is over and goes as far as one
//! of its own steps. Then A goes on to its end, C comes, and B ends. All pairs of steps are tried.

use anyhow::Result;

use super::{Hunt, MAX_STEPS, go_to_step};
use crate::attack_run::{AttackRun, Call, LONG_MS, RunSetup, SHORT_MS};
use crate::catalogue::CatalogueEntry;
use crate::services::{Services, VersionDatabase};

const CAST: RunSetup = RunSetup::of(&[SHORT_MS, LONG_MS]);

const STOCK: usize = 2;

const A: i64 = 1;
const B: i64 = 2;
const C: i64 = 3;

/// `is_written`: A stands still after its order is in SQL, otherwise before.
pub(super) async fn lead(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    is_written: bool,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, CAST).await?;
    for a_steps in 0..MAX_STEPS {
        for b_steps in 0..MAX_STEPS {
            run.publish(STOCK).await?;
            let Some(a) = go_to_step(&mut run, 0, A, a_steps).await? else {
                // A has fewer steps than that: all were tried.
                return Ok(());
            };
            if (run.order_count().await? > 0) != is_written {
                run.finish(a).await?;
                break;
            }
            let b_has_ended = overtake(&mut run, a, b_steps).await?;
            if hunt.judge(&mut run, 1).await? {
                return Ok(());
            }
            if b_has_ended {
                break;
            }
        }
    }
    Ok(())
}

/// A is at a step while everything else that can run does. Returns whether B ended before A continued.
async fn overtake(run: &mut AttackRun<'_>, a: Call, b_steps: usize) -> Result<bool> {
    run.stop(0).await?;
    let b = go_to_step(run, 1, B, b_steps).await?;
    let Some(b) = b else {
        let c = run.begin(1, C, true).await?;
        run.finish(c).await?;
        run.resume(0).await?;
        run.finish(a).await?;
        return Ok(true);
    };
    run.resume(0).await?;
    run.finish(a).await?;
    let c = run.begin(1, C, true).await?;
    run.push(c).await?;
    run.finish(b).await?;
    run.finish(c).await?;
    Ok(false)
}
