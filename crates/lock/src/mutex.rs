//! The lock for most purposes: [`Mutex`].

use std::{future::Future, sync::Arc, time::Duration};

use tokio::time::{Instant, timeout_at};

use crate::{
    Error, Guard, Term,
    claim::Pursuit,
    desk::{Baton, Desk},
    meter::{self, Via},
    site::Kind,
};

/// A lock with one holder at a time.
///
/// Tasks of one process take turns in the order in which they asked, mostly without a round trip. Between processes the
/// order is that of asking, except that a process may keep the lock for a short turn, and that a newcomer may be faster
/// if a holder died. If strict order matters more than speed, use a [`FairMutex`](crate::FairMutex).
#[derive(Clone, Debug)]
pub struct Mutex {
    desk: Arc<Desk>,
    term: Term,
}

impl Mutex {
    pub(crate) fn new(desk: Arc<Desk>, term: Term) -> Self {
        Self { desk, term }
    }

    /// The same lock with another term.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self { term, ..self }
    }

    pub fn name(&self) -> &str {
        self.desk.site.name()
    }

    /// The lock, if it is free.
    pub async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        let asked = Instant::now();
        let Some(mut baton) = self.desk.try_turn() else {
            return Ok(None);
        };
        let fence = baton.try_once(self.pursuit(None)).await?;
        Ok(fence.map(|fence| {
            meter::granted(Kind::Mutex, Via::Remote, asked.elapsed());
            Guard::of_baton(baton, fence)
        }))
    }

    /// The lock, however long it takes.
    pub async fn lock(&self) -> Result<Guard, Error> {
        self.acquire(None).await
    }

    /// The lock, or [`Error::WaitLimit`] after this time.
    pub async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        let until = Instant::now() + limit;
        within(until, self.acquire(Some(until))).await
    }

    /// The lock in the name of an owner, who enters again if it holds the lock already: the guard is then another clone.
    /// Owners are known inside one [`Locks`](crate::Locks).
    pub async fn lock_as(&self, owner: &str) -> Result<Guard, Error> {
        let asked = Instant::now();
        let turn = self.desk.turn();
        tokio::pin!(turn);
        let baton = loop {
            let taken = self.desk.taken.notified();
            if let Some(hold) = self.desk.held_by(owner) {
                meter::granted(Kind::Mutex, Via::Reentry, asked.elapsed());
                return Ok(Guard { hold });
            }
            tokio::select! {
                baton = &mut turn => break baton,
                () = taken => {}
            }
        };
        let guard = self.take(baton, None, asked).await?;
        self.desk.note_owner(owner, &guard.hold);
        Ok(guard)
    }

    async fn acquire(&self, until: Option<Instant>) -> Result<Guard, Error> {
        let asked = Instant::now();
        let baton = self.desk.turn().await;
        self.take(baton, until, asked).await
    }

    async fn take(
        &self,
        mut baton: Baton,
        until: Option<Instant>,
        asked: Instant,
    ) -> Result<Guard, Error> {
        let (fence, via) = match baton.inherit(self.term) {
            Some(fence) => (fence, Via::Local),
            None => (baton.wait(self.pursuit(until)).await?, Via::Remote),
        };
        meter::granted(Kind::Mutex, via, asked.elapsed());
        Ok(Guard::of_baton(baton, fence))
    }

    /// Whether both are the same lock of the same process.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.desk, &other.desk)
    }

    pub(crate) fn lease(&self) -> Duration {
        self.term.lease()
    }

    pub(crate) fn is_renewed(&self) -> bool {
        matches!(self.term, Term::Renewed(_))
    }

    fn pursuit(&self, until: Option<Instant>) -> Pursuit {
        Pursuit {
            term: self.term,
            until,
        }
    }
}

/// Gives up waiting at this moment. What was begun is undone in the background.
pub(crate) async fn within<T>(
    until: Instant,
    acquisition: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let outcome = timeout_at(until, acquisition).await;
    outcome.unwrap_or(Err(Error::WaitLimit))
}
