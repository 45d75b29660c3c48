//! Holds a buyer at a step: [`StepControl`].
//!
//! The invariant: a controlled call runs only between a command to continue and its next step, so the attacker decides the
//! schedule. A free call never waits here, and nobody keeps what it saw.

use std::collections::HashMap;
use std::fmt::Display;
use std::panic::Location;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

use crate::protocol::{ProcessReply, Standing, WORKER};

/// More values than a purchase reads between two of its steps.
const MAX_SEEN: usize = 16;

tokio::task_local! {
    /// The call that the current task runs, for code that reads on behalf of a call without its [`StepControl`].
    static CURRENT: StepControl;
}

/// Notes what the current call has read, so that a schedule can show it.
pub(crate) fn saw(what: &str, value: impl Display) {
    // Outside of a call there is nobody to show it to.
    let _ = CURRENT.try_with(|steps| steps.saw(what, value));
}

/// How one call, or the worker of a process, is moved along.
#[derive(Clone, Debug)]
pub(crate) struct StepControl {
    call: u64,
    stops: Option<Arc<StepGates>>,
}

/// The calls of a process that are at a step, and the channel of replies.
#[derive(Debug)]
pub(crate) struct StepGates {
    replies: mpsc::UnboundedSender<ProcessReply>,
    standing: Mutex<HashMap<u64, oneshot::Sender<()>>>,
    /// What each call has read since its last step.
    seen: Mutex<HashMap<u64, Vec<(String, String)>>>,
    /// Whether the worker stops at its steps too.
    is_worker_held: AtomicBool,
}

impl StepControl {
    /// Nobody holds this one up.
    pub(crate) fn free() -> Self {
        Self {
            call: WORKER,
            stops: None,
        }
    }

    pub(crate) fn of(call: u64, stops: &Arc<StepGates>) -> Self {
        Self {
            call,
            stops: Some(stops.clone()),
        }
    }

    /// Runs a call; [`saw`] finds it from within.
    pub(crate) async fn run<F: Future>(&self, call: F) -> F::Output {
        CURRENT.scope(self.clone(), call).await
    }

    /// Another call may interleave here.
    #[track_caller]
    pub(crate) fn step(&self, name: &'static str) -> impl Future<Output = ()> + Send {
        self.step_at(name, Location::caller())
    }

    /// The same, for code that is called to take a step elsewhere.
    pub(crate) async fn step_at(&self, name: &'static str, place: &'static Location<'static>) {
        if let Some(stops) = &self.stops {
            stops.stand(self.call, name, place).await;
        }
    }

    /// From here on this call waits for another one: the scheduler must continue others first.
    #[track_caller]
    pub(crate) fn waits(&self) {
        if let Some(stops) = &self.stops {
            let (call, standing) = (self.call, stops.standing_at(self.call, Location::caller()));
            stops.send(ProcessReply::Waits { call, standing });
        }
    }

    /// Notes what this call has read, so that a schedule can show it.
    pub(crate) fn saw(&self, what: &str, value: impl Display) {
        if let Some(stops) = &self.stops {
            stops.note_seen(self.call, what, value.to_string());
        }
    }

    /// What this call has read since its last step.
    pub(crate) fn take_seen(&self) -> Vec<(String, String)> {
        let stops = self.stops.as_ref();
        stops
            .map(|stops| stops.take_seen(self.call))
            .unwrap_or_default()
    }
}

impl StepGates {
    pub(crate) fn new(replies: mpsc::UnboundedSender<ProcessReply>) -> Self {
        Self {
            replies,
            standing: Mutex::default(),
            seen: Mutex::default(),
            is_worker_held: AtomicBool::new(false),
        }
    }

    /// Lets a standing call go on to its next step.
    pub(crate) fn go(&self, call: u64) {
        let standing = self.standing().remove(&call);
        if let Some(standing) = standing {
            // A call that was given up does not go on.
            let _ = standing.send(());
        }
    }

    pub(crate) fn hold_worker(&self, hold: bool) {
        self.is_worker_held.store(hold, Ordering::SeqCst);
    }

    pub(crate) fn send(&self, reply: ProcessReply) {
        // Without a listener the process is about to end.
        let _ = self.replies.send(reply);
    }

    async fn stand(&self, call: u64, step: &'static str, place: &'static Location<'static>) {
        if call == WORKER && !self.is_worker_held.load(Ordering::SeqCst) {
            return;
        }
        let (go, gone) = oneshot::channel();
        self.standing().insert(call, go);
        let (step, standing) = (step.to_owned(), self.standing_at(call, place));
        self.send(ProcessReply::At {
            call,
            step,
            standing,
        });
        let _ = gone.await;
    }

    fn standing_at(&self, call: u64, place: &Location<'_>) -> Standing {
        Standing {
            file: place.file().to_owned(),
            line: place.line(),
            saw: self.take_seen(call),
        }
    }

    fn note_seen(&self, call: u64, what: &str, value: String) {
        let mut seen = self.seen();
        let seen = seen.entry(call).or_default();
        // The latest value counts: a call that retries reads the same again and again.
        seen.retain(|(name, _)| name != what);
        if seen.len() < MAX_SEEN {
            seen.push((what.to_owned(), value));
        }
    }

    fn take_seen(&self, call: u64) -> Vec<(String, String)> {
        self.seen().remove(&call).unwrap_or_default()
    }

    fn seen(&self) -> std::sync::MutexGuard<'_, HashMap<u64, Vec<(String, String)>>> {
        self.seen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn standing(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<()>>> {
        let standing = self.standing.lock();
        standing.unwrap_or_else(PoisonError::into_inner)
    }
}
