//! The protocol of the mutex as a model, checked in every order of events.
//!
//! Three clients acquire, renew, write to a resource and release over a wire that delays and loses messages, while time
//! passes and one of them may crash. Requests may be repeated although an earlier copy is still on its way. The model
//! says in a page what the scripts and the leases do (`rules.rs`); what it leaves out is the queue of waiters, which only
//! decides whom a free lock goes to.
//!
//! A model that finds nothing proves little, so each guard of the protocol can be taken out, and then a counter-example
//! must be found.

mod rules;
mod system;

use stateright::{Checker, HasDiscoveries, Model, Property};

use system::{Phase, System, Word};

const EXCLUSIVE: &str = "one relies on the lock at a time";
const NEWEST: &str = "who relies on the lock has the newest fence";
const DISTINCT: &str = "no two grants share a fence";
const ORDERED: &str = "no old holder writes after a newer one";
const ENDED: &str = "no client owns a lock that it has released";
const ORPHANED: &str = "a lock may outlive its owner";
const LIVE: &str = "everyone is served who does not crash";

/// What keeps the protocol right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GuardRail {
    /// The holder's deadline counts from before it asked.
    DeadlineFromSending,
    /// Only the owner renews and releases.
    OwnerIsChecked,
    /// A token that has ended is not granted again.
    EndIsRemembered,
    /// The resource refuses old fences.
    FenceIsChecked,
    /// A fence is above those before it.
    FenceGrows,
}

#[derive(Clone, Debug)]
struct Protocol {
    without: Option<GuardRail>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Event {
    Tick,
    Deliver(usize),
    Lose(usize),
    Ask(usize),
    Repeat(usize),
    Renew(usize),
    WriteLate(usize),
    Finish(usize),
    Crash(usize),
}

impl Model for Protocol {
    type State = System;
    type Action = Event;

    fn init_states(&self) -> Vec<System> {
        vec![System::new()]
    }

    fn actions(&self, system: &System, events: &mut Vec<Event>) {
        if system.lock.is_some() {
            events.push(Event::Tick);
        }
        for place in 0..system.wire.len() {
            events.push(Event::Deliver(place));
            if system.faults > 0 {
                events.push(Event::Lose(place));
            }
        }
        for client in 0..system.clients.len() {
            client_actions(system, client, events);
        }
    }

    fn next_state(&self, last: &System, event: Event) -> Option<System> {
        let mut system = last.clone();
        match event {
            Event::Tick => system.tick(),
            Event::Deliver(place) => {
                let message = system.wire.remove(place);
                self.deliver(&mut system, message);
            }
            Event::Lose(place) => {
                system.faults -= 1;
                system.wire.remove(place);
            }
            Event::Ask(client) => {
                system.clients[client].phase = Phase::Asking;
                system.request(client, Word::Acquire);
            }
            Event::Repeat(client) => {
                system.faults -= u8::from(!last.is_unanswered(client));
                system.request(client, last.clients[client].pending()?);
            }
            Event::Renew(client) => {
                system.renewals -= 1;
                system.request(client, Word::Renew);
            }
            Event::WriteLate(client) => self.write(&mut system, client),
            Event::Finish(client) => self.finish(&mut system, client),
            Event::Crash(client) => {
                system.faults -= 1;
                system.clients[client].phase = Phase::Crashed;
                system.clients[client].usable = 0;
            }
        }
        Some(system.canonical())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(EXCLUSIVE, |_, system| holders(system).count() <= 1),
            Property::always(NEWEST, |_, system| {
                holders(system).all(|client| client.fence == system.last_fence)
            }),
            Property::always(DISTINCT, |_, system| fences_are_distinct(system)),
            Property::always(ORDERED, |_, system: &System| !system.stale_write),
            Property::always(ENDED, |_, system| owner(system) != Some(Phase::Done)),
            Property::sometimes(ORPHANED, |_, system| owner(system) == Some(Phase::Crashed)),
            Property::eventually(LIVE, |_, system: &System| {
                let mut clients = system.clients.iter();
                clients.all(|client| client.served || client.phase == Phase::Crashed)
            }),
        ]
    }
}

