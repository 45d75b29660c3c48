//! Several locks as one: [`MultiLock`].
//!
//! **All** of several locks, acquired one after the other in a fixed order, so that two callers cannot deadlock. Use it to
//! lock several resources at once.
//!
//! **A majority** of the same lock on independent nodes (Redlock): the lock outlives the loss of a minority of nodes.
//! Its limits: it does not protect against a holder that is paused, it has no fence that grows over all nodes, and a node
//! that restarts without its append-only file may allow a second majority. If the protected resource can check fences, one
//! node and its fence are the better choice; if it cannot, no lease-based lock is safe, and a majority only makes a
//! collision rarer.

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

/// Several locks that are acquired and released as one.
#[derive(Clone, Debug)]
pub struct MultiLock {
    members: Vec<Mutex>,
    quorum: usize,
}

impl MultiLock {
    /// Held while all members are held. They are acquired in order of their names, equal names in the given order.
    pub fn all(members: impl IntoIterator<Item = Mutex>) -> Self {
        let mut members = distinct(members);
        members.sort_by(|a, b| a.name().cmp(b.name()));
        Self {
            quorum: members.len(),
            members,
        }
    }

    /// Held while more than half of the members are held: the same lock on nodes that do not replicate each other. The module
    /// page states the limits.
    pub fn majority(members: impl IntoIterator<Item = Mutex>) -> Self {
        let members = distinct(members);
        Self {
            quorum: members.len() / 2 + 1,
            members,
        }
    }

    /// Acquires the lock, if it is free.
    pub async fn try_lock(&self) -> Result<Option<MultiGuard>, Error> {
        match self.is_all() {
            true => self.try_all().await,
            false => self.try_majority().await,
        }
    }

    /// Waits for the lock without a limit.
    pub async fn lock(&self) -> Result<MultiGuard, Error> {
        match self.is_all() {
            true => self.lock_all().await,
            false => self.lock_majority().await,
        }
    }

    /// Waits for the lock, or fails with [`Error::WaitLimit`] after `limit`.
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
            // A fixed lease may have ended during the wait for the others.
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
        let attempts = self.members.iter().map(try_lock_in_time);
        let replies: Vec<_> = join_all(attempts).await;
        let replied = replies.iter().filter(|reply| reply.is_some()).count();
        let guards = replies.into_iter().map(Option::flatten).collect();
        match MultiGuard::of(self, guards) {
            Some(guard) => Ok(Some(guard)),
            None if replied < self.quorum => Err(Error::NoQuorum),
            None => Ok(None),
        }
    }
}

/// Tries to lock one node; `None` if it fails or does not reply in time.
async fn try_lock_in_time(member: &Mutex) -> Option<Option<Guard>> {
    let limit = member.lease() / NODE_WAIT_PER_LEASE;
    timeout(limit, member.try_lock()).await.ok()?.ok()
}

/// A lock that is listed twice would wait for itself.
fn distinct(members: impl IntoIterator<Item = Mutex>) -> Vec<Mutex> {
    let mut distinct: Vec<Mutex> = Vec::new();
    for member in members {
        if !distinct.iter().any(|known| known.is(&member)) {
            distinct.push(member);
        }
    }
    distinct
}
