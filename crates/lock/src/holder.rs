//! Who holds a lock, as Redis knows it: [`Holder`]. And how to take a lock from its holder.

use std::time::Duration;

use crate::{Error, Fence, Owner, remote_lock::RemoteLock};

/// A holder of a lock, as Redis knew it when it was asked. It may have released the lock since, or renewed it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Holder {
    /// The fence of its grant. A [`Mutex`](crate::Mutex) that passes between the tasks of a process has moved on by up to
    /// 63 from there.
    pub fence: Fence,
    /// When its lease ends on the server unless it is renewed.
    pub remaining: Duration,
    /// The process that holds it: a random number in hex for each [`Locks`](crate::Locks).
    pub process: String,
    /// Its owner, of a [`ReentrantMutex`](crate::ReentrantMutex).
    pub owner: Option<Owner>,
}

impl Holder {
    /// From the text of its token, its fence and the rest of its lease.
    pub(crate) fn parse(token: &str, fence: &str, left_ms: &str) -> Option<Self> {
        let owner = token.get(33..)?.strip_prefix(':');
        Some(Self {
            fence: Fence::new(fence.parse().ok()?),
            remaining: Duration::from_millis(left_ms.parse().ok()?),
            process: token.get(..16)?.to_owned(),
            owner: owner.map(Owner::from),
        })
    }
}

pub(crate) async fn holders(remote: &RemoteLock) -> Result<Vec<Holder>, Error> {
    let holders = remote.holders().await.map_err(Error::RedisUnavailable)?;
    Ok(holders.into_iter().map(|(_, holder)| holder).collect())
}

/// Takes the lock from those who hold it at this moment, and returns the tokens from which it was taken.
pub(crate) async fn force_unlock(remote: &RemoteLock) -> Result<Vec<String>, Error> {
    let mut ended = Vec::new();
    let holders = remote.holders().await.map_err(Error::RedisUnavailable)?;
    for (token, holder) in holders {
        let taken = remote.force_release(&token).await;
        if taken.map_err(Error::RedisUnavailable)? {
            tracing::warn!(lock = remote.name(), process = holder.process, fence = %holder.fence, "lock taken by force");
            ended.push(token);
        }
    }
    Ok(ended)
}
