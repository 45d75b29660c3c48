//! Several locks as one: [`MultiLock`].
//!
//! **All** of several locks. Use it to lock several resources at once. Two callers cannot deadlock, in whatever order they
//! list the members: a caller waits for a member only while everything it holds has a smaller key. Members with the same
//! key are the same lock on several servers. Callers may know these servers by different addresses and so cannot agree on an
//! order: a caller waits for one of them, for a moment for each of the others, and if one of these stays held it releases
//! what it got and waits for that one first.
//!
//! **A majority** of the same lock on independent nodes (Redlock): the lock outlives the loss of a minority of nodes.
//! Its limits: it does not protect against a holder that is paused, it has no fence that grows over all nodes, and a node
//! that restarts without its append-only file may allow a second majority. If the protected resource can check fences, one
//! node and its fence are the better choice; if it cannot, no lease-based lock is safe, and a majority only makes a
//! collision rarer.

mod guard;
mod member;

use std::time::Duration;

use futures_util::future::join_all;
use rand::RngExt;
use tokio::time::{Instant, sleep, timeout};

pub use guard::MultiGuard;
pub use member::Member;

use crate::{
    BadMembers, Error, Guard,
    limits::{NODE_PATIENCE, NODE_WAIT_PER_LEASE, ROUND_PAUSE},
    mutex::within,
};

/// Several locks that are acquired and released as one.
#[derive(Clone, Debug)]
pub struct MultiLock {
    /// In order of key and server; each lock once.
    members: Vec<Member>,
    rule: Rule,
}

/// How many members must be held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rule {
    All,
    Majority,
}

impl MultiLock {
    /// Held while all members are held, in whatever order they are listed here and elsewhere.
    ///
    /// Fails if there is no member, or if a lock is listed twice, also by two [`Locks`](crate::Locks) of one server under
    /// the same address. Two addresses of one server are not recognised: then the lock waits for itself.
    ///
    /// With members of type [`ReentrantMutex`](crate::ReentrantMutex) it is re-entrant: their owner may acquire it again, or
    /// some of its members, from anywhere.
    pub fn all(members: impl IntoIterator<Item = impl Into<Member>>) -> Result<Self, BadMembers> {
        Self::new(members, Rule::All)
    }

    /// Held while more than half of the members are held: the same lock on nodes that do not replicate each other. It takes
    /// three nodes to outlive the loss of one.
    ///
    /// It does not protect against a holder that is paused, and has no fence: where the protected resource can check
    /// fences, one node is the better choice. A node that restarts without its data may allow a second majority.
    ///
    /// Fails like [`all`](Self::all).
    pub fn majority(
        members: impl IntoIterator<Item = impl Into<Member>>,
    ) -> Result<Self, BadMembers> {
        Self::new(members, Rule::Majority)
    }

    fn new(
        members: impl IntoIterator<Item = impl Into<Member>>,
        rule: Rule,
    ) -> Result<Self, BadMembers> {
        let mut members: Vec<Member> = members.into_iter().map(Into::into).collect();
        if members.is_empty() {
            return Err(BadMembers::Empty);
        }
        members.sort_by_cached_key(|member| {
            let remote = member.remote();
            (remote.key().to_owned(), remote.server())
        });
        let repeated = |pair: &&[Member]| pair[0].remote().is(pair[1].remote());
        match members.windows(2).find(repeated) {
            Some(pair) => Err(BadMembers::Repeated {
                name: pair[0].remote().name().to_owned(),
                server: pair[0].remote().server(),
            }),
            None => Ok(Self { members, rule }),
        }
    }

    /// Acquires the lock, if it is free.
    pub async fn try_lock(&self) -> Result<Option<MultiGuard>, Error> {
        self.try_until(None).await
    }

    async fn try_until(&self, until: Option<Instant>) -> Result<Option<MultiGuard>, Error> {
        match self.rule {
            Rule::All => self.try_all(until).await,
            Rule::Majority => self.try_majority().await,
        }
    }

    /// Waits for the lock without a limit.
    pub async fn lock(&self) -> Result<MultiGuard, Error> {
        match self.rule {
            Rule::All => self.lock_all().await,
            Rule::Majority => self.lock_majority().await,
        }
    }

    /// Waits for the lock, or fails with [`Error::WaitLimit`] after `limit`. A limit of zero is one attempt that never queues.
    pub async fn lock_within(&self, limit: Duration) -> Result<MultiGuard, Error> {
        let until = Instant::now() + limit;
        if limit.is_zero() {
            return self.try_until(Some(until)).await?.ok_or(Error::WaitLimit);
        }
        within(until, Box::pin(self.lock())).await
    }

    /// How many members must be held.
    fn quorum(&self) -> usize {
        match self.rule {
            Rule::All => self.members.len(),
            Rule::Majority => self.members.len() / 2 + 1,
        }
    }

    async fn try_all(&self, until: Option<Instant>) -> Result<Option<MultiGuard>, Error> {
        let mut guards = Vec::with_capacity(self.members.len());
        for member in &self.members {
            match member.try_until(until).await? {
                Some(guard) => guards.push(Some(guard)),
                None => return Ok(None),
            }
        }
        Ok(MultiGuard::of(self, guards))
    }

    async fn lock_all(&self) -> Result<MultiGuard, Error> {
        loop {
            let mut guards = Vec::with_capacity(self.members.len());
            for nodes in self
                .members
                .chunk_by(|a, b| a.remote().key() == b.remote().key())
            {
                guards.extend(lock_nodes(nodes).await?);
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
            None if replied < self.quorum() => Err(Error::NoQuorum),
            None => Ok(None),
        }
    }
}

/// Tries to lock one node; `None` if it fails or does not reply in time.
async fn try_lock_in_time(member: &Member) -> Option<Option<Guard>> {
    let limit = member.lease() / NODE_WAIT_PER_LEASE;
    timeout(limit, member.try_lock()).await.ok()?.ok()
}

/// Locks the same lock on all these servers. It waits without a limit only while it holds none of them.
async fn lock_nodes(nodes: &[Member]) -> Result<Vec<Option<Guard>>, Error> {
    let mut awaited = 0;
    loop {
        let mut guards: Vec<Option<Guard>> = vec![None; nodes.len()];
        guards[awaited] = Some(nodes[awaited].lock().await?);
        let Some(held) = lock_others(nodes, &mut guards).await? else {
            return Ok(guards);
        };
        // A release that fails continues in the background, and the lock ends with its lease.
        join_all(guards.into_iter().flatten().map(Guard::release)).await;
        // Callers that wait for each other's nodes would otherwise meet again.
        let pause = rand::rng().random_range(Duration::ZERO..ROUND_PAUSE);
        sleep(pause).await;
        awaited = held;
    }
}

/// Locks the nodes that are missing; returns the first one that another caller keeps.
async fn lock_others(
    nodes: &[Member],
    guards: &mut [Option<Guard>],
) -> Result<Option<usize>, Error> {
    let missing = guards.iter_mut().zip(nodes).enumerate();
    for (index, (guard, node)) in missing.filter(|(_, (guard, _))| guard.is_none()) {
        *guard = node.try_lock().await?;
        if guard.is_none() {
            // Its holder may be about to release it, as it did the node that was awaited.
            *guard = match node.lock_within(NODE_PATIENCE).await {
                Err(Error::WaitLimit) => return Ok(Some(index)),
                granted => Some(granted?),
            };
        }
    }
    Ok(None)
}
