//! The whole protocol of a flash sale as a model, checked in every order of events.
//!
//! Two processes claim, drain, load and give back for a few buyers and one or two units, while replies are lost, calls
//! come late, gates vanish, a lagging replica takes over (with the old master dead, or still reached by some), processes
//! crash, drain workers sleep through their lease and the database fails. Every step of the engine that others can come
//! in between is an event of its own. Each file of `model/` names the files it mirrors; the rules of a failover are those
//! of ADR 0031.
//!
//! What must hold, whatever happens in whatever order:
//! * no oversell: no more orders are acknowledged and not ended than there are units;
//! * one live order each, acknowledged and in the ledger;
//! * acknowledged = recorded exactly once: none is dead-lettered that the ledger could take, none is missing in the end;
//! * no unit is lost: when nothing is on its way, gate and ledger have the same units and the same holders;
//! * nothing waits for ever on something that does not come.
//!
//! A model that finds nothing proves little. So each guard of the protocol can be taken out, and then a counter-example
//! must be found: the name of the test says which (`guards.rs`). What is not promised is shown in the same way
//! (`limits.rs`). `FLASH_MODEL=large` checks larger bounds, which takes minutes.
//!
//! Left out: sales spread over several buckets, changes of terms, brokers between stream and ledger. The lock of a load
//! is left out on purpose, and the lease of a drain worker is no more than its fence.

mod buyers;
mod drain;
mod faults;
mod guards;
mod ledger;
mod limits;
mod load;
mod properties;
mod scopes;
mod scripts;
mod world;

use stateright::{Checker, HasDiscoveries, Model, Property};

use buyers::Call;
use properties::{BOOKS, ONE_EACH, OVERSELL, RECORDED, STUCK, UNITS};
use scopes::Scope;
use world::{OrderId, PROCESSES, World};

/// What keeps the protocol right, and where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Guard {
    /// `claim.lua`: an order id that is known is granted again, and nothing else.
    RepeatedClaimIsTheSame,
    /// `claim.lua`: a buyer at the limit gets no more.
    ClaimCountsWhatIsHeld,
    /// `claim.lua`: a gate that was loaded on another master is not loaded.
    ClaimComparesTheStamp,
    /// `claim/batcher/replica_confirmation.rs`: an order is replied when replicas have it.
    AnswerWaitsForReplicas,
    /// `claim/batcher/replica_confirmation.rs`: the replicas that confirmed may have another master.
    GateIsAskedAgainAfterReplicas,
    /// `drain/drain_loop.rs`: a lease of an isolated master does not allow draining.
    SeatWaitsForReplicas,
    /// `drain/replica_check.rs`: nothing is recorded that an isolated master alone has.
    DrainWaitsForReplicas,
    /// `return_units.lua`: only an order that holds a unit gives one back.
    ReturnLooksAtTheHolder,
    /// `return_units.lua`: a claim that comes late finds its order ended.
    EndedOrderStaysKnown,
    /// `return_units.lua`: an order that the loader has read and not written stays out.
    ReturnMarksALoadingGate,
    /// The outbox: a row goes when its effect is made.
    EffectComesBeforeTheRowGoes,
    /// `load.rs`: what was granted is in the ledger before that is read.
    LoadWaitsForABarrier,
    /// `load.rs`: nothing is granted behind the barrier.
    GateIsClosedBeforeTheBarrier,
    /// `begin_load.lua`, `load_holders.lua`, `open_gate.lua`: a load that was overtaken writes nothing.
    LoadsAreNumbered,
    /// `load_holders.lua`, `open_gate.lua`: a load ends with the master it began on.
    LoadComparesTheStamp,
    /// `drain/in_flight.rs`: also for entries whose id is higher, from another master's clock.
    BarrierWaitsForWhatArrivedBefore,
    /// `pass_barrier.lua`: also for entries that another drain worker has.
    BarrierSeesWhatIsPending,
    /// `drain/drain_loop.rs`: a worker that passes a barrier still has the lease.
    SeatIsConfirmedForABarrier,
    /// `storage/flash_sales/leases.rs`: a drain worker that was replaced records nothing.
    SeatIsFenced,
    /// `stream.rs`: a worker that takes over begins with what is pending.
    PendingIsReclaimed,
    /// `drain/drain_loop.rs`: nothing is acknowledged before it is committed.
    CommitComesBeforeAck,
    /// `storage/flash_sales/write.rs`: an order that is there is not recorded again.
    LedgerKnowsItsOrders,
    /// `storage/flash_sales/write.rs`: a dead-lettered order is not recorded later.
    DeadLetterIsFinal,
    /// `drain/parked.rs`: an order is at fault if it fails between recordings of others.
    DeadLetterNeedsProof,
}

#[derive(Clone, Debug)]
struct Protocol {
    scope: Scope,
    without: Option<Guard>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Event {
    Claim {
        buyer: usize,
        process: usize,
        call: Call,
    },
    LateClaim(usize),
    Confirm(usize),
    GiveUp(usize),
    TakeLease(usize),
    Read(usize),
    Reclaim(usize),
    Record(usize, usize),
    DeadLetter(usize, usize),
    Settle(usize),
    PassBarrier(usize, usize),
    Cancel(OrderId),
    ApplyReturn(usize, usize),
    ApplyReturnOnly(usize, usize),
    ApplyLater(usize),
    OpenLoad(usize),
    StepLoad(usize),
    AbandonLoad(usize),
    LoseGate,
    FallBehind,
    Promote,
    PromoteBesideIsolatedMaster,
    Reconnect(usize),
    Crash(usize),
    LedgerFails,
    LedgerRecovers,
    Reconcile,
}

impl Model for Protocol {
    type State = World;
    type Action = Event;

