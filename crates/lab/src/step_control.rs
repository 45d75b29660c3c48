//! Holds a buyer at a step: [`StepControl`].
//!
//! The invariant: a controlled call runs only between a command to continue and its next step, so the attacker decides the
//! schedule. A free call never waits here.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{mpsc, oneshot};

use crate::protocol::{ProcessReply, WORKER};

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

    /// Another call may interleave here.
    pub(crate) async fn step(&self, name: &'static str) {
        if let Some(stops) = &self.stops {
            stops.stand(self.call, name).await;
        }
    }

    /// From here on this call waits for another one: the scheduler must continue others first.
    pub(crate) fn waits(&self) {
        if let Some(stops) = &self.stops {
            stops.send(ProcessReply::Waits { call: self.call });
        }
    }
}

impl StepGates {
    pub(crate) fn new(replies: mpsc::UnboundedSender<ProcessReply>) -> Self {
        Self {
            replies,
            standing: Mutex::default(),
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

    async fn stand(&self, call: u64, step: &'static str) {
        if call == WORKER && !self.is_worker_held.load(Ordering::SeqCst) {
            return;
        }
        let (go, gone) = oneshot::channel();
        self.standing().insert(call, go);
        let step = step.to_owned();
        self.send(ProcessReply::At { call, step });
        let _ = gone.await;
    }

    fn standing(&self) -> std::sync::MutexGuard<'_, HashMap<u64, oneshot::Sender<()>>> {
        let standing = self.standing.lock();
        standing.unwrap_or_else(PoisonError::into_inner)
    }
}
