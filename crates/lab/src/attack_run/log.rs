//! The log of a run, so that a harmful schedule can be shown.

use serde::{Deserialize, Serialize};

use super::{AttackRun, Call, CallState};
use crate::protocol::WORKER;
use crate::version::PurchaseReply;

/// One event of a schedule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScheduleEvent {
    /// A buyer by letter, `worker`, or `attacker`.
    pub who: String,
    /// The process it happened in, from 1; 0 for what happens to all of them.
    pub process: usize,
    /// A step, a reply or an attack; `crates/lab/src/bilingual.rs` has all of them in both languages.
    pub what: String,
}

/// Ids of buyers who buy after the attack.
pub(super) const FIRST_LATECOMER: i64 = 100;

impl AttackRun<'_> {
    pub(super) fn note_act(&mut self, act: &str, process: Option<usize>) {
        self.note("attacker", process, act);
    }

    /// Logs an attack after it happened: before the error that it caused, if a buyer got one.
    pub(super) fn note_cause(&mut self, act: &str) {
        let error = self.log.iter().position(|moment| moment.what == "failed");
        self.note_act(act, None);
        if let Some(error) = error {
            self.log[error..].rotate_right(1);
        }
    }

    pub(super) fn note_step(&mut self, call: Call, step: &str) {
        let who = self.name(call);
        self.note(&who, Some(call.process), step);
    }

    /// A call that retries reports its steps each time; the log keeps one.
    pub(super) fn note_wait(&mut self, call: Call) {
        if self.states.get(&call) == Some(&CallState::Running) {
            let who = self.name(call);
            self.note(&who, Some(call.process), "waits");
            self.states.insert(call, CallState::Waiting);
        }
    }

    pub(super) fn note_answer(&mut self, call: Call, answer: PurchaseReply) {
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
        let who = self.name(call);
        self.note(&who, Some(call.process), what);
    }

    fn note(&mut self, who: &str, process: Option<usize>, what: &str) {
        self.log.push(ScheduleEvent {
            who: who.to_owned(),
            process: process.map_or(0, |process| process + 1),
            what: what.to_owned(),
        });
    }

    fn name(&self, call: Call) -> String {
        if call.number == WORKER {
            return "worker".to_owned();
        }
        match self.buyers.get(&call) {
            Some(buyer @ 1..=26) => {
                let letter = u8::try_from(buyer - 1).unwrap_or_default() + b'A';
                char::from(letter).to_string()
            }
            _ => "latecomer".to_owned(),
        }
    }
}
