//! A bounded number of holders: [`Semaphore`].

use std::time::Duration;

use crate::{Error, Guard, Term, seat::Seats, token::Mode};

/// A lock with a bounded number of holders.
///
/// A permit is a [`Guard`]: it has a fence and a lease of its own, so a process that dies gives its permits back after
/// their lease. All processes must name the same number of permits; permits are handed out in the order of asking.
#[derive(Clone, Debug)]
pub struct Semaphore {
    seats: Seats,
}

impl Semaphore {
    pub(crate) fn new(seats: Seats) -> Self {
        Self { seats }
    }

    /// The same semaphore with another term of its permits.
    #[must_use]
    pub fn term(self, term: Term) -> Self {
        Self::new(self.seats.term(term))
    }

    pub fn name(&self) -> &str {
        self.seats.name()
    }

    /// A permit, if one is free and nobody waits for it.
    pub async fn try_acquire(&self) -> Result<Option<Guard>, Error> {
        self.seats.try_take(Mode::Shared).await
    }

    /// A permit, however long it takes.
    pub async fn acquire(&self) -> Result<Guard, Error> {
        self.seats.take(Mode::Shared).await
    }

    /// A permit, or [`Error::WaitLimit`] after this time.
    pub async fn acquire_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.seats.take_within(Mode::Shared, limit).await
    }
}
