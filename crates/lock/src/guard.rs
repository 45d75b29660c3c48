//! A lock that is held: [`Guard`].

use std::{future::Future, sync::Arc, time::Duration};

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use crate::{
    Error, Fence, LostReason,
    desk::Baton,
    lease::{Lease, State},
};

/// A lock that is held. Whoever has the guard is the owner, whatever its task or thread.
///
/// A clone is another entry into the same grant: it costs nothing, has the same fence, and the lock is released when the
/// last one is. Dropping it releases in the background; [`release`](Self::release) also says whether the lock was held
/// to the end.
#[derive(Clone, Debug)]
#[must_use = "a guard that is dropped releases its lock"]
pub struct Guard {
    pub(crate) hold: Arc<Hold>,
}

/// What the clones of a guard share.
#[derive(Debug)]
pub(crate) struct Hold {
    fence: Fence,
    state: Arc<State>,
    keep: Keep,
}

/// What ends with the last clone.
#[derive(Debug)]
enum Keep {
    Baton(Baton),
    Lease(Lease),
}

impl Guard {
    pub(crate) fn of_lease(lease: Lease) -> Self {
        let hold = Hold {
            fence: lease.fence(),
            state: lease.state().clone(),
            keep: Keep::Lease(lease),
        };
        Self {
            hold: Arc::new(hold),
        }
    }

    pub(crate) fn of_baton(baton: Baton, fence: Fence) -> Self {
        let lease = baton.lease();
        let state = lease
            .expect("a fence was taken from the baton's lease")
            .state();
        let hold = Hold {
            fence,
            state: state.clone(),
            keep: Keep::Baton(baton),
        };
        Self {
            hold: Arc::new(hold),
        }
    }

    /// The number of this grant, to be checked by what the lock protects.
    pub fn fence(&self) -> Fence {
        self.hold.fence
    }

    /// Until when the lock can be relied on. It moves with every renewal.
    pub fn deadline(&self) -> Instant {
        self.hold.state.deadline()
    }

    /// How long the lock can be relied on without another renewal.
    pub fn remaining(&self) -> Duration {
        self.deadline().saturating_duration_since(Instant::now())
    }

    /// Cancelled when the lock is lost, before anybody else can have it: at the deadline at the latest, also if Redis
    /// cannot be asked. [`lost_reason`](Self::lost_reason) says why.
    pub fn lost(&self) -> &CancellationToken {
        self.hold.state.lost()
    }

    /// Why the lock is lost, if it is.
    pub fn lost_reason(&self) -> Option<LostReason> {
        self.hold.state.reason()
    }

    /// Runs `work` for as long as the lock is held: if it is lost first, `work` is dropped where it stands.
    pub async fn protect<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            biased;
            () = self.lost().cancelled() => {
                Err(Error::Lost(self.lost_reason().unwrap_or(LostReason::Gone)))
            }
            output = work => Ok(output),
        }
    }

    /// Releases the lock, or lets the next task of this process have it. With other clones left it is not released yet.
    ///
    /// Fails with [`Error::Lost`] if the lock was not held to the end, and with [`Error::Unasked`] if Redis did not
    /// answer; it may be cancelled at any time. In all these cases the release goes on in the background.
    pub async fn release(self) -> Result<(), Error> {
        let state = self.hold.state.clone();
        match Arc::into_inner(self.hold) {
            Some(hold) => match hold.keep {
                Keep::Baton(baton) => baton.release().await,
                Keep::Lease(lease) => lease.release().await,
            },
            None => state
                .reason()
                .map_or(Ok(()), |reason| Err(Error::Lost(reason))),
        }
    }
}
