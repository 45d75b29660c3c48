//! Claims and their answers (`claim/batcher/task.rs`, `claim/batcher/replica_confirmation.rs`,
//! `claim/batcher/unresolved.rs`).

use super::scripts::Verdict;
use super::world::{Deciding, Fate, Late, OrderId, Row, World};
use super::{Event, Guard, Protocol};

/// What becomes of the call that carries a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Call {
    Answered,
    ReplyLost,
    /// It reaches Redis later, or never.
    Delayed,
}

impl Protocol {
    pub(super) fn buyer_events(&self, world: &World, events: &mut Vec<Event>) {
        for (buyer, state) in world.buyers.iter().enumerate() {
            if state.deciding.is_some() {
                events.extend([Event::Confirm(buyer), Event::GiveUp(buyer)]);
            } else if state.asks_left > 0 {
                self.claim_events(world, buyer, events);
            }
        }
        for at in 0..world.late.len() {
            events.push(Event::LateClaim(at));
        }
    }

    fn claim_events(&self, world: &World, buyer: usize, events: &mut Vec<Event>) {
        let [one, other] = &world.processes;
        // Without a doubt and on the same server it does not matter which of them is asked.
        let differ =
            one.doubts[buyer] != other.doubts[buyer] || one.is_isolated != other.is_isolated;
        for process in 0..=usize::from(differ) {
            if self.open_gate(world.redis(process)).is_none() {
                continue;
            }
            let mut claim = |call| {
                events.push(Event::Claim {
                    buyer,
                    process,
                    call,
                });
            };
            claim(Call::Answered);
            if world.left.lost_replies > 0 {
                claim(Call::ReplyLost);
            }
            if world.left.late_claims > 0 {
                claim(Call::Delayed);
            }
        }
    }

    pub(super) fn ask(&self, world: &mut World, buyer: usize, process: usize, call: Call) {
        world.buyers[buyer].asks_left -= 1;
        let (order, is_fresh) = match world.processes[process].doubts[buyer] {
            Some(order) => (order, false),
            None => (self.choose_id(world, buyer), true),
        };
        match call {
            Call::Delayed => {
                world.left.late_claims -= 1;
                let to = world.redis(process).stamp;
                world.late.push(Late { order, to });
                world.late.sort_unstable();
                world.processes[process].doubts[buyer] = Some(order);
            }
            Call::ReplyLost => {
                world.left.lost_replies -= 1;
                self.run_claim(world, process, order);
                world.processes[process].doubts[buyer] = Some(order);
            }
            Call::Answered => {
                let verdict = self.run_claim(world, process, order);
                self.note_reply(world, buyer, process, order, verdict);
                let is_used = verdict
                    == (Verdict::Holds {
                        order,
                        is_new: true,
                    })
                    || world.buyers[buyer].deciding.is_some();
                if is_fresh && !is_used {
                    // An id that is not known anywhere.
                    world.ledger.rows.pop();
                }
            }
        }
    }

    fn choose_id(&self, world: &mut World, buyer: usize) -> OrderId {
        let is_first = world.ledger.rows.is_empty();
        world.ledger.rows.push(Row {
            buyer: u8::try_from(buyer).unwrap(),
            fate: Fate::Absent,
            load: 0,
            is_acknowledged: false,
            is_exposed: false,
            is_poisoned: is_first && self.scope.poison,
        });
        OrderId::try_from(world.ledger.rows.len() - 1).unwrap()
    }

    fn run_claim(&self, world: &mut World, process: usize, order: OrderId) -> Verdict {
        let rows = world.ledger.rows.clone();
        let verdict = self.claim(world.redis_mut(process), &rows, order);
        if verdict.is_grant() {
            let redis = world.redis(process);
            let (load, stamp) = (redis.gate.as_ref().map_or(0, |gate| gate.load), redis.stamp);
            self.note_grant(world, order, load, stamp);
        }
        verdict
    }

