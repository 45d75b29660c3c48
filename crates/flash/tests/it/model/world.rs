//! What the model is made of: a ledger, Redis with a replica, two processes, buyers, and what may still go wrong.

use super::Scope;

/// The place of an order in the ledger's rows; in the model ids are given out when they first matter.
pub(super) type OrderId = u8;

pub(super) const PROCESSES: usize = 2;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct World {
    /// The master that new connections reach.
    pub(super) master: Redis,
    /// A master that was replaced and does not know it: processes reach it until they reconnect.
    pub(super) isolated: Option<Redis>,
    /// What a replica has that fell behind: it is what takes over.
    pub(super) lagging: Option<Redis>,
    pub(super) ledger: Ledger,
    pub(super) processes: [Process; PROCESSES],
    pub(super) buyers: Vec<Buyer>,
    /// Claims that a process gave up on and that may reach Redis yet; sorted, so that equal worlds are equal.
    pub(super) late: Vec<Late>,
    pub(super) last_fence: u8,
    pub(super) last_stamp: u8,
    pub(super) left: Scope,
}

/// One Redis server.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Redis {
    /// Its replication id: one for each uninterrupted time of a process as a master.
    pub(super) stamp: u8,
    pub(super) gate: Option<Gate>,
    pub(super) stream: Vec<Entry>,
    pub(super) last_entry: u8,
    /// Loads whose barrier is passed.
    pub(super) passed: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Gate {
    pub(super) is_open: bool,
    pub(super) load: u8,
    pub(super) stamp: u8,
    pub(super) stock: i8,
    /// While loading: the holders written so far.
    pub(super) initial: i8,
    /// By order.
    pub(super) items: Vec<Item>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Item {
    pub(super) order: OrderId,
    pub(super) is_live: bool,
}

/// The number comes from the clock of the master that wrote the entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct EntryId {
    pub(super) number: u8,
    pub(super) written_by: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Body {
    Order(OrderId),
    /// Of this load.
    Barrier(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Entry {
    pub(super) id: EntryId,
    pub(super) body: Body,
    /// The fence of the drain worker that it was delivered to.
    pub(super) reader: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Fate {
    /// Granted at the most.
    Absent,
    Live,
    Cancelled,
    DeadLettered,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Row {
    pub(super) buyer: u8,
    pub(super) fate: Fate,
    /// The load of the gate that granted it.
    pub(super) load: u8,
    /// Whether a buyer was given this id as an order.
    pub(super) is_acknowledged: bool,
    /// Whether a failover took it from Redis before it was in the ledger.
    pub(super) is_exposed: bool,
    /// Whether the ledger can never take it.
    pub(super) is_poisoned: bool,
}

/// A row of the outbox: the unit of an order that ended goes back to the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Return {
    pub(super) order: OrderId,
    pub(super) restock: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Ledger {
    pub(super) stock: i8,
    pub(super) fence: u8,
    pub(super) last_load: u8,
    /// Orders granted before this load are refused, in a scope that seals.
    pub(super) sealed: u8,
    /// Every order fails, as if it was the order's own fault: the worst way in which a database can be out of order.
    pub(super) is_down: bool,
    pub(super) rows: Vec<Row>,
    pub(super) outbox: Vec<Return>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Process {
    pub(super) is_isolated: bool,
    pub(super) drain: Option<Drain>,
    pub(super) load: Option<Load>,
    /// Orders whose claims had no reply, by buyer.
    pub(super) doubts: Vec<Option<OrderId>>,
    /// A return whose outbox row is gone and whose effect is not made yet: only without the guard.
    pub(super) unapplied: Vec<Return>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Drain {
    pub(super) fence: u8,
    /// Whether everything that was pending was taken over since the lease or the connection began.
    pub(super) has_reclaimed: bool,
    /// In the order of arrival.
    pub(super) hand: Vec<Job>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Job {
    pub(super) id: EntryId,
    pub(super) body: Body,
    pub(super) progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Progress {
    New,
    Failed {
        /// Failures that followed the recording of another order.
        proofs: u8,
        /// Whether another order was recorded since the last failure.
        recorded_since: bool,
    },
    Refused {
        restock: bool,
    },
    Done,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Load {
    pub(super) number: u8,
    pub(super) phase: Phase,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Phase {
    Numbered,
    AtBarrier,
    /// Live orders that were read and are not written yet, the next one last; and the last order that was read.
    Writing(Vec<OrderId>, Option<OrderId>),
    /// Units that no holder has.
    Counted(i8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Buyer {
    pub(super) asks_left: u8,
    pub(super) deciding: Option<Deciding>,
}

/// A claim that was decided and may not be answered before replicas have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Deciding {
    pub(super) process: u8,
    /// The id that the claim was made with.
    pub(super) asked: OrderId,
    /// The order that the gate named.
    pub(super) named: OrderId,
    pub(super) is_confirmed: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Late {
    pub(super) order: OrderId,
    /// The master it was sent to.
    pub(super) to: u8,
}

impl World {
    /// A sale that is open, with nobody in it yet; the first process drains.
    pub(super) fn new(scope: Scope) -> Self {
        let units = i8::try_from(scope.units).unwrap();
        let master = Redis {
            stamp: 1,
            gate: Some(Gate {
                is_open: true,
                load: 1,
                stamp: 1,
                stock: units,
                initial: units,
                items: Vec::new(),
            }),
            stream: Vec::new(),
            last_entry: 0,
            passed: Vec::new(),
        };
        let mut process = Process {
            doubts: vec![None; usize::from(scope.buyers)],
            ..Process::default()
        };
        let idle = process.clone();
        process.drain = Some(Drain {
            fence: 1,
            has_reclaimed: true,
            hand: Vec::new(),
        });
        Self {
            master,
            isolated: None,
            lagging: None,
            ledger: Ledger {
                stock: units,
                fence: 1,
                last_load: 1,
                sealed: 0,
                is_down: false,
                rows: Vec::new(),
                outbox: Vec::new(),
            },
            processes: [process, idle],
            buyers: vec![
                Buyer {
                    asks_left: scope.asks,
                    deciding: None,
                };
                usize::from(scope.buyers)
            ],
            late: Vec::new(),
            last_fence: 1,
            last_stamp: 1,
            left: scope,
        }
    }

    /// The server that a process talks to.
    pub(super) fn redis(&self, process: usize) -> &Redis {
        match (&self.isolated, self.processes[process].is_isolated) {
            (Some(isolated), true) => isolated,
            _ => &self.master,
        }
    }

    pub(super) fn redis_mut(&mut self, process: usize) -> &mut Redis {
        match (&mut self.isolated, self.processes[process].is_isolated) {
            (Some(isolated), true) => isolated,
            _ => &mut self.master,
        }
    }

    pub(super) fn row(&self, order: OrderId) -> &Row {
        &self.ledger.rows[usize::from(order)]
    }

    pub(super) fn row_mut(&mut self, order: OrderId) -> &mut Row {
        &mut self.ledger.rows[usize::from(order)]
    }

    pub(super) fn orders(&self) -> impl Iterator<Item = OrderId> + use<> {
        (0..self.ledger.rows.len()).map(|at| OrderId::try_from(at).unwrap())
    }

    /// Nothing is on its way anywhere.
    pub(super) fn is_quiescent(&self) -> bool {
        let is_idle = |process: &Process| {
            let drain = process.drain.as_ref();
            drain.is_none_or(|drain| drain.hand.is_empty())
                && process.load.is_none()
                && process.unapplied.is_empty()
        };
        self.isolated.is_none()
            && self.master.stream.is_empty()
            && self.late.is_empty()
            && self.ledger.outbox.is_empty()
            && !self.ledger.is_down
            && self.processes.iter().all(is_idle)
            && self.buyers.iter().all(|buyer| buyer.deciding.is_none())
    }
}
