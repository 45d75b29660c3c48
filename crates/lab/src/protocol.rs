//! The protocol between the attacker and a process under attack: one line of JSON per command and reply, over standard
//! input and output.

use serde::{Deserialize, Serialize};

use crate::version::{PurchaseReply, PurchaseRequest};

/// The call number that stands for the worker of a process.
pub(crate) const WORKER: u64 = 0;

/// From the attacker.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum AttackCommand {
    /// A sale that SQL has is to be known.
    Publish { sale: i64, stock: i64 },
    /// Somebody wants a piece, and stops at every step if `paced`.
    Buy {
        call: u64,
        request: PurchaseRequest,
        paced: bool,
    },
    /// The one who stands at a step may go on to the next.
    Go { call: u64 },
    /// Whether the worker stops at its steps.
    HoldWorker { hold: bool },
    /// How many orders are on their way?
    Pending,
    /// Everybody at once: `people` who click twice each.
    Crowd { sale: i64, people: i64 },
}

/// From the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ProcessReply {
    Ready,
    Published,
    At {
        call: u64,
        step: String,
    },
    Waits {
        call: u64,
    },
    Done {
        call: u64,
        answer: PurchaseReply,
    },
    Pending {
        orders: u64,
    },
    /// All answers of the crowd, by the order ids among them, and how long they took.
    Served {
        micros: u64,
        answers: Vec<PurchaseReply>,
    },
    /// A word could not be obeyed.
    Trouble {
        what: String,
    },
    /// The process is no more: its attacker notes this, it cannot say so itself.
    Ended,
}
