//! The lock that is granted strictly in the order of asking: [`FairMutex`].

use std::time::Duration;

use crate::{Error, Guard, Term, seat::Seats, token::Mode};

/// A lock with one holder at a time, granted in the order in which Redis heard the requests, over all processes.
///
/// Every waiter has a place of its own, kept by asking now and then; one whose process died is skipped after five
/// seconds. It costs two or three commands a grant; a [`Mutex`](crate::Mutex) is cheaper.
#[derive(Clone, Debug)]
pub struct FairMutex {
    seats: Seats,
}

impl FairMutex {
    pub(crate) fn new(seats: Seats) -> Self {
        Self { seats }
    }

    /// The same lock with another term.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self::new(self.seats.term(term))
    }

    pub fn name(&self) -> &str {
        self.seats.name()
    }

    /// The lock, if it is free and nobody waits for it.
    pub async fn try_lock(&self) -> Result<Option<Guard>, Error> {
        self.seats.try_take(Mode::Exclusive).await
    }

    /// The lock, however long it takes.
    pub async fn lock(&self) -> Result<Guard, Error> {
        self.seats.take(Mode::Exclusive).await
    }

    /// The lock, or [`Error::WaitLimit`] after this time.
    pub async fn lock_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.seats.take_within(Mode::Exclusive, limit).await
    }
}
