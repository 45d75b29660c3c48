//! A multi-lock that is held.

use std::sync::{Arc, Mutex as StdMutex, OnceLock};

use futures_util::future::{join_all, select_all};
use tokio::time::{Instant, sleep};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use super::{MultiLock, Rule, try_lock_in_time};
use crate::{Error, Fence, Guard, LostReason, core::lock, limits::RELOCK_PAUSE};

/// A [`MultiLock`] that is held. Dropping it releases its members in the background.
#[derive(Debug)]
#[must_use = "a guard that is dropped releases its locks"]
pub struct MultiGuard {
    state: Arc<MultiGuardState>,
    _watch: AbortOnDropHandle<()>,
}

#[derive(Debug)]
struct MultiGuardState {
    of: MultiLock,
    /// The guard of each member; `None` if it is not held.
    guards: StdMutex<Vec<Option<Guard>>>,
    reason: OnceLock<LostReason>,
    lost: CancellationToken,
}

impl MultiGuard {
    /// `None` if too few members are held.
    pub(super) fn of(of: &MultiLock, guards: Vec<Option<Guard>>) -> Option<Self> {
        let state = Arc::new(MultiGuardState {
            of: of.clone(),
            guards: StdMutex::new(guards),
            reason: OnceLock::new(),
            lost: CancellationToken::new(),
        });
        state.drop_lost();
        (state.held() >= of.quorum()).then(|| {
            let watched = state.clone();
            let task = supervise::spawn("multi-lock watch", move || watch(watched.clone()));
            Self {
                _watch: AbortOnDropHandle::new(task),
                state,
            }
        })
    }

    /// The fence of the first member, if all are held: it grows from holder to holder. A majority has none.
    pub fn fence(&self) -> Option<Fence> {
        let guards = lock(&self.state.guards);
        let first = guards.first()?.as_ref()?;
        (self.state.of.rule == Rule::All).then(|| first.fence())
    }

    /// How many members are held.
    pub fn held(&self) -> usize {
        self.state.held()
    }

    /// Until when a quorum can be relied on.
    pub fn deadline(&self) -> Instant {
        let guards = lock(&self.state.guards);
        let mut deadlines: Vec<Instant> = guards.iter().flatten().map(Guard::deadline).collect();
        deadlines.sort_by(|a, b| b.cmp(a));
        let decisive = deadlines.get(self.state.of.quorum() - 1);
        decisive.copied().unwrap_or_else(Instant::now)
    }

    /// Cancelled when too few members are left.
    pub fn lost(&self) -> &CancellationToken {
        &self.state.lost
    }

    /// Why the lock is lost, if it is.
    pub fn lost_reason(&self) -> Option<LostReason> {
        self.state.reason.get().copied()
    }

    /// Runs `work` while the lock is held: if too few members are left, `work` is dropped at its current await.
    pub async fn protect<T>(&self, work: impl Future<Output = T>) -> Result<T, Error> {
        tokio::select! {
            biased;
            () = self.lost().cancelled() => {
                Err(Error::Lost(self.lost_reason().unwrap_or(LostReason::NoQuorum)))
            }
            output = work => Ok(output),
        }
    }

    /// Releases all members; fails if fewer than the quorum were still held.
    pub async fn release(self) -> Result<(), Error> {
        let lost = self.lost_reason();
        let guards = std::mem::take(&mut *lock(&self.state.guards));
        let releases = guards.into_iter().flatten().map(Guard::release);
        let (released, failed): (Vec<_>, Vec<_>) = join_all(releases)
            .await
            .into_iter()
            .partition(Result::is_ok);
        match (lost, failed.into_iter().next()) {
            (Some(reason), _) => Err(Error::Lost(reason)),
            (None, Some(failure)) if released.len() < self.state.of.quorum() => failure,
            (None, _) => Ok(()),
        }
    }
}

impl MultiGuardState {
    fn held(&self) -> usize {
        lock(&self.guards).iter().flatten().count()
    }

    fn drop_lost(&self) {
        for guard in lock(&self.guards).iter_mut() {
            guard.take_if(|guard| guard.lost_reason().is_some());
        }
    }

    /// Returns when any member that is held is lost.
    async fn any_lost(&self) {
        let tokens: Vec<_> = (lock(&self.guards).iter().flatten())
            .map(|guard| Box::pin(guard.lost().clone().cancelled_owned()))
            .collect();
        match tokens.is_empty() {
            true => std::future::pending().await,
            false => {
                select_all(tokens).await;
            }
        }
    }

    /// Re-locks lost members after a delay, so that a majority does not erode.
    async fn relock(&self) {
        sleep(RELOCK_PAUSE).await;
        for (index, member) in self.of.members.iter().enumerate() {
            let missing = lock(&self.guards).get(index).is_some_and(Option::is_none);
            if missing && let Some(Some(guard)) = try_lock_in_time(member).await {
                // `release` may have taken the guards in the meantime.
                if let Some(slot) = lock(&self.guards).get_mut(index) {
                    *slot = Some(guard);
                }
            }
        }
    }
}

async fn watch(state: Arc<MultiGuardState>) {
    let renewed = state.of.members.iter().all(super::Member::is_renewed);
    loop {
        let missing = state.held() < state.of.members.len();
        tokio::select! {
            () = state.any_lost() => {}
            () = state.relock(), if missing && renewed => {}
        }
        state.drop_lost();
        if state.held() < state.of.quorum() {
            // The reason is set before the cancellation, which readers of the reason wait for.
            let _ = state.reason.set(LostReason::NoQuorum);
            return state.lost.cancel();
        }
    }
}
