//! What fair mutexes, read-write locks and semaphores have in common: every acquisition has its own place in one line
//! in Redis, and the line is served strictly in order, by the server's clock.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use crate::{
    Error, Guard, Term,
    claim::{Claim, Pursuit},
    core::Core,
    meter::{self, Via},
    mutex::within,
    site::{Kind, Site},
    token::Mode,
};

/// A lock of one of these kinds.
#[derive(Clone, Debug)]
pub(crate) struct Seats {
    site: Arc<Site>,
    term: Term,
}

impl Seats {
    pub(crate) fn new(core: Arc<Core>, kind: Kind, name: &str) -> Self {
        let term = core.options.term();
        Self {
            site: Arc::new(Site::new(core, kind, name)),
            term,
        }
    }

    pub(crate) fn term(self, term: Term) -> Self {
        Self { term, ..self }
    }

    pub(crate) fn name(&self) -> &str {
        self.site.name()
    }

    pub(crate) async fn try_take(&self, mode: Mode) -> Result<Option<Guard>, Error> {
        let asked = Instant::now();
        let claim = Claim::new(self.site.clone(), mode);
        let lease = claim.try_once(self.pursuit(None)).await?;
        Ok(lease.map(|lease| {
            meter::granted(self.site.kind, Via::Remote, asked.elapsed());
            Guard::of_lease(lease)
        }))
    }

    pub(crate) async fn take(&self, mode: Mode) -> Result<Guard, Error> {
        self.wait(mode, None).await
    }

    pub(crate) async fn take_within(&self, mode: Mode, limit: Duration) -> Result<Guard, Error> {
        let until = Instant::now() + limit;
        within(until, self.wait(mode, Some(until))).await
    }

    async fn wait(&self, mode: Mode, until: Option<Instant>) -> Result<Guard, Error> {
        let asked = Instant::now();
        let mut claim = Claim::new(self.site.clone(), mode);
        let lease = claim.wait(self.pursuit(until), &mut None).await?;
        meter::granted(self.site.kind, Via::Remote, asked.elapsed());
        Ok(Guard::of_lease(lease))
    }

    fn pursuit(&self, until: Option<Instant>) -> Pursuit {
        Pursuit {
            term: self.term,
            until,
        }
    }
}
