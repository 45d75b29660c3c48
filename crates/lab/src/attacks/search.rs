//! Every order in which two calls can take their steps.
//!
//! A depth-first walk: a schedule is the list of choices of which call to continue. The first one always takes the first that
//! can continue; the next schedule changes the last choice that has an alternative. A call that waits for another cannot be
//! chosen. Two calls of three steps have at most seventy orders; locks allow far fewer.

use anyhow::Result;

use super::Hunt;
use crate::attack_run::{AttackRun, Call, CallState, LONG_MS, RunSetup};
use crate::catalogue::CatalogueEntry;
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

/// The call that was chosen, and out of how many.
#[derive(Clone, Copy)]
struct ScheduleChoice {
    chosen: usize,
    of: usize,
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

/// The last choice that has an alternative takes the next one.
fn next_plan(mut choices: Vec<ScheduleChoice>) -> Option<Vec<usize>> {
    while let Some(last) = choices.pop() {
        if last.chosen + 1 < last.of {
            let mut plan: Vec<usize> = choices.iter().map(|choice| choice.chosen).collect();
            plan.push(last.chosen + 1);
            return Some(plan);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_visits_every_order_once() {
        // Two callers of two moves each: six orders.
        let mut seen = Vec::new();
        let mut plan = Some(Vec::new());
        while let Some(present) = plan {
            let (mut left, mut choices, mut order) = ([2, 2], Vec::new(), Vec::new());
            loop {
                let movable: Vec<usize> = (0..2).filter(|who| left[*who] > 0).collect();
                if movable.is_empty() {
                    break;
                }
                let chosen = present.get(choices.len()).copied().unwrap_or_default();
                let of = movable.len();
                choices.push(ScheduleChoice { chosen, of });
                left[movable[chosen]] -= 1;
                order.push(movable[chosen]);
            }
            assert!(!seen.contains(&order), "{order:?} came twice");
            seen.push(order);
            plan = next_plan(choices);
        }
        assert_eq!(seen.len(), 6);
    }
}
