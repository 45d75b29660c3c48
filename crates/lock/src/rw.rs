//! Many readers or one writer: [`RwLock`].

use std::time::Duration;

use crate::{Error, Guard, Term, seat::Seats, token::Mode};

/// A lock with many readers or one writer at a time.
///
/// Requests are served in order: readers that follow each other get in together, and a reader that comes after a waiting
/// writer waits behind it. So neither side is starved. A task that holds it for reading must not ask for reading again
/// (a writer may wait in between, and both would wait for ever): clone the guard instead.
#[derive(Clone, Debug)]
pub struct RwLock {
    seats: Seats,
}

impl RwLock {
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

    /// The lock for reading, if no writer holds it and nobody waits for it.
    pub async fn try_read(&self) -> Result<Option<Guard>, Error> {
        self.seats.try_take(Mode::Shared).await
    }

    /// The lock for reading, however long it takes.
    pub async fn read(&self) -> Result<Guard, Error> {
        self.seats.take(Mode::Shared).await
    }

    /// The lock for reading, or [`Error::WaitLimit`] after this time.
    pub async fn read_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.seats.take_within(Mode::Shared, limit).await
    }

    /// The lock for writing, if nobody holds it or waits for it.
    pub async fn try_write(&self) -> Result<Option<Guard>, Error> {
        self.seats.try_take(Mode::Exclusive).await
    }

    /// The lock for writing, however long it takes.
    pub async fn write(&self) -> Result<Guard, Error> {
        self.seats.take(Mode::Exclusive).await
    }

    /// The lock for writing, or [`Error::WaitLimit`] after this time.
    pub async fn write_within(&self, limit: Duration) -> Result<Guard, Error> {
        self.seats.take_within(Mode::Exclusive, limit).await
    }
}
