//! What the model is made of: a server with one lock, clients, the messages between them, and a resource.

pub(super) const CLIENTS: usize = 3;
/// What the server grants, in ticks.
pub(super) const LEASE: u8 = 2;
/// What the holder relies on.
pub(super) const USABLE: u8 = 1;
/// How often the wire may lose a message, a client crash, or repeat itself although it may yet be answered.
const FAULTS: u8 = 1;
/// How often a lease is renewed: without a bound the model would have no end.
const RENEWALS: u8 = 1;

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct System {
    pub(super) lock: Option<Held>,
    pub(super) last_fence: u8,
    /// Whose token has ended, as the server remembers.
    pub(super) ended: [bool; CLIENTS],
    pub(super) clients: [Client; CLIENTS],
    /// Keeps no order; sorted, so that equal states are recognised as equal.
    pub(super) wire: Vec<Message>,
    /// The highest fence that the resource was written with.
    pub(super) register: u8,
    pub(super) stale_write: bool,
    pub(super) faults: u8,
    pub(super) renewals: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Held {
    pub(super) owner: usize,
    pub(super) fence: u8,
    pub(super) ticks_left: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Client {
    pub(super) phase: Phase,
    pub(super) fence: u8,
    /// Ticks for which the holder relies on its lease.
    pub(super) usable: u8,
    /// Ticks since the request was sent that waits for its answer.
    pub(super) age: u8,
    pub(super) served: bool,
    pub(super) wrote: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Phase {
    Asking,
    /// Refused, until the lock is free.
    Waiting,
    Holding,
    /// Past its deadline, whether it knows it or sleeps.
    Lost,
    Releasing,
    Done,
    Crashed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Message {
    pub(super) client: usize,
    pub(super) word: Word,
    /// Whether the client still waits for what comes of it.
    pub(super) awaited: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Word {
    Acquire,
    Renew,
    Release,
    Granted(u8),
    Refused,
    Renewed(bool),
    Released,
}

impl Word {
    pub(super) fn is_request(self) -> bool {
        matches!(self, Self::Acquire | Self::Renew | Self::Release)
    }
}

impl Client {
    pub(super) fn hold(&mut self, usable: u8) {
        self.usable = usable;
        self.phase = match usable {
            0 => Phase::Lost,
            _ => Phase::Holding,
        };
    }

    /// What it would ask again.
    pub(super) fn pending(&self) -> Option<Word> {
        match self.phase {
            Phase::Asking => Some(Word::Acquire),
            Phase::Releasing => Some(Word::Release),
            _ => None,
        }
    }
}

impl System {
    /// Everybody has just asked.
    pub(super) fn new() -> Self {
        let client = Client {
            phase: Phase::Asking,
            fence: 0,
            usable: 0,
            age: 0,
            served: false,
            wrote: false,
        };
        let mut system = Self {
            lock: None,
            last_fence: 0,
            ended: [false; CLIENTS],
            clients: [client; CLIENTS],
            wire: Vec::new(),
            register: 0,
            stale_write: false,
            faults: FAULTS,
            renewals: RENEWALS,
        };
        for client in 0..CLIENTS {
            system.request(client, Word::Acquire);
        }
        system
    }

    pub(super) fn send(&mut self, message: Message) {
        let place = self.wire.partition_point(|other| *other <= message);
        self.wire.insert(place, message);
    }

    /// Sends a request, after which the client handles replies to this one only.
    pub(super) fn request(&mut self, client: usize, word: Word) {
        self.clients[client].age = 0;
        self.wire
            .retain(|other| other.client != client || other.word.is_request());
        for other in &mut self.wire {
            other.awaited &= other.client != client;
        }
        self.wire.sort_unstable();
        self.send(Message {
            client,
            word,
            awaited: true,
        });
    }

    pub(super) fn tick(&mut self) {
        for (index, client) in self.clients.iter_mut().enumerate() {
            let mut own = self.wire.iter().filter(|message| message.client == index);
            if own.any(|message| message.awaited) {
                client.age = (client.age + 1).min(USABLE);
            }
            if client.phase == Phase::Holding {
                client.hold(client.usable - 1);
            }
        }
        if let Some(held) = &mut self.lock {
            held.ticks_left -= 1;
            self.lock = Some(*held).filter(|held| held.ticks_left > 0);
        }
    }

    pub(super) fn is_unanswered(&self, client: usize) -> bool {
        !self.wire.iter().any(|message| message.client == client)
    }

    /// The same for all systems in which only the clients' numbers differ: what holds for one holds for the others.
    pub(super) fn canonical(self) -> Self {
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
        for message in &mut other.wire {
            message.client = order[message.client];
        }
        other.wire.sort_unstable();
        other
    }
}
