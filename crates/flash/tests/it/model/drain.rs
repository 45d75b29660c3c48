//! Drain workers (`drain.rs`, `drain/drain_loop.rs`, `drain/recorder.rs`, `drain/parked.rs`, `drain/in_flight.rs`,
//! `stream.rs`) and the relay of the outbox.

use super::ledger::WriteOutcome;
use super::world::{Body, Drain, Fate, Job, OrderId, Progress, Return, World};
use super::{Event, Guard, Protocol};

impl Protocol {
    pub(super) fn drain_events(&self, world: &World, process: usize, events: &mut Vec<Event>) {
        let Some(drain) = &world.processes[process].drain else {
            let mut others = world.processes.iter();
            let is_free = others.all(|other| other.drain.is_none());
            let is_reached = !world.processes[process].is_isolated || world.left.isolated_leases;
            let waits = self.scope.replicas && self.keeps(Guard::SeatWaitsForReplicas);
            let is_reached = is_reached && (!waits || self.is_replicated(world, process));
            if is_reached && (is_free || world.left.takeovers > 0) {
                events.push(Event::TakeLease(process));
            }
            return;
        };
        let stream = &world.redis(process).stream;
        let is_mine = |reader: Option<u8>| reader == Some(drain.fence);
        let mut entries = stream.iter();
        if drain.has_reclaimed && entries.any(|entry| entry.reader.is_none()) {
            events.push(Event::Read(process));
        }
        let mut entries = stream.iter();
        let others_have = entries.any(|entry| entry.reader.is_some() && !is_mine(entry.reader));
        if !drain.has_reclaimed || others_have {
            events.push(Event::Reclaim(process));
        }
        if drain.hand.iter().any(|job| self.may_settle(world, job)) {
            events.push(Event::Settle(process));
        }
        for (at, job) in drain.hand.iter().enumerate() {
            match (job.body, job.progress) {
                (Body::Barrier(_), _) => events.push(Event::PassBarrier(process, at)),
                (_, Progress::New) => events.push(Event::Record(process, at)),
                (_, Progress::Failed { .. }) => {
                    events.push(Event::Record(process, at));
                    if self.is_proven(job) && !world.ledger.is_down {
                        events.push(Event::DeadLetter(process, at));
                    }
                }
                (_, Progress::Refused { .. }) => events.push(Event::DeadLetter(process, at)),
                (_, Progress::Done) => {}
            }
        }
    }

    /// Takes the lease, and its row in the ledger.
    pub(super) fn take_lease(&self, world: &mut World, process: usize) {
        let mut others = world.processes.iter();
        let is_free = others.all(|other| other.drain.is_none());
        world.left.takeovers -= u8::from(!is_free);
        world.last_fence += 1;
        world.ledger.fence = world.last_fence;
        world.processes[process].drain = Some(Drain {
            fence: world.last_fence,
            has_reclaimed: !self.keeps(Guard::PendingIsReclaimed),
            hand: Vec::new(),
        });
    }

    /// `XREADGROUP`: what was delivered to nobody.
    pub(super) fn read(&self, world: &mut World, process: usize) -> Option<()> {
        self.take(world, process, |_| false)
    }

    /// `XAUTOCLAIM`: what was delivered to anybody and is not acknowledged.
    pub(super) fn reclaim(&self, world: &mut World, process: usize) -> Option<()> {
        if !self.keeps(Guard::PendingIsReclaimed) {
            return None;
        }
        self.take(world, process, |reader| reader.is_some())?;
        world.processes[process].drain.as_mut()?.has_reclaimed = true;
        Some(())
    }

    fn take(
        &self,
        world: &mut World,
        process: usize,
        is_wanted: impl Fn(Option<u8>) -> bool,
    ) -> Option<()> {
        let mut drain = world.processes[process].drain.take()?;
        let wants_new = !is_wanted(Some(0));
        for entry in &mut world.redis_mut(process).stream {
            let is_new = wants_new && entry.reader.is_none();
            if is_new || is_wanted(entry.reader) {
                entry.reader = Some(drain.fence);
                if drain.hand.iter().all(|job| job.id != entry.id) {
                    drain.hand.push(Job {
                        id: entry.id,
                        body: entry.body,
                        progress: Progress::New,
                    });
                }
            }
        }
        world.processes[process].drain = Some(drain);
        Some(())
    }

    /// One transaction for one order: batches are halved until an order is alone.
    pub(super) fn record(&self, world: &mut World, process: usize, at: usize) -> Option<()> {
        if self.scope.replicas && self.keeps(Guard::DrainWaitsForReplicas) {
            self.is_replicated(world, process).then_some(())?;
        }
        let drain = world.processes[process].drain.as_mut()?;
        let Body::Order(order) = drain.hand[at].body else {
            return None;
        };
        let fence = drain.fence;
        let written = self.write_order(&mut world.ledger, fence, order);
        drain.hand[at].progress = match written {
            WriteOutcome::Fenced => {
                world.processes[process].drain = None;
                return Some(());
            }
            WriteOutcome::Failed => fail(drain.hand[at].progress, self.scope.proofs),
            WriteOutcome::New | WriteOutcome::AlreadyRecorded => Progress::Done,
            WriteOutcome::Refused { restock } => Progress::Refused { restock },
        };
        if written == WriteOutcome::New {
            for job in &mut drain.hand {
                if let Progress::Failed { recorded_since, .. } = &mut job.progress {
                    *recorded_since = true;
                }
            }
        }
        Some(())
    }

