//! What the scripts of the engine do to one Redis server, each in a few lines.

use super::world::{Body, Entry, EntryId, Gate, Item, OrderId, Redis, Return, Row};
use super::{Guard, Protocol};

/// What the gate says to one claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    NotLoaded,
    SoldOut,
    /// The order that the buyer has, and whether this call granted it.
    Holds {
        order: OrderId,
        is_new: bool,
    },
}

impl Verdict {
    pub(super) fn is_grant(self) -> bool {
        matches!(self, Self::Holds { is_new: true, .. })
    }
}

impl Protocol {
    /// Whether a gate may be used on this server (ADR 0031).
    fn is_of(&self, redis: &Redis, gate: &Gate, guard: Guard) -> bool {
        gate.stamp == redis.stamp || !self.keeps(guard)
    }

    /// The gate, if it sells.
    pub(super) fn open_gate<'a>(&self, redis: &'a Redis) -> Option<&'a Gate> {
        let gate = redis.gate.as_ref().filter(|gate| gate.is_open)?;
        self.is_of(redis, gate, Guard::ClaimComparesTheStamp)
            .then_some(gate)
    }

    /// `claim.lua` for one claimant.
    pub(super) fn claim(&self, redis: &mut Redis, rows: &[Row], order: OrderId) -> Verdict {
        if self.open_gate(redis).is_none() {
            return Verdict::NotLoaded;
        }
        let gate = redis.gate.as_mut().expect("it is open");
        let held = |order| Verdict::Holds {
            order,
            is_new: false,
        };
        let is_known = gate.items.iter().any(|item| item.order == order);
        if is_known && self.keeps(Guard::RepeatedClaimIsTheSame) {
            return held(order);
        }
        let buyer = |order: OrderId| rows[usize::from(order)].buyer;
        let mine = |item: &&Item| item.is_live && buyer(item.order) == buyer(order);
        let live = gate.items.iter().filter(mine).count();
        let latest = gate.items.iter().rfind(mine);
        if let Some(latest) = latest
            && live >= usize::from(self.scope.limit)
            && self.keeps(Guard::ClaimCountsWhatIsHeld)
        {
            return held(latest.order);
        }
        if gate.stock <= 0 {
            return Verdict::SoldOut;
        }
        gate.stock -= 1;
        gate.items.push(Item {
            order,
            is_live: true,
        });
        gate.items.sort_unstable();
        redis.append(Body::Order(order));
        Verdict::Holds {
            order,
            is_new: true,
        }
    }

    /// `begin_load.lua`.
    pub(super) fn begin_load(&self, redis: &mut Redis, number: u8) -> bool {
        let before = redis.gate.as_ref();
        if before.is_some_and(|gate| gate.load >= number && self.keeps(Guard::LoadsAreNumbered)) {
            return false;
        }
        redis.gate = Some(Gate {
            is_open: false,
            load: number,
            stamp: redis.stamp,
            stock: 0,
            initial: 0,
            items: Vec::new(),
        });
        true
    }

    /// The gate, if it is closed by this load.
    pub(super) fn closed_by<'a>(&self, redis: &'a Redis, number: u8) -> Option<&'a Gate> {
        let gate = redis.gate.as_ref()?;
        let is_mine = gate.load == number && !gate.is_open;
        let is_mine = is_mine || !self.keeps(Guard::LoadsAreNumbered);
        let is_ours = is_mine && self.is_of(redis, gate, Guard::LoadComparesTheStamp);
        is_ours.then_some(gate)
    }

    /// `load_holders.lua` for one holder.
    pub(super) fn write_holder(&self, redis: &mut Redis, number: u8, order: OrderId) -> bool {
        if self.closed_by(redis, number).is_none() {
            return false;
        }
        let gate = redis.gate.as_mut().expect("it is closed by this load");
        if gate.items.iter().all(|item| item.order != order) {
            gate.items.push(Item {
                order,
                is_live: true,
            });
            gate.items.sort_unstable();
            gate.initial += 1;
        }
        true
    }

    /// `open_gate.lua`.
    pub(super) fn open(&self, redis: &mut Redis, number: u8, units: i8) {
        if self.closed_by(redis, number).is_some() {
            let gate = redis.gate.as_mut().expect("it is closed by this load");
            gate.stock += units;
            gate.initial += units;
            gate.is_open = true;
            // A gate opened on another server than it was closed on is that server's.
            gate.stamp = redis.stamp;
        }
    }

    /// `return_units.lua` for one order.
    pub(super) fn return_unit(&self, redis: &mut Redis, given: Return) {
        let Some(gate) = &mut redis.gate else {
            return;
        };
        let at = gate.items.iter().position(|item| item.order == given.order);
        let was_live = at.is_some_and(|at| gate.items[at].is_live);
        match at {
            Some(at) => gate.items[at].is_live = false,
            None if !gate.is_open && self.keeps(Guard::ReturnMarksALoadingGate) => {
                gate.items.push(Item {
                    order: given.order,
                    is_live: false,
                });
                gate.items.sort_unstable();
            }
            None => {}
        }
        if !self.keeps(Guard::EndedOrderStaysKnown) && gate.is_open {
            gate.items.retain(|item| item.order != given.order);
        }
        if was_live || !self.keeps(Guard::ReturnLooksAtTheHolder) {
            match given.restock {
                true => gate.stock += 1,
                false => gate.initial -= 1,
            }
        }
    }

    /// `pass_barrier.lua`.
    pub(super) fn pass_barrier(&self, redis: &mut Redis, id: EntryId, load: u8) -> bool {
        let mut before = redis.stream.iter();
        let is_pending = before.any(|entry| entry.id.number < id.number && entry.reader.is_some());
        if is_pending && self.keeps(Guard::BarrierSeesWhatIsPending) {
            return false;
        }
        redis.stream.retain(|entry| entry.id != id);
        if !redis.passed.contains(&load) {
            redis.passed.push(load);
            redis.passed.sort_unstable();
        }
        true
    }
}

impl Redis {
    pub(super) fn append(&mut self, body: Body) {
        self.last_entry += 1;
        self.stream.push(Entry {
            id: EntryId {
                number: self.last_entry,
                written_by: self.stamp,
            },
            body,
            reader: None,
        });
    }

    /// `acknowledge.lua`.
    pub(super) fn settle(&mut self, id: EntryId) {
        self.stream.retain(|entry| entry.id != id);
    }
}
