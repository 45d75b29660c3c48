//! How each attack is led. Every one looks for harm in a bounded number of schedules and shows the first that does some.

mod kill;
mod network;
mod pause;
mod search;
mod worker;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::attack::Attack;
use crate::catalogue::Entry;
use crate::ground::{Database, Ground};
use crate::scene::{Call, Moment, Scene, State};
use crate::verdict::Verdict;

/// More steps than any purchase has.
const MAX_STEPS: usize = 5;

/// What an attack brought to light.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Finding {
    pub attack: Attack,
    pub verdict: Verdict,
    /// Schedules that were tried, the harmful one included.
    pub schedules: usize,
    /// What happened, if it did harm.
    pub moments: Vec<Moment>,
}

/// Counts schedules, and keeps the last verdict, or the first that is not right.
#[derive(Debug, Default)]
struct Hunt {
    schedules: usize,
    last: Option<(Verdict, Vec<Moment>)>,
}

/// Attacks a version, and says what came of it.
pub(crate) async fn lead(
    ground: &Ground,
    entry: &'static Entry,
    database: &Database,
    attack: Attack,
) -> Result<Finding> {
    let mut hunt = Hunt::default();
    let led = async {
        match attack {
            Attack::Race => search::race(ground, entry, database, &mut hunt).await,
            Attack::DoubleClick => search::double_click(ground, entry, database, &mut hunt).await,
            Attack::TwoProcesses => search::two_processes(ground, entry, database, &mut hunt).await,
            Attack::PauseBeforeWrite | Attack::PauseBeforeRelease => {
                let is_written = attack == Attack::PauseBeforeRelease;
                pause::lead(ground, entry, database, is_written, &mut hunt).await
            }
            Attack::Kill => kill::kill(ground, entry, database, &mut hunt).await,
            Attack::Redelivery => kill::redeliver(ground, entry, database, &mut hunt).await,
            Attack::LostReply => network::lose_replies(ground, entry, database, &mut hunt).await,
            Attack::LostSqlReply => {
                network::lose_sql_replies(ground, entry, database, &mut hunt).await
            }
            Attack::PauseWorker => worker::pause(ground, entry, database, &mut hunt).await,
            Attack::Failover => network::fail_over(ground, entry, database, &mut hunt).await,
        }
    };
    Box::pin(led)
        .await
        .with_context(|| format!("{attack:?} on {}", entry.id))?;
    let (verdict, moments) = hunt.last.context("an attack tries at least one schedule")?;
    let moments = if verdict.is_right() {
        Vec::new()
    } else {
        moments
    };
    Ok(Finding {
        attack,
        verdict,
        schedules: hunt.schedules,
        moments,
    })
}

impl Hunt {
    /// Ends the present sale and takes down its verdict; says whether harm was done, which ends the hunt.
    async fn judge(&mut self, scene: &mut Scene<'_>, branch: usize) -> Result<bool> {
        let moments = scene.log.clone();
        let verdict = scene.close(branch).await?;
        self.schedules += 1;
        self.last = Some((verdict, moments));
        Ok(!verdict.is_right())
    }
}

/// Lets somebody go on to a step, counted from zero; nothing if there is no such step, and the call is done.
async fn go_to_step(
    scene: &mut Scene<'_>,
    branch: usize,
    buyer: i64,
    steps: usize,
) -> Result<Option<Call>> {
    let call = scene.begin(branch, buyer, true).await?;
    for _ in 0..steps {
        if let State::At(_) = scene.wait_for(call).await? {
            scene.advance(call).await?;
        }
    }
    Ok(match scene.wait_for(call).await? {
        State::Done(_) => None,
        _ => Some(call),
    })
}
