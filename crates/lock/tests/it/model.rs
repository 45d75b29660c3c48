//! The protocol of the mutex as a model, checked in every order of events.
//!
//! Three clients acquire, renew, write to a resource and release over a wire that delays and loses messages, while time
//! passes and one of them may crash. Requests may be repeated although an earlier copy is still on its way. The model
//! says in a page what the scripts and the leases do; what it leaves out is the line of waiters, which only decides
//! whom a free lock goes to.
//!
//! A model that finds nothing proves little, so each guard of the protocol can be taken out, and then a counter-example
//! must be found.

use stateright::{Checker, HasDiscoveries, Model, Property};

const CLIENTS: usize = 3;
/// What the server grants, in ticks.
const LEASE: u8 = 2;
/// What the holder relies on.
const USABLE: u8 = 1;
/// How often the wire may lose a message, a client crash, or repeat itself although it may yet be answered.
const FAULTS: u8 = 1;

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

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct System {
    lock: Option<Held>,
    last_fence: u8,
    ended: [bool; CLIENTS],
    clients: [Client; CLIENTS],
    /// Messages, and whether their sender still waits for what comes of them.
    wire: Vec<(Message, bool)>,
    /// The highest fence that was written with.
    register: u8,
    stale_write: bool,
    faults: u8,
    renewals: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Held {
    owner: usize,
    fence: u8,
    ticks_left: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Client {
    phase: Phase,
    fence: u8,
    /// Ticks for which the holder relies on its lease.
    usable: u8,
    /// Ticks since the request was sent that waits for its answer.
    age: u8,
    served: bool,
    wrote: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Phase {
    Asking,
    /// Refused, until the lock is free.
    Waiting,
    Holding,
    /// Told that the lock is lost, or awake after a long sleep and about to learn it.
    Lost,
    Releasing,
    Done,
    Crashed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Message {
    Acquire(usize),
    Renew(usize),
    Release(usize),
    Granted(usize, u8),
    Refused(usize),
    Renewed(usize, bool),
    Released(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Event {
    Tick,
    Deliver(usize),
    Lose(usize),
    Ask(usize),
    Repeat(usize),
    StartRenewal(usize),
    Write(usize),
    StartRelease(usize),
    Crash(usize),
}

impl Message {
    fn is_request(self) -> bool {
        matches!(self, Self::Acquire(_) | Self::Renew(_) | Self::Release(_))
    }

    fn client(self) -> usize {
        match self {
            Self::Acquire(client)
            | Self::Renew(client)
            | Self::Release(client)
            | Self::Granted(client, _)
            | Self::Refused(client)
            | Self::Renewed(client, _)
            | Self::Released(client) => client,
        }
    }
}

impl Message {
    fn client_mut(&mut self) -> &mut usize {
        match self {
            Self::Acquire(client)
            | Self::Renew(client)
            | Self::Release(client)
            | Self::Granted(client, _)
            | Self::Refused(client)
            | Self::Renewed(client, _)
            | Self::Released(client) => client,
        }
    }
}

impl Protocol {
    fn keeps(&self, rail: GuardRail) -> bool {
        self.without != Some(rail)
    }

    /// What the scripts do.
    fn serve(&self, system: &mut System, (request, awaited): (Message, bool)) {
        let client = request.client();
        let mine = system.lock.filter(|held| held.owner == client);
        let answer = match request {
            Message::Acquire(_) => self.acquire(system, client),
            Message::Renew(_) => {
                let renewed = mine.is_some() || !self.keeps(GuardRail::OwnerIsChecked);
                if let Some(held) = system.lock.as_mut().filter(|_| renewed) {
                    held.ticks_left = LEASE;
                }
                Message::Renewed(client, renewed)
            }
            Message::Release(_) => {
                if mine.is_some() || !self.keeps(GuardRail::OwnerIsChecked) {
                    system.lock = None;
                }
                system.ended[client] = true;
                Message::Released(client)
            }
            answer => answer,
        };
        // An answer that nobody waits for need not travel.
        if awaited && system.clients[client].phase != Phase::Crashed {
            system.send((answer, true));
        }
    }

    fn acquire(&self, system: &mut System, client: usize) -> Message {
        match &mut system.lock {
            Some(held) if held.owner == client => {
                held.ticks_left = LEASE;
                Message::Granted(client, held.fence)
            }
            Some(_) => Message::Refused(client),
            None if system.ended[client] && self.keeps(GuardRail::EndIsRemembered) => {
                Message::Refused(client)
            }
            None => {
                system.last_fence += u8::from(self.keeps(GuardRail::FenceGrows));
                system.lock = Some(Held {
                    owner: client,
                    fence: system.last_fence,
                    ticks_left: LEASE,
                });
                Message::Granted(client, system.last_fence)
            }
        }
    }

    /// What a client does with an answer.
    fn hear(&self, client: &mut Client, answer: Message) {
        let age = match self.keeps(GuardRail::DeadlineFromSending) {
            true => client.age,
            false => 0,
        };
        let usable = USABLE.saturating_sub(age);
        client.age = 0;
        match (answer, client.phase) {
            (Message::Granted(_, fence), Phase::Asking) => {
                client.fence = fence;
                client.served = true;
                client.hold(usable);
            }
            (Message::Refused(_), Phase::Asking) => client.phase = Phase::Waiting,
            (Message::Renewed(_, true), Phase::Holding) => client.hold(client.usable.max(usable)),
            (Message::Renewed(_, false), Phase::Holding) => client.phase = Phase::Lost,
            (Message::Released(_), Phase::Releasing) => client.phase = Phase::Done,
            // Copies of what is known already.
            _ => {}
        }
    }
}

impl Client {
    fn hold(&mut self, usable: u8) {
        self.usable = usable;
        self.phase = match usable {
            0 => Phase::Lost,
            _ => Phase::Holding,
        };
    }

    fn tick(&mut self, awaits_answer: bool) {
        if awaits_answer {
            self.age = (self.age + 1).min(USABLE);
        }
        if self.phase == Phase::Holding {
            self.hold(self.usable - 1);
        }
    }

    /// Whether it waits for an answer, and how it would ask again.
    fn pending(&self, index: usize) -> Option<Message> {
        match self.phase {
            Phase::Asking => Some(Message::Acquire(index)),
            Phase::Releasing => Some(Message::Release(index)),
            _ => None,
        }
    }
}

impl System {
    fn send(&mut self, message: (Message, bool)) {
        // The wire keeps no order; sorted, equal states are recognised as equal.
        let place = self.wire.partition_point(|other| *other <= message);
        self.wire.insert(place, message);
    }

    /// Sends a request, after which the client hears answers to this one only.
    fn request(&mut self, message: Message) {
        let client = message.client();
        self.clients[client].age = 0;
        self.wire
            .retain(|(other, _)| other.client() != client || other.is_request());
        for (other, awaited) in &mut self.wire {
            *awaited &= other.client() != client;
        }
        self.wire.sort_unstable();
        self.send((message, true));
    }

    fn tick(&mut self) {
        for (index, client) in self.clients.iter_mut().enumerate() {
            let mut wire = self.wire.iter();
            client.tick(wire.any(|(message, awaited)| message.client() == index && *awaited));
        }
        if let Some(held) = &mut self.lock {
            held.ticks_left -= 1;
            self.lock = Some(*held).filter(|held| held.ticks_left > 0);
        }
    }

    /// The same for all systems in which only the clients' numbers differ: what holds for one holds for the others.
    fn canonical(self) -> Self {
        let orders = [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ];
        let renumbered = orders.iter().map(|order| self.renumbered(order));
        renumbered.min().unwrap()
    }

    fn renumbered(&self, order: &[usize; CLIENTS]) -> Self {
        let mut other = self.clone();
        for (old, new) in order.iter().enumerate() {
            other.clients[*new] = self.clients[old];
            other.ended[*new] = self.ended[old];
        }
        if let Some(held) = &mut other.lock {
            held.owner = order[held.owner];
        }
        for (message, _) in &mut other.wire {
            *message.client_mut() = order[message.client()];
        }
        other.wire.sort_unstable();
        other
    }

    fn is_unanswered(&self, client: usize) -> bool {
        !self
            .wire
            .iter()
            .any(|(message, _)| message.client() == client)
    }
}

impl Model for Protocol {
    type State = System;
    type Action = Event;

    fn init_states(&self) -> Vec<System> {
        let client = Client {
            phase: Phase::Asking,
            fence: 0,
            usable: 0,
            age: 0,
            served: false,
            wrote: false,
        };
        let mut system = System {
            lock: None,
            last_fence: 0,
            ended: [false; CLIENTS],
            clients: [client; CLIENTS],
            wire: Vec::new(),
            register: 0,
            stale_write: false,
            faults: FAULTS,
            renewals: 1,
        };
        for client in 0..CLIENTS {
            system.request(Message::Acquire(client));
        }
        vec![system]
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
        for (index, client) in system.clients.iter().enumerate() {
            match client.phase {
                Phase::Waiting if system.lock.is_none() => events.push(Event::Ask(index)),
                Phase::Holding | Phase::Lost => events.push(Event::StartRelease(index)),
                _ => {}
            }
            if client.phase == Phase::Holding && system.renewals > 0 {
                events.push(Event::StartRenewal(index));
            }
            if client.phase == Phase::Lost && !client.wrote {
                events.push(Event::Write(index));
            }
            if client.pending(index).is_some() && (system.faults > 0 || system.is_unanswered(index))
            {
                events.push(Event::Repeat(index));
            }
            if system.faults > 0 && matches!(client.phase, Phase::Asking | Phase::Holding) {
                events.push(Event::Crash(index));
            }
        }
    }

    fn next_state(&self, last: &System, event: Event) -> Option<System> {
        let mut system = last.clone();
        match event {
            Event::Tick => system.tick(),
            Event::Deliver(place) => match system.wire.remove(place) {
                request if request.0.is_request() => self.serve(&mut system, request),
                (answer, _) => self.hear(&mut system.clients[answer.client()], answer),
            },
            Event::Lose(place) => {
                system.faults -= 1;
                system.wire.remove(place);
            }
            Event::Ask(index) => {
                system.clients[index].phase = Phase::Asking;
                system.request(Message::Acquire(index));
            }
            Event::Repeat(index) => {
                system.faults -= u8::from(!last.is_unanswered(index));
                system.request(last.clients[index].pending(index)?);
            }
            Event::StartRenewal(index) => {
                system.renewals -= 1;
                system.request(Message::Renew(index));
            }
            Event::Write(index) => self.write(&mut system, index),
            Event::StartRelease(index) => {
                if system.clients[index].phase == Phase::Holding {
                    self.write(&mut system, index);
                }
                system.clients[index].phase = Phase::Releasing;
                system.clients[index].usable = 0;
                system.clients[index].wrote = true;
                system.request(Message::Release(index));
            }
            Event::Crash(index) => {
                system.faults -= 1;
                system.clients[index].phase = Phase::Crashed;
                system.clients[index].usable = 0;
            }
        }
        Some(system.canonical())
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always("one relies on the lock at a time", |_, system: &System| {
                let holders = system.clients.iter();
                let holders = holders.filter(|client| client.phase == Phase::Holding);
                holders.count() <= 1
            }),
            Property::always(
                "who relies on the lock has the newest fence",
                |_, system: &System| {
                    let mut holders = system.clients.iter();
                    holders.all(|client| {
                        client.phase != Phase::Holding || client.fence == system.last_fence
                    })
                },
            ),
            Property::always("no two grants share a fence", |_, system: &System| {
                let served = |client: &&Client| client.served;
                let mut fences: Vec<u8> = (system.clients.iter().filter(served))
                    .map(|client| client.fence)
                    .collect();
                fences.sort_unstable();
                fences.windows(2).all(|pair| pair[0] != pair[1])
            }),
            Property::always(
                "no old holder writes after a newer one",
                |_, system: &System| !system.stale_write,
            ),
            Property::always(
                "nobody owns the lock who has released it",
                |_, system: &System| {
                    let owner = system.lock.map(|held| system.clients[held.owner].phase);
                    owner != Some(Phase::Done)
                },
            ),
            Property::sometimes("a lock outlives its owner", |_, system: &System| {
                let owner = system.lock.map(|held| system.clients[held.owner].phase);
                owner == Some(Phase::Crashed)
            }),
            Property::eventually(
                "everyone is served who does not crash",
                |_, system: &System| {
                    let mut clients = system.clients.iter();
                    clients.all(|client| client.served || client.phase == Phase::Crashed)
                },
            ),
        ]
    }
}

impl Protocol {
    fn write(&self, system: &mut System, index: usize) {
        let fence = system.clients[index].fence;
        if fence >= system.register || !self.keeps(GuardRail::FenceIsChecked) {
            system.stale_write |= fence < system.register;
            system.register = fence;
        }
        system.clients[index].wrote = true;
    }
}

/// Looks for the first property that does not hold, or through everything.
fn check(without: Option<GuardRail>, until: HasDiscoveries) -> impl Checker<Protocol> {
    let model = Protocol { without };
    model
        .checker()
        .threads(2)
        .finish_when(until)
        .spawn_bfs()
        .join()
}

#[test]
fn the_protocol_holds_in_every_order_of_events() {
    let checked = check(None, HasDiscoveries::AnyFailures);
    checked.assert_properties();
    println!("{} states", checked.unique_state_count());
}

fn assert_broken(rail: GuardRail, property: &'static str) {
    let broken = check(Some(rail), HasDiscoveries::AllOf([property].into()));
    let found = broken.discovery(property);
    assert!(found.is_some(), "{:?}", broken.discoveries().keys());
}

#[test]
fn a_deadline_that_counts_from_the_answer_lets_two_rely_on_the_lock() {
    assert_broken(
        GuardRail::DeadlineFromSending,
        "one relies on the lock at a time",
    );
}

#[test]
fn a_release_that_does_not_check_the_owner_lets_two_rely_on_the_lock() {
    assert_broken(
        GuardRail::OwnerIsChecked,
        "one relies on the lock at a time",
    );
}

#[test]
fn a_server_that_forgets_the_end_of_a_token_grants_it_to_nobody() {
    assert_broken(
        GuardRail::EndIsRemembered,
        "nobody owns the lock who has released it",
    );
}

#[test]
fn a_resource_that_does_not_check_fences_is_written_by_an_old_holder() {
    assert_broken(
        GuardRail::FenceIsChecked,
        "no old holder writes after a newer one",
    );
}

#[test]
fn fences_that_do_not_grow_are_shared() {
    assert_broken(GuardRail::FenceGrows, "no two grants share a fence");
}
