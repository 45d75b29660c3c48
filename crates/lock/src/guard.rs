//! A lock that is held: [`Guard`].

use std::{future::Future, sync::Arc, time::Duration};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Fence, LostReason,
    lease::{Lease, LeaseState},
    local_queue::QueueTurn,
    remote_lock::RemoteLock,
    token::LockMode,
};

/// A lock that is held. The guard is the owner; it may move between tasks and threads.
///
/// A clone re-enters the same grant: it sends no request, has the same fence, and the lock is released with the last
/// clone.
///
/// # Dropping
/// Rust has no async drop, so `Drop` cannot wait for Redis. It hands the release to a background task of the
/// [`Locks`](crate::Locks), at once and without blocking: also outside a runtime, in a panic, in a cancelled future. What follows
/// from that:
/// - after `drop(guard)` the lock is still held for the moment that the release takes. Who must know awaits
///   [`release`](Self::release), which also returns whether the lock was held to the end;
/// - the task retries for ten seconds while Redis does not reply; then the lock ends with its lease;
/// - a runtime or a process that ends right after a drop may leave the lock for the rest of its lease. Await
///   [`Locks::shutdown`](crate::Locks::shutdown) before that.
#[derive(Clone, Debug)]
#[must_use = "a guard that is dropped releases its lock"]
pub struct Guard {
    pub(crate) inner: Arc<GuardInner>,
}

/// Shared by the clones of a guard.
#[derive(Debug)]
pub(crate) struct GuardInner {
    fence: Fence,
    state: Arc<LeaseState>,
    source: GuardSource,
}

/// What the last clone releases.
#[derive(Debug)]
enum GuardSource {
    Turn(QueueTurn),
    Lease(Lease),
}

impl GuardInner {
    pub(crate) fn state(&self) -> &LeaseState {
        &self.state
    }
}

impl Guard {
    pub(crate) fn of_lease(lease: Lease) -> Self {
        let inner = GuardInner {
            fence: lease.fence(),
            state: lease.state().clone(),
            source: GuardSource::Lease(lease),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    pub(crate) fn of_turn(turn: QueueTurn, fence: Fence) -> Self {
        let state = turn.begin_guard();
        let inner = GuardInner {
            fence,
            state: state.expect("the fence comes from the turn's lease"),
            source: GuardSource::Turn(turn),
        };
        Self {
            inner: Arc::new(inner),
        }
    }

    pub(crate) fn is_of(&self, remote: &RemoteLock) -> bool {
        self.inner.state.remote().is(remote)
    }

    pub(crate) fn mode(&self) -> LockMode {
        self.inner.state.token().mode()
    }

    /// Its lease, if this is the last clone.
    pub(crate) fn into_lease(self) -> Option<Lease> {
        match Arc::into_inner(self.inner)?.source {
            GuardSource::Lease(lease) => Some(lease),
            GuardSource::Turn(_) => None,
        }
    }

    /// The fencing token of this grant, which the protected resource checks.
    pub fn fence(&self) -> Fence {
        self.inner.fence
    }

    /// Until when the lock can be relied on. It moves with every renewal.
    pub fn deadline(&self) -> Instant {
        self.inner.state.deadline()
    }

    /// How long the lock can be relied on without another renewal.
    pub fn remaining(&self) -> Duration {
        self.deadline().saturating_duration_since(Instant::now())
    }

    /// Cancelled when the lock is lost, before another holder can get it: at the deadline at the latest, also without
    /// Redis. [`lost_reason`](Self::lost_reason) returns the reason.
    ///
    /// The first call makes this process subscribe to messages about locks that are taken by force, as a waiter does.
    pub fn lost(&self) -> &CancellationToken {
        self.inner.state.watch();
        self.inner.state.lost()
    }

    /// Why the lock is lost, if it is.
    pub fn lost_reason(&self) -> Option<LostReason> {
        self.inner.state.reason()
    }

    /// Runs `work` while the lock is held: if the lock is lost first, `work` is dropped at its current await.
    pub async fn protect<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            biased;
            () = self.lost().cancelled() => {
                Err(Error::Lost(self.lost_reason().unwrap_or(LostReason::Gone)))
            }
            output = work => Ok(output),
        }
    }

    /// Releases the lock, or passes it to the next task of this process. While other clones exist, it stays held.
    ///
    /// Fails with [`Error::Lost`] if the lock was not held to the end, and with [`Error::RedisUnavailable`] if Redis did not
    /// reply; it may be cancelled at any await. In all these cases the release continues in the background.
    pub async fn release(self) -> Result<(), Error> {
        let state = self.inner.state.clone();
        match Arc::into_inner(self.inner) {
            Some(inner) => match inner.source {
                GuardSource::Turn(turn) => turn.release().await,
                GuardSource::Lease(lease) => lease.release().await,
            },
            None => state
                .reason()
                .map_or(Ok(()), |reason| Err(Error::Lost(reason))),
        }
    }
}
