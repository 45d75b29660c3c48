//! The log of a run, so that a schedule can be shown.

use super::{AttackRun, Call, CallState};
use crate::protocol::{Standing, WORKER};
use crate::recording::{CodePlace, RawEvent};
use crate::snapshot::{Snapshot, letter};
use crate::version::PurchaseReply;

/// What the paths of the lab's files begin with.
const SOURCES: &str = "crates/lab/src/";

/// More events than a schedule has; a call that retries for long reports each attempt.
const MAX_EVENTS: usize = 80;

impl AttackRun<'_> {
    pub(super) fn note_act(&mut self, act: &str, process: Option<usize>) {
        self.note("attacker", process, act);
    }

    /// Logs an attack after it happened: before the error that it caused, if a buyer got one. What it did to the stores is
    /// what they held when the buyer got the error.
    pub(super) fn note_cause(&mut self, act: &str) {
        let error = self.log.iter().position(|event| event.what == "failed");
        self.note_act(act, None);
        let (Some(error), Some(mut cause)) = (error, self.log.pop()) else {
            return;
        };
        cause.after = self.log[error].after.clone();
        self.log.insert(error, cause);
    }

    pub(super) fn note_step(&mut self, call: Call, step: &str, standing: Standing) {
        self.append_of(call, step, standing);
    }

    /// A call that retries reports its steps each time; the log keeps one.
    pub(super) fn note_wait(&mut self, call: Call, standing: Standing) {
        if self.states.get(&call) == Some(&CallState::Running) {
            self.append_of(call, "waits", standing);
            self.states.insert(call, CallState::Waiting);
        }
    }

    pub(super) fn note_answer(
        &mut self,
        call: Call,
        answer: PurchaseReply,
        saw: Vec<(String, String)>,
    ) {
        if let PurchaseReply::Ordered(id) = answer {
            self.replied_orders.push(id);
        }
        let what = match answer {
            PurchaseReply::Ordered(_) => "ordered",
            PurchaseReply::SoldOut => "sold-out",
            PurchaseReply::AlreadyBought => "already-bought",
            PurchaseReply::Busy => "busy",
            PurchaseReply::Failed => "failed",
        };
        let standing = Standing {
            saw,
            ..Standing::default()
        };
        self.append_of(call, what, standing);
    }

    pub(super) fn note(&mut self, who: &str, process: Option<usize>, what: &str) {
        let process = process.map_or(0, |process| process + 1);
        if !self.is_repeated(who, process, what) {
            self.append(who, process, what, Standing::default());
        }
        self.last_noted = None;
    }

    fn append_of(&mut self, call: Call, what: &str, standing: Standing) {
        let (who, process) = (self.name(call), call.process + 1);
        if self.is_beside_the_last(call) || !self.is_repeated(&who, process, what) {
            self.append(&who, process, what, standing);
        }
        self.last_noted = Some(call);
    }

    /// Whether the last event is of another call that this one does not retry: the two clicks of a double click have one
    /// name, and each reads and is answered for itself.
    fn is_beside_the_last(&self, call: Call) -> bool {
        let is_retried = |last| {
            let busy = CallState::Done(PurchaseReply::Busy);
            let failed = CallState::Done(PurchaseReply::Failed);
            let state = self.state(last);
            state == busy || state == failed
        };
        self.last_noted
            .is_some_and(|last| last != call && !is_retried(last))
    }

    fn is_repeated(&self, who: &str, process: usize, what: &str) -> bool {
        let last = self.log.last();
        last.is_some_and(|last| last.who == who && last.process == process && last.what == what)
    }

    fn append(&mut self, who: &str, process: usize, what: &str, standing: Standing) {
        if !self.is_recording || self.log.len() >= MAX_EVENTS {
            return;
        }
        let file = standing.file.rsplit_once(SOURCES);
        let file = file.map_or(standing.file.as_str(), |(_, file)| file);
        let at = (!file.is_empty()).then(|| CodePlace {
            file: file.to_owned(),
            line: standing.line,
        });
        let after = self.log.last().map_or(&self.begin, |last| &last.after);
        let after = Snapshot::clone(after);
        self.log.push(RawEvent {
            who: who.to_owned(),
            process,
            what: what.to_owned(),
            at,
            saw: standing.saw,
            replied: self.replied_orders.len(),
            after,
        });
    }

    fn name(&self, call: Call) -> String {
        if call.number == WORKER {
            return "worker".to_owned();
        }
        match self.buyers.get(&call) {
            Some(buyer @ 1..=26) => letter(*buyer),
            _ => "latecomer".to_owned(),
        }
    }
}
