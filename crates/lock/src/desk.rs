//! The line inside a process: at any time one task acts for a mutex, the others wait here, first come first served.
//!
//! The right to act is a [`Baton`]. Its bearer asks Redis, or holds the lock; when the baton is dropped, for whatever
//! reason, it goes to the next waiter with everything it carries, and if nobody waits, what it carries is given up. So
//! there is no await at which a cancelled task could leave something behind.
//!
//! A lease that changes hands here costs no round trip: Redis has given it a range of fences, and each bearer takes the
//! next. After [`COHORT_GRANTS`](crate::limits::COHORT_GRANTS) grants or [`COHORT_TIME`](crate::limits::COHORT_TIME) the
//! bearer asks Redis again, which lets other processes go first.

mod baton;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, Weak},
};

use tokio::sync::{Notify, oneshot};

pub(crate) use baton::Baton;
use baton::Stake;

use crate::{
    core::{Core, lock},
    guard::Hold,
    limits::STALE_WAITERS,
    site::{Kind, Site},
};

/// The line for one mutex.
#[derive(Debug)]
pub(crate) struct Desk {
    pub(crate) site: Arc<Site>,
    state: Mutex<Line>,
    /// Rung when an owner takes the lock, for others who ask in its name.
    pub(crate) taken: Notify,
}

#[derive(Debug, Default)]
struct Line {
    /// Whether somebody has the baton.
    busy: bool,
    waiters: VecDeque<oneshot::Sender<Baton>>,
    /// How many waiters there may be before those who left are cleared away.
    clear_at: usize,
    owner: Option<(String, Weak<Hold>)>,
}

impl Desk {
    /// The one desk of this name.
    pub(crate) fn open(core: &Arc<Core>, name: &str) -> Arc<Self> {
        let mut desks = lock(&core.desks);
        if let Some(desk) = desks.get(name).and_then(Weak::upgrade) {
            return desk;
        }
        let desk = Arc::new(Self {
            site: Arc::new(Site::new(core.clone(), Kind::Mutex, name)),
            state: Mutex::default(),
            taken: Notify::new(),
        });
        desks.insert(name.to_owned(), Arc::downgrade(&desk));
        desk
    }

    /// The baton, if nobody has it.
    pub(crate) fn try_turn(self: &Arc<Self>) -> Option<Baton> {
        let mut line = lock(&self.state);
        let free = !std::mem::replace(&mut line.busy, true);
        free.then(|| Baton::new(self.clone(), Stake::default()))
    }

    /// The baton, when it is this caller's turn.
    pub(crate) async fn turn(self: &Arc<Self>) -> Baton {
        let turn = {
            let mut line = lock(&self.state);
            if !std::mem::replace(&mut line.busy, true) {
                return Baton::new(self.clone(), Stake::default());
            }
            line.wait()
        };
        turn.await
            .expect("a desk outlives its callers and forgets none of them")
    }

    pub(crate) fn has_waiters(&self) -> bool {
        lock(&self.state)
            .waiters
            .iter()
            .any(|waiter| !waiter.is_closed())
    }

    /// Notes who holds the lock, so that the same owner may enter again.
    pub(crate) fn note_owner(&self, owner: &str, hold: &Arc<Hold>) {
        lock(&self.state).owner = Some((owner.to_owned(), Arc::downgrade(hold)));
        self.taken.notify_waiters();
    }

    /// What this owner holds.
    pub(crate) fn held_by(&self, owner: &str) -> Option<Arc<Hold>> {
        match &lock(&self.state).owner {
            Some((present, hold)) if present == owner => hold.upgrade(),
            _ => None,
        }
    }

    /// Gives the baton to the next waiter, or closes the desk.
    fn pass(self: Arc<Self>, mut stake: Stake) {
        while let Some(waiter) = self.next_waiter() {
            match waiter.send(Baton::new(self.clone(), stake)) {
                Ok(()) => return,
                Err(returned) => stake = returned.into_stake(),
            }
        }
        // Nobody waits: what the baton carried is given up as it is dropped here.
        drop(stake);
    }

    fn next_waiter(&self) -> Option<oneshot::Sender<Baton>> {
        let mut line = lock(&self.state);
        let next = line.waiters.pop_front();
        line.busy = next.is_some();
        next
    }
}

impl Line {
    fn wait(&mut self) -> oneshot::Receiver<Baton> {
        if self.waiters.len() >= self.clear_at {
            self.waiters.retain(|waiter| !waiter.is_closed());
            self.clear_at = STALE_WAITERS.max(2 * self.waiters.len());
        }
        let (waiter, turn) = oneshot::channel();
        self.waiters.push_back(waiter);
        turn
    }
}

impl Drop for Desk {
    fn drop(&mut self) {
        let mut desks = lock(&self.site.core.desks);
        // Another desk of this name may have been opened since the last handle to this one went away.
        if desks
            .get(self.site.name())
            .is_some_and(|desk| desk.strong_count() == 0)
        {
            desks.remove(self.site.name());
        }
    }
}
