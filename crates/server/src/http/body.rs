//! The one reader of request bodies: bounded in time and in pace, and without an admission slot while it waits.
//!
//! Admission wraps every incomplete body before a handler sees the request (`admission.rs`), so every reader (an
//! extractor, a form, a handler that discards the body) reads through here. Reading fails when the body is incomplete at
//! the request's time limit, or when a window brought less than the minimum pace. While a request waits for its client it
//! releases its admission slot; it acquires one again when the body is complete, and is refused like any other request
//! when none is free. The connection limit bounds how many requests wait like that.

use std::error::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Body, Bytes};
use hyper::body::{Frame, SizeHint};
use thiserror::Error;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Instant, Sleep, sleep_until};

/// How fast a client must send or read, measured in windows so that one late packet does no harm.
#[derive(Clone, Copy, Debug)]
pub struct MinimumPace {
    pub window: Duration,
    pub bytes_per_sec: u64,
}

impl MinimumPace {
    /// Whether so many bytes in one window are enough.
    pub(super) fn is_kept_by(&self, bytes: u64) -> bool {
        let needed = u128::from(self.bytes_per_sec) * self.window.as_millis() / 1_000;
        u128::from(bytes) >= needed.max(1)
    }
}

/// Why a body could not be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum BodyError {
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body is complete, and no admission slot is free")]
    NoSlot,
}

impl BodyError {
    /// Readers wrap it in errors of their own.
    pub(super) fn find_in(error: &(dyn Error + 'static)) -> Option<Self> {
        let mut next = Some(error);
        while let Some(error) = next {
            if let Some(found) = error.downcast_ref::<Self>() {
                return Some(*found);
            }
            next = error.source();
        }
        None
    }
}

/// The admission slot of a request whose body is incomplete. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct SharedSlot(Arc<Mutex<SlotState>>);

#[derive(Debug)]
enum SlotState {
    Held {
        permit: OwnedSemaphorePermit,
    },
    /// Free for other requests until the body is complete.
    Released {
        slots: Arc<Semaphore>,
    },
    /// The request is done.
    Closed,
}

impl SharedSlot {
    pub(super) fn new(permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Mutex::new(SlotState::Held { permit })))
    }

    fn state(&self) -> MutexGuard<'_, SlotState> {
        // Each change is one assignment, so a poisoned lock guards a consistent value.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn release(&self) {
        let mut state = self.state();
        if let SlotState::Held { permit } = &*state {
            let slots = Arc::clone(permit.semaphore());
            *state = SlotState::Released { slots };
        }
    }

    fn reacquire(&self) -> Result<(), BodyError> {
        let mut state = self.state();
        if let SlotState::Released { slots } = &*state {
            let permit = Arc::clone(slots).try_acquire_owned();
            let permit = permit.map_err(|_| BodyError::NoSlot)?;
            *state = SlotState::Held { permit };
        }
        Ok(())
    }

    /// The request is done; a body that is still read acquires no slot.
    pub(super) fn close(&self) {
        *self.state() = SlotState::Closed;
    }
}

/// A body whose reading fails when its sender is too slow.
#[derive(Debug)]
pub(super) struct PacedBody {
    body: Body,
    /// None for requests without an admission slot.
    slot: Option<SharedSlot>,
    pace: MinimumPace,
    total: Duration,
    /// None until the body has been waited for.
    waiting: Option<BodyDeadline>,
}

#[derive(Debug)]
struct BodyDeadline {
    timer: Pin<Box<Sleep>>,
    /// When the whole body must have arrived.
    ends_at: Instant,
    window_ends_at: Instant,
    window_bytes: u64,
}

impl PacedBody {
    pub(super) fn new(
        body: Body,
        slot: Option<SharedSlot>,
        pace: MinimumPace,
        total: Duration,
    ) -> Self {
        Self {
            body,
            slot,
            pace,
            total,
            waiting: None,
        }
    }

    fn count(&mut self, frame: &Frame<Bytes>) {
        if let (Some(waiting), Some(data)) = (&mut self.waiting, frame.data_ref()) {
            waiting.window_bytes += data.len() as u64;
        }
    }

    fn reacquire_slot(&self) -> Result<(), BodyError> {
        self.slot.as_ref().map_or(Ok(()), SharedSlot::reacquire)
    }

    /// Ready when the sender has been too slow.
    fn poll_too_slow(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(slot) = &self.slot {
            slot.release();
        }
        let (pace, total) = (self.pace, self.total);
        let waiting = self
            .waiting
            .get_or_insert_with(|| BodyDeadline::new(pace, total));
        loop {
            ready!(waiting.timer.as_mut().poll(context));
            if waiting.is_over(Instant::now(), pace) {
                return Poll::Ready(());
            }
        }
    }
}