    /// What a process does with a decision.
    fn note_reply(
        &self,
        world: &mut World,
        buyer: usize,
        process: usize,
        asked: OrderId,
        verdict: Verdict,
    ) {
        match verdict {
            Verdict::NotLoaded => {}
            Verdict::SoldOut => world.processes[process].doubts[buyer] = None,
            Verdict::Holds { order, .. } => {
                if self.scope.replicas && self.keeps(Guard::AnswerWaitsForReplicas) {
                    world.buyers[buyer].deciding = Some(Deciding {
                        process: u8::try_from(process).unwrap(),
                        asked,
                        named: order,
                        is_confirmed: false,
                    });
                } else {
                    self.acknowledge(world, buyer, process, order);
                }
            }
        }
    }

    fn acknowledge(&self, world: &mut World, buyer: usize, process: usize, order: OrderId) {
        // The id of an order that was dead-lettered before is no new promise: its buyer was notified of that.
        let row = world.row_mut(order);
        row.is_acknowledged |= row.fate != Fate::DeadLettered;
        world.buyers[buyer].deciding = None;
        world.processes[process].doubts[buyer] = None;
    }

    /// Replicas confirm, if they are in step; then the gate is asked again.
    pub(super) fn confirm(&self, world: &mut World, buyer: usize) -> Option<()> {
        let deciding = world.buyers[buyer].deciding?;
        let process = usize::from(deciding.process);
        let is_in_step = self.is_replicated(world, process);
        if !deciding.is_confirmed {
            world.buyers[buyer].deciding.as_mut()?.is_confirmed = is_in_step.then_some(true)?;
            if self.keeps(Guard::GateIsAskedAgainAfterReplicas) {
                return Some(());
            }
            self.acknowledge(world, buyer, process, deciding.named);
            return Some(());
        }
        match self.run_claim(world, process, deciding.asked) {
            Verdict::Holds {
                order,
                is_new: false,
            } => {
                self.acknowledge(world, buyer, process, order);
            }
            Verdict::Holds { is_new: true, .. } => {
                world.buyers[buyer].deciding.as_mut()?.is_confirmed = false;
            }
            Verdict::NotLoaded | Verdict::SoldOut => self.give_up(world, buyer)?,
        }
        Some(())
    }

    /// Whether a replica has everything that the master of this process has: `replicas.rs`.
    pub(super) fn is_replicated(&self, world: &World, process: usize) -> bool {
        world.lagging.is_none() && !world.processes[process].is_isolated
    }

    /// No answer in time: the outcome is not known, and the process keeps the id.
    pub(super) fn give_up(&self, world: &mut World, buyer: usize) -> Option<()> {
        let deciding = world.buyers[buyer].deciding.take()?;
        let process = &mut world.processes[usize::from(deciding.process)];
        process.doubts[buyer] = Some(deciding.asked);
        Some(())
    }

    /// A claim arrives whose process does not wait any more.
    pub(super) fn late_claim(&self, world: &mut World, at: usize) {
        let late = world.late.remove(at);
        let rows = world.ledger.rows.clone();
        let here = world.master.stamp;
        let redis = match &mut world.isolated {
            Some(isolated) if isolated.stamp == late.to => isolated,
            _ if late.to == here => &mut world.master,
            _ => return,
        };
        if self.claim(redis, &rows, late.order).is_grant() {
            let load = redis.gate.as_ref().map_or(0, |gate| gate.load);
            self.note_grant(world, late.order, load, late.to);
        }
    }

    /// What only an isolated master has is not promised, unless replicas confirm.
    fn note_grant(&self, world: &mut World, order: OrderId, load: u8, stamp: u8) {
        let is_exposed = stamp != world.master.stamp && !self.scope.replicas;
        let row = world.row_mut(order);
        row.is_exposed = is_exposed;
        row.load = if self.scope.seals { load } else { 0 };
    }
}
