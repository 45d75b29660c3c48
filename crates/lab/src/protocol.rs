//! The protocol between the attacker and a process under attack: one line of JSON per command and reply, over standard
//! input and output.

use serde::{Deserialize, Serialize};

use crate::version::{PurchaseReply, PurchaseRequest};

/// The call number that stands for the worker of a process.
pub(crate) const WORKER: u64 = 0;

/// From the attacker.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) enum AttackCommand {
    /// Publish a sale that is in SQL.
    Publish { sale: i64, stock: i64 },
    /// Buy; the call stops at every step if `paced`.
    Buy {
        call: u64,
        request: PurchaseRequest,
        paced: bool,
    },
    /// Continue a call that is at a step.
    Go { call: u64 },
    /// The worker stops at its steps from here on.
    HoldWorker,
    /// It goes on, and stops no more.
    ReleaseWorker,
    /// Return the number of orders in flight.
    Pending,
    /// Serve `people` buyers at once, each of whom clicks twice.
    Crowd { sale: i64, people: i64 },
}

/// Where a call stands in the code, and what it has read since its last step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Standing {
    pub(crate) file: String,
    pub(crate) line: u32,
    pub(crate) saw: Vec<(String, String)>,
}

/// From the process.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) enum ProcessReply {
    Ready,
    Published,
    WorkerHeld,
    At {
        call: u64,
        step: String,
        standing: Standing,
    },
    Waits {
        call: u64,
        standing: Standing,
    },
    Done {
        call: u64,
        answer: PurchaseReply,
        saw: Vec<(String, String)>,
    },
    Pending {
        orders: u64,
    },
    /// So many clicks of the crowd have a reply.
    Progress {
        clicks: u64,
    },
    /// All replies to the crowd, and how long they took.
    Served {
        micros: u64,
        answers: Vec<PurchaseReply>,
    },
    /// A command failed.
    Trouble {
        what: String,
    },
    /// The process has ended; the attacker generates this.
    Ended,
}
