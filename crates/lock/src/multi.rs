//! Several locks as one: [`MultiLock`].
//!
//! **All** of several locks, one after the other in a fixed order, so that two takers cannot each hold what the other
//! needs. Use it to lock several things at once.
//!
//! **A majority** of the same lock on independent nodes (Redlock): the lock outlives the loss of a minority of nodes.
//! What it does not do: it does not make a lease safe against a holder that is paused, it has no fence that grows over
//! all nodes, and a node that forgets (restarted without its append-only file) may let a second majority arise. If the
//! protected resource can check fences, one node and its fence are the better choice; if it cannot, no lock on leases
//! is safe, and this one only makes a collision rarer.

mod guard;

use std::time::Duration;

use futures_util::future::join_all;
use rand::RngExt;
use tokio::time::{Instant, sleep, timeout};

pub use guard::MultiGuard;

use crate::{
    Error, Guard, Mutex,
    limits::{NODE_WAIT_PER_LEASE, ROUND_PAUSE},
    mutex::within,
};

/// Several locks that are taken and released as one.
#[derive(Clone, Debug)]
pub struct MultiLock {
    members: Vec<Mutex>,
    quorum: usize,
}

impl MultiLock {
    /// Held while all of these are. They are taken in the order of their names, equal names in the order given.
    pub fn all(members: impl IntoIterator<Item = Mutex>) -> Self {
        let mut members = distinct(members);
        members.sort_by(|a, b| a.name().cmp(b.name()));
        Self {
            quorum: members.len(),
            members,
        }
    }

    /// Held while more than half of these are: the same lock on nodes that do not replicate each other. See the page of
    /// this module for what that is worth.
    pub fn majority(members: impl IntoIterator<Item = Mutex>) -> Self {
        let members = distinct(members);
        Self {
            quorum: members.len() / 2 + 1,
            members,
        }
    }

    /// The lock, if it is free.
    pub async fn try_lock(&self) -> Result<Option<MultiGuard>, Error> {
        match self.is_all() {
            true => self.try_all().await,
            false => self.try_majority().await,
        }
    }

    /// The lock, however long it takes.
    pub async fn lock(&self) -> Result<MultiGuard, Error> {
        match self.is_all() {
            true => self.lock_all().await,
            false => self.lock_majority().await,
        }
    }

    /// The lock, or [`Error::WaitLimit`] after this time.
    pub async fn lock_within(&self, limit: Duration) -> Result<MultiGuard, Error> {
        within(Instant::now() + limit, Box::pin(self.lock())).await
    }

    fn is_all(&self) -> bool {
        self.quorum == self.members.len()
    }

    async fn try_all(&self) -> Result<Option<MultiGuard>, Error> {
        let mut guards = Vec::with_capacity(self.members.len());
        for member in &self.members {
            match member.try_lock().await? {
                Some(guard) => guards.push(Some(guard)),
                None => return Ok(None),
            }
        }
        Ok(MultiGuard::of(self, guards))
    }

    async fn lock_all(&self) -> Result<MultiGuard, Error> {
        loop {
            let mut guards = Vec::with_capacity(self.members.len());
            for member in &self.members {
                guards.push(Some(member.lock().await?));
            }
            // A fixed lease may have ended while the others were waited for.
            if let Some(guard) = MultiGuard::of(self, guards) {
                return Ok(guard);
            }
        }
    }

    async fn lock_majority(&self) -> Result<MultiGuard, Error> {
        loop {
            if let Some(guard) = self.try_majority().await? {
                return Ok(guard);
            }
            let pause = rand::rng().random_range(Duration::ZERO..ROUND_PAUSE);
            sleep(pause).await;
        }
    }

    async fn try_majority(&self) -> Result<Option<MultiGuard>, Error> {
        let asked = self.members.iter().map(ask_in_time);
        let answers: Vec<_> = join_all(asked).await;
        let answered = answers.iter().filter(|answer| answer.is_some()).count();
        let guards = answers.into_iter().map(Option::flatten).collect();
        match MultiGuard::of(self, guards) {
            Some(guard) => Ok(Some(guard)),
            None if answered < self.quorum => Err(Error::NoQuorum),
            None => Ok(None),
        }
    }
}

/// What a node says, if it says anything in time.
async fn ask_in_time(member: &Mutex) -> Option<Option<Guard>> {
    let limit = member.lease() / NODE_WAIT_PER_LEASE;
    timeout(limit, member.try_lock()).await.ok()?.ok()
}

/// A lock that is named twice would wait for itself.
fn distinct(members: impl IntoIterator<Item = Mutex>) -> Vec<Mutex> {
    let mut distinct: Vec<Mutex> = Vec::new();
    for member in members {
        if !distinct.iter().any(|known| known.is(&member)) {
            distinct.push(member);
        }
    }
    distinct
}