    fn init_states(&self) -> Vec<World> {
        vec![World::new(self.scope)]
    }

    fn actions(&self, world: &World, events: &mut Vec<Event>) {
        self.progress_events(world, events);
        self.buyer_events(world, events);
        self.cancel_events(world, events);
        self.fault_events(world, events);
    }

    fn next_state(&self, last: &World, event: Event) -> Option<World> {
        let mut world = last.clone();
        self.happen(&mut world, event)?;
        Some(world)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        properties::all()
    }
}

impl Protocol {
    fn keeps(&self, guard: Guard) -> bool {
        self.without != Some(guard)
    }

    /// What the engine does by itself sooner or later.
    fn progress_events(&self, world: &World, events: &mut Vec<Event>) {
        for process in 0..PROCESSES {
            self.drain_events(world, process, events);
            self.load_events(world, process, events);
        }
        self.return_events(world, events);
        self.reconcile_events(world, events);
    }

    /// Nothing if the event changes nothing.
    fn happen(&self, world: &mut World, event: Event) -> Option<()> {
        match event {
            Event::Claim {
                buyer,
                process,
                call,
            } => self.ask(world, buyer, process, call),
            Event::LateClaim(at) => self.late_claim(world, at),
            Event::Confirm(buyer) => self.confirm(world, buyer)?,
            Event::GiveUp(buyer) => self.give_up(world, buyer)?,
            Event::TakeLease(process) => self.take_lease(world, process),
            Event::Read(process) => self.read(world, process)?,
            Event::Reclaim(process) => self.reclaim(world, process)?,
            Event::Record(process, at) => self.record(world, process, at)?,
            Event::DeadLetter(process, at) => self.dead_letter(world, process, at)?,
            Event::Settle(process) => self.settle(world, process)?,
            Event::PassBarrier(process, at) => self.try_barrier(world, process, at)?,
            Event::Cancel(order) => {
                world.left.returns -= 1;
                world.ledger.cancel(order);
            }
            Event::ApplyReturn(process, at) => self.apply_return(world, process, at),
            Event::ApplyReturnOnly(process, at) => self.apply_return_only(world, process, at),
            Event::ApplyLater(process) => {
                let given = world.processes[process].unapplied.pop()?;
                self.return_unit(world.redis_mut(process), given);
            }
            Event::OpenLoad(process) => self.open_load(world, process),
            Event::StepLoad(process) => self.step_load(world, process)?,
            Event::AbandonLoad(process) => world.processes[process].load = None,
            Event::LoseGate => {
                world.left.gate_losses -= 1;
                world.master.gate = None;
            }
            Event::FallBehind => world.lagging = Some(world.master.clone()),
            Event::Promote => self.promote(world, false)?,
            Event::PromoteBesideIsolatedMaster => self.promote(world, true)?,
            Event::Reconnect(process) => self.reconnect(world, process),
            Event::Crash(process) => self.crash(world, process),
            Event::LedgerFails => {
                world.left.outages -= 1;
                world.ledger.is_down = true;
            }
            Event::LedgerRecovers => world.ledger.is_down = false,
            Event::Reconcile => self.reconcile(world)?,
        }
        Some(())
    }
}

/// Checks a scope to its end and tells how many states it has.
fn assert_holds(name: &str, scope: Scope) -> usize {
    let without = None;
    let states = assert_all(Protocol { scope, without });
    eprintln!("{name}: {states} states");
    states
}

/// The guard could be taken out.
fn assert_holds_without(guard: Guard, scope: Scope) {
    let without = Some(guard);
    assert_all(Protocol { scope, without });
}

fn assert_all(protocol: Protocol) -> usize {
    let checker = protocol.checker().threads(2);
    let checker = checker.finish_when(HasDiscoveries::AnyFailures);
    let checked = checker.spawn_bfs().join();
    checked.assert_properties();
    checked.unique_state_count()
}

/// No schedule of a counter-example is as long as this.
const LONGEST: usize = 60;

/// Schedules are looked for up to this many events, then twice as many, and so on: what is found is short.
const DEPTHS: usize = 8;

/// Without the guard there is a schedule that breaks this; a short one is printed. With it the same scope holds.
fn assert_needed(guard: Guard, scope: Scope, property: &'static str) {
    assert_broken(Some(guard), scope, property);
    assert!(scopes::all(false).iter().any(|(_, it)| *it == scope));
}

fn assert_broken(without: Option<Guard>, scope: Scope, property: &'static str) {
    let protocol = Protocol { scope, without };
    let schedule = (DEPTHS..LONGEST).step_by(DEPTHS).find_map(|depth| {
        let checker = protocol.clone().checker().target_max_depth(depth);
        let checker = checker.finish_when(HasDiscoveries::AllOf([property].into()));
        checker.spawn_bfs().join().discovery(property)
    });
    let schedule = schedule.unwrap_or_else(|| panic!("{without:?} is not needed in {scope:?}"));
    eprintln!("without {without:?} not {property:?}:");
    for event in schedule.into_actions() {
        eprintln!("  {event:?}");
    }
}

#[test]
fn the_protocol_holds_in_every_order_of_events() {
    let large = std::env::var("FLASH_MODEL").is_ok_and(|size| size == "large");
    let scopes = scopes::all(large).into_iter();
    let states: usize = scopes.map(|(name, scope)| assert_holds(name, scope)).sum();
    eprintln!("{states} states in all");
    // A model that was cut short would hold, too.
    assert!(states > 100_000, "{states}");
}
