//! The turn of a task in the local queue of a mutex, with the lease that it may carry.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::LocalQueue;
use crate::{
    Error, Fence, Term,
    acquisition::{AcquireOptions, Acquisition},
    lease::{Lease, LeaseState},
    limits::{COHORT_GRANTS, COHORT_TIME},
    token::LockMode,
};

/// The exclusive right to acquire and hold the lock in this process. Dropping it passes it to the next waiter, unless it
/// was passed on because its lease is lost.
#[derive(Debug)]
pub(crate) struct QueueTurn {
    number: u64,
    /// `None` once it has been passed on.
    held: Option<(Arc<LocalQueue>, TurnState)>,
}

/// What this process has in Redis: a lease, or an acquisition that waits.
#[derive(Debug, Default)]
pub(super) struct TurnState {
    lease: Option<Lease>,
    /// Local grants that this lease has served after the first.
    reuses: u64,
    acquisition: Option<Acquisition>,
}

impl QueueTurn {
    pub(super) fn new(queue: Arc<LocalQueue>, number: u64, state: TurnState) -> Self {
        Self {
            number,
            held: Some((queue, state)),
        }
    }

    pub(super) fn into_state(mut self) -> TurnState {
        let held = self.held.take();
        held.map(|(_, state)| state).unwrap_or_default()
    }

    /// Reuses the lease that came with the turn and returns its next fence, unless it is lost, has another term or has
    /// served a full cohort.
    pub(crate) fn reuse_lease(&mut self, term: Term) -> Option<Fence> {
        let (_, state) = self.parts();
        let lease = state.lease.as_ref()?;
        let next = state.reuses + 1;
        let is_valid = lease.state().reason().is_none() && lease.state().term() == term;
        let is_reusable = is_valid
            && matches!(term, Term::Renewed(_))
            && next < COHORT_GRANTS
            && lease.since().elapsed() < COHORT_TIME;
        is_reusable.then(|| {
            state.reuses = next;
            wait_for_clock(lease.since() + Duration::from_micros(next));
            lease.fence().plus(next)
        })
    }

    /// Sends one acquire request.
    pub(crate) async fn try_once(
        &mut self,
        options: AcquireOptions,
    ) -> Result<Option<Fence>, Error> {
        let (queue, state) = self.parts();
        let acquisition = Acquisition::new(queue.remote.clone(), LockMode::Exclusive);
        state.lease = acquisition.try_once(options).await?;
        Ok(state.lease.as_ref().map(Lease::fence))
    }

    /// Waits in the Redis queue until the lock is granted.
    pub(crate) async fn wait(&mut self, options: AcquireOptions) -> Result<Fence, Error> {
        let (queue, state) = self.parts();
        let acquisition = state
            .acquisition
            .get_or_insert_with(|| Acquisition::new(queue.remote.clone(), LockMode::Exclusive));
        let lease = acquisition.wait(options, &mut state.lease).await?;
        let fence = lease.fence();
        state.lease = Some(lease);
        state.acquisition = None;
        state.reuses = 0;
        Ok(fence)
    }

    /// Notes that a guard holds the lease of this turn, and returns its state.
    pub(crate) fn begin_guard(&self) -> Option<Arc<LeaseState>> {
        let (queue, state) = self.held.as_ref()?;
        let lease = state.lease.as_ref()?.state().clone();
        queue.note_held(self.number, &lease);
        Some(lease)
    }

    /// Passes the lease to the next local waiter, or releases it.
    pub(crate) async fn release(mut self) -> Result<(), Error> {
        let (queue, state) = self.parts();
        let lease_state = state.lease.as_ref().map(|lease| lease.state().clone());
        match lease_state.as_ref().and_then(|state| state.reason()) {
            Some(reason) => return Err(Error::Lost(reason)),
            None if queue.has_waiters() => return Ok(()),
            None => {}
        }
        match state.lease.take() {
            Some(lease) => lease.release().await,
            None => Ok(()),
        }
    }

    fn parts(&mut self) -> (&Arc<LocalQueue>, &mut TurnState) {
        let (queue, state) = self
            .held
            .as_mut()
            .expect("only methods that consume a turn empty it");
        (queue, state)
    }
}

impl Drop for QueueTurn {
    fn drop(&mut self) {
        if let Some((queue, state)) = self.held.take() {
            queue.pass_on(self.number, state);
        }
    }
}

/// Spins until the clock has reached `moment`: local fences advance at most one per microsecond, so they stay behind the
/// server's clock and grow even if the server loses them. The wait is short, because the previous holder waited too.
fn wait_for_clock(moment: Instant) {
    while Instant::now() < moment {
        std::hint::spin_loop();
    }
}
