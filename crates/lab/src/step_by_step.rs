//! Tasks of this process that move step by step: [`SteppedTask`], and [`play`] for two of them in one schedule.
//!
//! The invariant is that of an attack: a task runs only between a command to continue and its next step.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use futures_util::future::BoxFuture;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::experiment::TrialEvent;
use crate::protocol::ProcessReply;
use crate::schedule_walk::ScheduleChoice;
use crate::step_control::{StepControl, StepGates};

/// A task that takes longer from one step to the next hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// A task has one call, which is not the worker's.
const CALL: u64 = 1;

/// What a task does; it returns the last event of its schedule.
pub(crate) type Act =
    Box<dyn FnOnce(StepControl) -> BoxFuture<'static, Result<&'static str>> + Send>;

/// A task that stops at its steps. Dropping it is what `kill -9` does to a process: it goes no further.
pub(crate) struct SteppedTask {
    gates: Arc<StepGates>,
    replies: mpsc::UnboundedReceiver<ProcessReply>,
    task: JoinHandle<Result<&'static str>>,
    is_done: bool,
}

impl SteppedTask {
    /// Starts it and returns when it is at a step or done, with the event that it reached.
    pub(crate) async fn start(act: Act) -> Result<(Self, String)> {
        let (sender, replies) = mpsc::unbounded_channel();
        let gates = Arc::new(StepGates::new(sender));
        let steps = StepControl::of(CALL, &gates);
        let mut task = Self {
            gates,
            replies,
            task: tokio::spawn(act(steps)),
            is_done: false,
        };
        let event = task.rest().await?;
        Ok((task, event))
    }

    /// Continues it to its next step or to its end.
    pub(crate) async fn advance(&mut self) -> Result<String> {
        self.gates.go(CALL);
        self.rest().await
    }

    pub(crate) fn is_done(&self) -> bool {
        self.is_done
    }

    async fn rest(&mut self) -> Result<String> {
        let event = async {
            tokio::select! {
                biased;
                reply = self.replies.recv() => match reply {
                    Some(ProcessReply::At { step, .. }) => Ok(step),
                    other => bail!("a task only stops at steps, not at {other:?}"),
                },
                last = &mut self.task => {
                    self.is_done = true;
                    Ok(last??.to_owned())
                }
            }
        };
        timeout(PATIENCE, event).await.context("a task hangs")?
    }
}

impl Drop for SteppedTask {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A schedule of two tasks: the choices that were made, and what happened.
pub(crate) struct PlayedSchedule {
    pub(crate) choices: Vec<ScheduleChoice>,
    pub(crate) moments: Vec<TrialEvent>,
}

/// Moves two tasks to their ends by the plan, and by the first choice where it ends.
pub(crate) async fn play(acts: [(&str, Act); 2], plan: &[usize]) -> Result<PlayedSchedule> {
    let names = [acts[0].0, acts[1].0];
    let mut acts = acts.map(|(_, act)| Some(act));
    let mut tasks: [Option<SteppedTask>; 2] = [None, None];
    let mut played = PlayedSchedule {
        choices: Vec::new(),
        moments: Vec::new(),
    };
    loop {
        let can_move = |who: &usize| tasks[*who].as_ref().is_none_or(|task| !task.is_done());
        let movable: Vec<usize> = (0..2).filter(can_move).collect();
        if movable.is_empty() {
            return Ok(played);
        }
        let of = movable.len();
        let wanted = plan.get(played.choices.len()).copied();
        let chosen = wanted.unwrap_or_default().min(of - 1);
        played.choices.push(ScheduleChoice { chosen, of });
        let who = movable[chosen];
        let what = match (&mut tasks[who], acts[who].take()) {
            (Some(task), _) => task.advance().await?,
            (begun @ None, Some(act)) => {
                let (task, event) = SteppedTask::start(act).await?;
                *begun = Some(task);
                event
            }
            (None, None) => bail!("a task is begun once"),
        };
        played.moments.push(TrialEvent {
            who: names[who].to_owned(),
            what,
        });
    }
}
