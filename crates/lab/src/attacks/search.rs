//! Every order in which two calls can take their steps.
//!
//! A call that waits for another cannot be chosen. Two calls of three steps have at most seventy orders; locks allow far
//! fewer.

use anyhow::Result;

use super::Hunt;
use crate::attack_run::{AttackRun, Call, CallState, LONG_MS, RunSetup};
use crate::catalogue::CatalogueEntry;
use crate::schedule_walk::{ScheduleChoice, next_plan};
use crate::services::{Services, VersionDatabase};

/// More orders than any version here has.
const MAX_SCHEDULES: usize = 200;

const ONE_PROCESS: RunSetup = RunSetup::of(&[LONG_MS]);

const TWO_PROCESSES: RunSetup = RunSetup::of(&[LONG_MS, LONG_MS]);

/// A buyer's call to a process.
#[derive(Clone, Copy)]
struct BuyerCall {
    process: usize,
    buyer: i64,
}

pub(super) async fn race(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, ONE_PROCESS).await?;
    walk(&mut run, [caller(0, 1), caller(0, 2)], 1, hunt).await?;
    Ok(())
}

pub(super) async fn double_click(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, ONE_PROCESS).await?;
    walk(&mut run, [caller(0, 1), caller(0, 1)], 2, hunt).await?;
    Ok(())
}

pub(super) async fn two_processes(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    hunt: &mut Hunt,
) -> Result<()> {
    let mut run = AttackRun::open(services, entry, database, TWO_PROCESSES).await?;
    if !walk(&mut run, [caller(0, 1), caller(1, 2)], 1, hunt).await? {
        walk(&mut run, [caller(0, 1), caller(1, 1)], 2, hunt).await?;
    }
    Ok(())
}

fn caller(process: usize, buyer: i64) -> BuyerCall {
    BuyerCall { process, buyer }
}

/// Tries schedules until one does harm, and returns whether one did.
async fn walk(
    run: &mut AttackRun<'_>,
    callers: [BuyerCall; 2],
    stock: usize,
    hunt: &mut Hunt,
) -> Result<bool> {
    let mut plan = Vec::new();
    for _ in 0..MAX_SCHEDULES {
        run.publish(stock).await?;
        let choices = play(run, callers, &plan).await?;
        if hunt.judge(run, 0).await? {
            return Ok(true);
        }
        match next_plan(choices) {
            Some(next) => plan = next,
            None => return Ok(false),
        }
    }
    Ok(false)
}

/// Moves the callers by the plan, and by the first choice where it ends.
async fn play(
    run: &mut AttackRun<'_>,
    callers: [BuyerCall; 2],
    plan: &[usize],
) -> Result<Vec<ScheduleChoice>> {
    let mut calls: [Option<Call>; 2] = [None; 2];
    let mut choices = Vec::new();
    loop {
        let movable: Vec<usize> = (0..2)
            .filter(|who| {
                calls[*who].is_none_or(|call| matches!(run.state(call), CallState::At(_)))
            })
            .collect();
        if movable.is_empty() {
            let waiting = calls.iter().flatten().copied();
            let mut waiting =
                waiting.filter(|call| !matches!(run.state(*call), CallState::Done(_)));
            match waiting.next() {
                Some(call) => run.wait_for(call).await?,
                None => return Ok(choices),
            };
            continue;
        }
        let wanted = plan.get(choices.len()).copied().unwrap_or_default();
        let chosen = wanted.min(movable.len() - 1);
        choices.push(ScheduleChoice {
            chosen,
            of: movable.len(),
        });
        let who = movable[chosen];
        match calls[who] {
            Some(call) => run.advance(call).await?,
            None => {
                let BuyerCall { process, buyer } = callers[who];
                calls[who] = Some(run.begin(process, buyer, true).await?);
            }
        }
    }
}