    fn is_proven(&self, job: &Job) -> bool {
        let needed = match self.keeps(Guard::DeadLetterNeedsProof) {
            true => self.scope.proofs,
            false => 0,
        };
        matches!(job.progress, Progress::Failed { proofs, recorded_since: true } if proofs >= needed)
    }

    pub(super) fn dead_letter(&self, world: &mut World, process: usize, at: usize) -> Option<()> {
        let drain = world.processes[process].drain.as_mut()?;
        let Body::Order(order) = drain.hand[at].body else {
            return None;
        };
        let restock = match drain.hand[at].progress {
            Progress::Refused { restock } => restock,
            _ => true,
        };
        let given = Return { order, restock };
        match self.record_dead_letter(&mut world.ledger, drain.fence, given) {
            Some(()) => drain.hand[at].progress = Progress::Done,
            None => world.processes[process].drain = None,
        }
        Some(())
    }

    /// Whether an entry may be acknowledged. Without the guard: as soon as it was read.
    fn may_settle(&self, world: &World, job: &Job) -> bool {
        match job.body {
            Body::Order(_) if job.progress == Progress::Done => true,
            Body::Order(order) => {
                let is_there = |redis: &super::world::Redis| {
                    redis
                        .stream
                        .iter()
                        .any(|entry| entry.body == Body::Order(order))
                };
                !self.keeps(Guard::CommitComesBeforeAck) && is_there(&world.master)
            }
            Body::Barrier(_) => false,
        }
    }

    pub(super) fn settle(&self, world: &mut World, process: usize) -> Option<()> {
        let drain = world.processes[process].drain.clone()?;
        for job in &drain.hand {
            if self.may_settle(world, job) {
                world.redis_mut(process).settle(job.id);
            }
        }
        let drain = world.processes[process].drain.as_mut()?;
        drain.hand.retain(|job| job.progress != Progress::Done);
        Some(())
    }

    pub(super) fn try_barrier(&self, world: &mut World, process: usize, at: usize) -> Option<()> {
        let drain = world.processes[process].drain.clone()?;
        let barrier = drain.hand[at];
        let Body::Barrier(load) = barrier.body else {
            return None;
        };
        let is_before = |(place, job): (usize, &Job)| {
            let arrived = place < at && self.keeps(Guard::BarrierWaitsForWhatArrivedBefore);
            matches!(job.body, Body::Order(_))
                && job.progress != Progress::Done
                && (arrived || job.id.number < barrier.id.number)
        };
        if drain.hand.iter().enumerate().any(is_before) {
            return None;
        }
        if drain.fence < world.ledger.fence && self.keeps(Guard::SeatIsConfirmedForABarrier) {
            world.processes[process].drain = None;
            return Some(());
        }
        let passed = self.pass_barrier(world.redis_mut(process), barrier.id, load);
        if passed {
            world.processes[process].drain.as_mut()?.hand.remove(at);
        }
        passed.then_some(())
    }

    /// The relay of the outbox: the effect first, then the row goes.
    pub(super) fn apply_return(&self, world: &mut World, process: usize, at: usize) {
        let given = world.ledger.outbox.remove(at);
        match self.keeps(Guard::EffectComesBeforeTheRowGoes) {
            true => self.return_unit(world.redis_mut(process), given),
            false => world.processes[process].unapplied.push(given),
        }
    }

    /// The relay dies between the effect and the end of the row.
    pub(super) fn apply_return_only(&self, world: &mut World, process: usize, at: usize) {
        world.left.repeats -= 1;
        let given = world.ledger.outbox[at];
        self.return_unit(world.redis_mut(process), given);
    }

    pub(super) fn return_events(&self, world: &World, events: &mut Vec<Event>) {
        let [one, other] = &world.processes;
        for process in 0..=usize::from(one.is_isolated != other.is_isolated) {
            for at in 0..world.ledger.outbox.len() {
                events.push(Event::ApplyReturn(process, at));
                if world.left.repeats > 0 {
                    events.push(Event::ApplyReturnOnly(process, at));
                }
            }
        }
        for (process, state) in world.processes.iter().enumerate() {
            if !state.unapplied.is_empty() {
                events.push(Event::ApplyLater(process));
            }
        }
    }

    /// Orders that may end: the buyer cancels, or the time to pay is over.
    pub(super) fn cancel_events(&self, world: &World, events: &mut Vec<Event>) {
        if world.left.returns > 0 {
            let live = world
                .orders()
                .filter(|order| world.row(*order).fate == Fate::Live);
            events.extend(live.map(Event::Cancel));
        }
    }
}

fn fail(before: Progress, enough: u8) -> Progress {
    let proofs = match before {
        Progress::Failed {
            proofs,
            recorded_since: true,
        } => (proofs + 1).min(enough),
        Progress::Failed { proofs, .. } => proofs,
        _ => 0,
    };
    Progress::Failed {
        proofs,
        recorded_since: false,
    }
}

/// Whether an entry of this order is anywhere in Redis.
pub(super) fn is_on_its_way(world: &World, order: OrderId) -> bool {
    let mut entries = world.master.stream.iter();
    entries.any(|entry| entry.body == Body::Order(order))
}
