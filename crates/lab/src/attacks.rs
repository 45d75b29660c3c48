//! The implementation of each attack. It searches a bounded number of schedules for harm and reports the first that does
//! some.

mod kill;
mod network;
mod pause;
mod search;
mod worker;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::attack::Attack;
use crate::attack_run::{AttackRun, Call, CallState};
use crate::catalogue::CatalogueEntry;
use crate::recording::{Recording, ScheduleEvent};
use crate::sale_outcome::SaleOutcome;
use crate::services::{Services, VersionDatabase};
use crate::snapshot::Cells;

/// More steps than any purchase has.
const MAX_STEPS: usize = 5;

/// The result of an attack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttackFinding {
    pub attack: Attack,
    pub verdict: SaleOutcome,
    /// Schedules that were tried, the harmful one included.
    pub schedules: usize,
    /// What the stores held before the first event.
    #[serde(default, skip_serializing_if = "Cells::is_empty")]
    pub begin: Cells,
    /// The schedule that did harm, or the last one that did none.
    pub moments: Vec<ScheduleEvent>,
}

/// Counts schedules, and keeps the last verdict, or the first that is not right.
#[derive(Debug, Default)]
struct Hunt {
    schedules: usize,
    last: Option<(SaleOutcome, Recording)>,
}

/// Attacks a version, and returns the result.
pub(crate) async fn lead(
    services: &Services,
    entry: &'static CatalogueEntry,
    database: &VersionDatabase,
    attack: Attack,
) -> Result<AttackFinding> {
    let mut hunt = Hunt::default();
    let led = async {
        match attack {
            Attack::Race => search::race(services, entry, database, &mut hunt).await,
            Attack::DoubleClick => search::double_click(services, entry, database, &mut hunt).await,
            Attack::TwoProcesses => {
                search::two_processes(services, entry, database, &mut hunt).await
            }
            Attack::PauseBeforeWrite | Attack::PauseBeforeRelease => {
                let is_written = attack == Attack::PauseBeforeRelease;
                pause::lead(services, entry, database, is_written, &mut hunt).await
            }
            Attack::Kill => kill::kill(services, entry, database, &mut hunt).await,
            Attack::Redelivery => kill::redeliver(services, entry, database, &mut hunt).await,
            Attack::LostReply => network::lose_replies(services, entry, database, &mut hunt).await,
            Attack::LostSqlReply => {
                network::lose_sql_replies(services, entry, database, &mut hunt).await
            }
            Attack::PauseWorker => worker::pause(services, entry, database, &mut hunt).await,
            Attack::Failover => network::fail_over(services, entry, database, &mut hunt).await,
        }
    };
    Box::pin(led)
        .await
        .with_context(|| format!("{attack:?} on {}", entry.id))?;
    let (verdict, recording) = hunt.last.context("an attack tries at least one schedule")?;
    Ok(AttackFinding {
        attack,
        verdict,
        schedules: hunt.schedules,
        begin: recording.begin,
        moments: recording.events,
    })
}

impl Hunt {
    /// Ends the current sale and records its outcome; returns whether harm was done, which ends the search.
    async fn judge(&mut self, run: &mut AttackRun<'_>, process: usize) -> Result<bool> {
        let verdict = run.close(process).await?;
        let recording = run.record_end(verdict).await?;
        self.schedules += 1;
        self.last = Some((verdict, recording));
        Ok(!verdict.is_right())
    }
}

/// Continues a call to a step, counted from zero; `None` if there is no such step, and the call is done.
async fn go_to_step(
    run: &mut AttackRun<'_>,
    process: usize,
    buyer: i64,
    steps: usize,
) -> Result<Option<Call>> {
    let call = run.begin(process, buyer, true).await?;
    for _ in 0..steps {
        if let CallState::At(_) = run.wait_for(call).await? {
            run.advance(call).await?;
        }
    }
    Ok(match run.wait_for(call).await? {
        CallState::Done(_) => None,
        _ => Some(call),
    })
}