impl Protocol {
    /// A holder writes and releases; one that is past its deadline only releases.
    fn finish(&self, system: &mut System, client: usize) {
        if system.clients[client].phase == Phase::Holding {
            self.write(system, client);
        }
        let done = &mut system.clients[client];
        done.phase = Phase::Releasing;
        done.usable = 0;
        done.wrote = true;
        system.request(client, Word::Release);
    }
}

fn client_actions(system: &System, index: usize, events: &mut Vec<Event>) {
    let client = &system.clients[index];
    match client.phase {
        Phase::Waiting if system.lock.is_none() => events.push(Event::Ask(index)),
        Phase::Holding if system.renewals > 0 => {
            events.extend([Event::Finish(index), Event::Renew(index)]);
        }
        Phase::Holding => events.push(Event::Finish(index)),
        Phase::Lost if !client.wrote => {
            events.extend([Event::Finish(index), Event::WriteLate(index)]);
        }
        Phase::Lost => events.push(Event::Finish(index)),
        _ => {}
    }
    let may_repeat = system.faults > 0 || system.is_unanswered(index);
    if client.pending().is_some() && may_repeat {
        events.push(Event::Repeat(index));
    }
    if system.faults > 0 && matches!(client.phase, Phase::Asking | Phase::Holding) {
        events.push(Event::Crash(index));
    }
}

fn holders(system: &System) -> impl Iterator<Item = &system::Client> {
    let clients = system.clients.iter();
    clients.filter(|client| client.phase == Phase::Holding)
}

/// What the owner of the lock is doing.
fn owner(system: &System) -> Option<Phase> {
    system.lock.map(|held| system.clients[held.owner].phase)
}

fn fences_are_distinct(system: &System) -> bool {
    let served = system.clients.iter().filter(|client| client.served);
    let mut fences: Vec<u8> = served.map(|client| client.fence).collect();
    fences.sort_unstable();
    fences.windows(2).all(|pair| pair[0] != pair[1])
}

fn check(without: Option<GuardRail>, until: HasDiscoveries) -> impl Checker<Protocol> {
    let checker = Protocol { without }.checker().threads(2);
    checker.finish_when(until).spawn_bfs().join()
}

#[test]
fn the_protocol_holds_in_every_order_of_events() {
    let checked = check(None, HasDiscoveries::AnyFailures);
    checked.assert_properties();
    // A model that was cut short would hold, too.
    assert!(checked.unique_state_count() > 300_000);
}

fn assert_broken(rail: GuardRail, property: &'static str) {
    let broken = check(Some(rail), HasDiscoveries::AllOf([property].into()));
    let found = broken.discovery(property);
    assert!(found.is_some(), "{:?}", broken.discoveries().keys());
}

#[test]
fn a_deadline_that_counts_from_the_reply_lets_two_rely_on_the_lock() {
    assert_broken(GuardRail::DeadlineFromSending, EXCLUSIVE);
}

#[test]
fn a_release_that_does_not_check_the_owner_lets_two_rely_on_the_lock() {
    assert_broken(GuardRail::OwnerIsChecked, EXCLUSIVE);
}

#[test]
fn a_server_that_forgets_ended_tokens_grants_the_lock_to_a_dead_token() {
    assert_broken(GuardRail::EndIsRemembered, ENDED);
}

#[test]
fn a_resource_that_does_not_check_fences_is_written_by_an_old_holder() {
    assert_broken(GuardRail::FenceIsChecked, ORDERED);
}

#[test]
fn fences_that_do_not_grow_are_shared() {
    assert_broken(GuardRail::FenceGrows, DISTINCT);
}
