//! Loads (`load/loader.rs`, `load/steps.rs`, `stream/barrier.rs`), without the lock around them: two loaders at once must be
//! harmless, and a lock can be lost.

use super::world::{Body, Load, OrderId, Phase, World};
use super::{Event, Guard, Protocol};

impl Protocol {
    pub(super) fn load_events(&self, world: &World, process: usize, events: &mut Vec<Event>) {
        let redis = world.redis(process);
        let Some(load) = &world.processes[process].load else {
            if world.left.loads > 0 && self.open_gate(redis).is_none() {
                events.push(Event::OpenLoad(process));
            }
            return;
        };
        let is_passed = redis.passed.contains(&load.number);
        let is_lost = self.closed_by(redis, load.number).is_none();
        match load.phase {
            Phase::AtBarrier if is_lost && self.keeps(Guard::GateIsClosedBeforeTheBarrier) => {
                events.push(Event::AbandonLoad(process));
            }
            Phase::AtBarrier if !is_passed && self.keeps(Guard::LoadWaitsForABarrier) => {}
            _ => events.push(Event::StepLoad(process)),
        }
    }

    /// `open_load`: a number that no load before had.
    pub(super) fn open_load(&self, world: &mut World, process: usize) {
        world.left.loads -= 1;
        world.ledger.last_load += 1;
        world.processes[process].load = Some(Load {
            number: world.ledger.last_load,
            phase: Phase::Numbered,
        });
    }

    /// The next step of a load; it ends where it finds itself overtaken.
    pub(super) fn step_load(&self, world: &mut World, process: usize) -> Option<()> {
        let Load { number, phase } = world.processes[process].load.take()?;
        let next = match phase {
            Phase::Numbered => self.close(world, process, number),
            Phase::AtBarrier => self.leave_barrier(world, process, number),
            Phase::Writing(left, last) => self.write(world, process, number, left, last),
            Phase::Counted(units) => {
                self.open(world.redis_mut(process), number, units);
                None
            }
        };
        world.processes[process].load = next.map(|phase| Load { number, phase });
        Some(())
    }

    fn close(&self, world: &mut World, process: usize, number: u8) -> Option<Phase> {
        let redis = world.redis_mut(process);
        if self.keeps(Guard::GateIsClosedBeforeTheBarrier) && !self.begin_load(redis, number) {
            return None;
        }
        if self.keeps(Guard::LoadWaitsForABarrier) {
            redis.append(Body::Barrier(number));
        }
        Some(Phase::AtBarrier)
    }

    fn leave_barrier(&self, world: &mut World, process: usize, number: u8) -> Option<Phase> {
        let redis = world.redis_mut(process);
        if !self.keeps(Guard::GateIsClosedBeforeTheBarrier) && !self.begin_load(redis, number) {
            return None;
        }
        if self.scope.seals {
            world.ledger.sealed = world.ledger.sealed.max(number);
        }
        Some(read_page(world, None))
    }

    /// Writes one holder, or reads the next page, or counts if there is none.
    fn write(
        &self,
        world: &mut World,
        process: usize,
        number: u8,
        mut left: Vec<OrderId>,
        last: Option<OrderId>,
    ) -> Option<Phase> {
        if let Some(order) = left.pop() {
            let written = self.write_holder(world.redis_mut(process), number, order);
            return written.then_some(Phase::Writing(left, last));
        }
        match read_page(world, last) {
            Phase::Writing(page, last) if !page.is_empty() => Some(Phase::Writing(page, last)),
            _ => self.count(world, process, number),
        }
    }

    fn count(&self, world: &mut World, process: usize, number: u8) -> Option<Phase> {
        let gate = self.closed_by(world.redis(process), number)?;
        let unsold = i8::try_from(self.scope.units).unwrap() - gate.initial;
        (unsold >= 0 && unsold <= world.ledger.stock).then_some(Phase::Counted(unsold))
    }
}

/// `holdings` above an id.
fn read_page(world: &World, last: Option<OrderId>) -> Phase {
    let live = world.ledger.live();
    let mut page: Vec<OrderId> = live.filter(|order| Some(*order) > last).collect();
    let last = page.last().copied().or(last);
    page.reverse();
    Phase::Writing(page, last)
}