impl BodyDeadline {
    fn new(pace: MinimumPace, total: Duration) -> Self {
        let now = Instant::now();
        let (ends_at, window_ends_at) = (now + total, now + pace.window);
        Self {
            timer: Box::pin(sleep_until(ends_at.min(window_ends_at))),
            ends_at,
            window_ends_at,
            window_bytes: 0,
        }
    }

    /// Whether the sender was too slow. One that kept the pace gets another window.
    fn is_over(&mut self, now: Instant, pace: MinimumPace) -> bool {
        if now >= self.ends_at || !pace.is_kept_by(self.window_bytes) {
            return true;
        }
        self.window_bytes = 0;
        self.window_ends_at = now + pace.window;
        let next = self.ends_at.min(self.window_ends_at);
        self.timer.as_mut().reset(next);
        false
    }
}

impl hyper::body::Body for PacedBody {
    type Data = Bytes;
    type Error = axum::BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::BoxError>>> {
        let Poll::Ready(frame) = Pin::new(&mut self.body).poll_frame(context) else {
            ready!(self.poll_too_slow(context));
            return Poll::Ready(Some(Err(BodyError::TooSlow.into())));
        };
        if let Some(Ok(frame)) = &frame {
            self.count(frame);
        }
        if (self.body.is_end_stream() || frame.is_none())
            && let Err(error) = self.reacquire_slot()
        {
            return Poll::Ready(Some(Err(error.into())));
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use futures_util::{StreamExt as _, stream};

    use super::*;

    /// Longer than anything here takes.
    const LONG: Duration = Duration::from_secs(60);
    const SHORT: Duration = Duration::from_millis(50);

    fn pace(window: Duration) -> MinimumPace {
        MinimumPace {
            window,
            bytes_per_sec: 2,
        }
    }

    /// Sends four bytes, each a moment after the other.
    fn trickling() -> Body {
        let pieces = stream::iter(0..4).then(|_| async {
            tokio::task::yield_now().await;
            Ok::<_, std::io::Error>(Bytes::from_static(b"x"))
        });
        Body::from_stream(pieces)
    }

    async fn read(
        body: Body,
        slot: Option<SharedSlot>,
        window: Duration,
    ) -> Result<usize, BodyError> {
        let paced = PacedBody::new(body, slot, pace(window), LONG);
        let read = to_bytes(Body::new(paced), usize::MAX).await;
        read.map(|bytes| bytes.len())
            .map_err(|error| BodyError::find_in(&error).unwrap())
    }

    #[tokio::test]
    async fn a_body_that_does_not_come_is_given_up_and_one_that_comes_is_read() {
        let silent = Body::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        assert_eq!(read(silent, None, SHORT).await, Err(BodyError::TooSlow));
        assert_eq!(read(trickling(), None, LONG).await, Ok(4));
    }

    #[tokio::test]
    async fn a_sender_has_window_after_window_while_it_keeps_the_pace_and_an_end() {
        let pace = pace(Duration::from_secs(5));
        let mut waiting = BodyDeadline::new(pace, LONG);
        let begun = Instant::now();
        for window in 1..=10 {
            waiting.window_bytes = 10;
            assert!(!waiting.is_over(begun + pace.window * window, pace));
        }
        waiting.window_bytes = 9;
        assert!(waiting.is_over(begun + pace.window * 11, pace), "too slow");
        waiting.window_bytes = 1_000;
        assert!(waiting.is_over(begun + LONG * 2, pace), "too long");
    }

    #[tokio::test]
    async fn a_slot_is_released_while_its_body_is_waited_for() {
        let slots = Arc::new(Semaphore::new(1));
        let permit = Arc::clone(&slots).try_acquire_owned().unwrap();
        let slot = SharedSlot::new(permit);
        let reading = read(trickling(), Some(slot.clone()), LONG);
        let mut reading = Box::pin(reading);
        assert!(futures_util::poll!(&mut reading).is_pending());
        assert_eq!(slots.available_permits(), 1);
        assert_eq!(reading.await, Ok(4));
        assert_eq!(slots.available_permits(), 0);
        slot.close();
        assert_eq!(slots.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_complete_body_without_a_free_slot_is_refused() {
        let slots = Arc::new(Semaphore::new(1));
        let permit = Arc::clone(&slots).try_acquire_owned().unwrap();
        let reading = read(trickling(), Some(SharedSlot::new(permit)), LONG);
        let mut reading = Box::pin(reading);
        assert!(futures_util::poll!(&mut reading).is_pending());
        let _other = slots.try_acquire().unwrap();
        assert_eq!(reading.await, Err(BodyError::NoSlot));
    }
}
