//! The right to act for a mutex in this process, and what it carries.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::Desk;
use crate::{
    Error, Fence, Term,
    claim::{Claim, Pursuit},
    lease::Lease,
    limits::{COHORT_GRANTS, COHORT_TIME},
    token::Mode,
};

/// Goes to the next in line when dropped.
#[derive(Debug)]
pub(crate) struct Baton {
    /// Gone once it has been passed on.
    held: Option<(Arc<Desk>, Stake)>,
}

/// What this process has in Redis.
#[derive(Debug, Default)]
pub(super) struct Stake {
    lease: Option<Lease>,
    /// Grants that this lease has served besides the first.
    handed_on: u64,
    claim: Option<Claim>,
}

impl Baton {
    pub(super) fn new(desk: Arc<Desk>, stake: Stake) -> Self {
        Self {
            held: Some((desk, stake)),
        }
    }

    pub(super) fn into_stake(mut self) -> Stake {
        let held = self.held.take();
        held.map(|(_, stake)| stake).unwrap_or_default()
    }

    /// The next fence of the lease that came with the baton, if it may be used further as it is.
    pub(crate) fn inherit(&mut self, term: Term) -> Option<Fence> {
        let (_, stake) = self.parts();
        let lease = stake.lease.as_ref()?;
        let next = stake.handed_on + 1;
        let sound = lease.state().reason().is_none() && lease.state().term() == term;
        let usable = sound
            && matches!(term, Term::Renewed(_))
            && next < COHORT_GRANTS
            && lease.since().elapsed() < COHORT_TIME;
        usable.then(|| {
            stake.handed_on = next;
            wait_for_clock(lease.since() + Duration::from_micros(next));
            lease.fence().plus(next)
        })
    }

    /// Asks Redis once.
    pub(crate) async fn try_once(&mut self, pursuit: Pursuit) -> Result<Option<Fence>, Error> {
        let (desk, stake) = self.parts();
        let claim = Claim::new(desk.site.clone(), Mode::Exclusive);
        stake.lease = claim.try_once(pursuit).await?;
        Ok(stake.lease.as_ref().map(Lease::fence))
    }

    /// Stays in line in Redis until it is granted.
    pub(crate) async fn wait(&mut self, pursuit: Pursuit) -> Result<Fence, Error> {
        let (desk, stake) = self.parts();
        let claim = stake
            .claim
            .get_or_insert_with(|| Claim::new(desk.site.clone(), Mode::Exclusive));
        let lease = claim.wait(pursuit, &mut stake.lease).await?;
        let fence = lease.fence();
        stake.lease = Some(lease);
        stake.claim = None;
        stake.handed_on = 0;
        Ok(fence)
    }

    pub(crate) fn lease(&self) -> Option<&Lease> {
        self.held.as_ref()?.1.lease.as_ref()
    }

    /// Hands the lease to the next in line, or releases it.
    pub(crate) async fn release(mut self) -> Result<(), Error> {
        let (desk, stake) = self.parts();
        let state = stake.lease.as_ref().map(|lease| lease.state().clone());
        match state.as_ref().and_then(|state| state.reason()) {
            Some(reason) => return Err(Error::Lost(reason)),
            None if desk.has_waiters() => return Ok(()),
            None => {}
        }
        match stake.lease.take() {
            Some(lease) => lease.release().await,
            None => Ok(()),
        }
    }

    fn parts(&mut self) -> (&Arc<Desk>, &mut Stake) {
        let (desk, stake) = self
            .held
            .as_mut()
            .expect("a baton is emptied only by those who own it");
        (desk, stake)
    }
}

impl Drop for Baton {
    fn drop(&mut self) {
        if let Some((desk, stake)) = self.held.take() {
            desk.pass(stake);
        }
    }
}

/// Keeps fences behind the server's clock, so that they grow even if it loses them: one a microsecond. The wait is that
/// short, because whoever had the lock before has waited as well.
fn wait_for_clock(moment: Instant) {
    while Instant::now() < moment {
        std::hint::spin_loop();
    }
}
