//! The one reader of request bodies: bounded in time, in pace, and without a place in the house while it waits.
//!
//! Every body that is not there yet is wrapped before a handler sees the request (`admission.rs`), so whatever reads it
//! (an extractor, a form, a handler that throws it away) reads through here. A body ends in an error when it is not
//! whole within the time of a request, or when less than the minimum pace came in a window. While a request waits for
//! its client, its place is free for others; it takes one again when its body is whole, or is refused as any other
//! request is when there is none. How many requests may wait like that is bounded by the number of connections.

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

/// How fast somebody at the other end must be, measured in windows: one packet that is late harms nobody.
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

/// Why a body could not be read, for the words of the reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(super) enum BodyError {
    #[error("the body did not arrive in time")]
    TooSlow,
    #[error("the body is whole, and no place is free")]
    NoPlace,
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

/// The place of a request that waits for its body now and then. Clones are the same place.
#[derive(Clone, Debug)]
pub(super) struct SharedPlace(Arc<Mutex<Holding>>);

#[derive(Debug)]
enum Holding {
    Held {
        permit: OwnedSemaphorePermit,
    },
    /// Left to others until the body is whole.
    Lent {
        places: Arc<Semaphore>,
    },
    /// The request is done.
    Closed,
}

impl SharedPlace {
    pub(super) fn new(permit: OwnedSemaphorePermit) -> Self {
        Self(Arc::new(Mutex::new(Holding::Held { permit })))
    }

    fn holding(&self) -> MutexGuard<'_, Holding> {
        // It is written in one go.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lend(&self) {
        let mut holding = self.holding();
        if let Holding::Held { permit } = &*holding {
            let places = Arc::clone(permit.semaphore());
            *holding = Holding::Lent { places };
        }
    }

    fn take_back(&self) -> Result<(), BodyError> {
        let mut holding = self.holding();
        if let Holding::Lent { places } = &*holding {
            let permit = Arc::clone(places).try_acquire_owned();
            let permit = permit.map_err(|_| BodyError::NoPlace)?;
            *holding = Holding::Held { permit };
        }
        Ok(())
    }

    /// The request is done; a body that is still read takes no place any more.
    pub(super) fn close(&self) {
        *self.holding() = Holding::Closed;
    }
}

/// A body that is given up when its sender is too slow.
#[derive(Debug)]
pub(super) struct PacedBody {
    body: Body,
    /// None for requests that need no place.
    place: Option<SharedPlace>,
    pace: MinimumPace,
    total: Duration,
    /// None until the body has been waited for.
    waiting: Option<Waiting>,
}

#[derive(Debug)]
struct Waiting {
    alarm: Pin<Box<Sleep>>,
    /// When the whole body must be there.
    ends_at: Instant,
    window_ends_at: Instant,
    window_bytes: u64,
}

impl PacedBody {
    pub(super) fn new(
        body: Body,
        place: Option<SharedPlace>,
        pace: MinimumPace,
        total: Duration,
    ) -> Self {
        Self {
            body,
            place,
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

    fn take_back_place(&self) -> Result<(), BodyError> {
        self.place.as_ref().map_or(Ok(()), SharedPlace::take_back)
    }

    /// Ready when the sender has been too slow.
    fn poll_too_slow(&mut self, context: &mut Context<'_>) -> Poll<()> {
        if let Some(place) = &self.place {
            place.lend();
        }
        let (pace, total) = (self.pace, self.total);
        let waiting = self
            .waiting
            .get_or_insert_with(|| Waiting::new(pace, total));
        loop {
            ready!(waiting.alarm.as_mut().poll(context));
            if waiting.is_over(Instant::now(), pace) {
                return Poll::Ready(());
            }
        }
    }
}

impl Waiting {
    fn new(pace: MinimumPace, total: Duration) -> Self {
        let now = Instant::now();
        let (ends_at, window_ends_at) = (now + total, now + pace.window);
        Self {
            alarm: Box::pin(sleep_until(ends_at.min(window_ends_at))),
            ends_at,
            window_ends_at,
            window_bytes: 0,
        }
    }

    /// Whether a moment that has come is the end. A sender that kept the pace gets another window.
    fn is_over(&mut self, now: Instant, pace: MinimumPace) -> bool {
        if now >= self.ends_at || !pace.is_kept_by(self.window_bytes) {
            return true;
        }
        self.window_bytes = 0;
        self.window_ends_at = now + pace.window;
        let next = self.ends_at.min(self.window_ends_at);
        self.alarm.as_mut().reset(next);
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
            && let Err(error) = self.take_back_place()
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
        place: Option<SharedPlace>,
        window: Duration,
    ) -> Result<usize, BodyError> {
        let paced = PacedBody::new(body, place, pace(window), LONG);
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
        let mut waiting = Waiting::new(pace, LONG);
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
    async fn a_place_is_lent_while_its_body_is_waited_for() {
        let places = Arc::new(Semaphore::new(1));
        let permit = Arc::clone(&places).try_acquire_owned().unwrap();
        let place = SharedPlace::new(permit);
        let reading = read(trickling(), Some(place.clone()), LONG);
        let mut reading = Box::pin(reading);
        assert!(futures_util::poll!(&mut reading).is_pending());
        assert_eq!(places.available_permits(), 1);
        assert_eq!(reading.await, Ok(4));
        assert_eq!(places.available_permits(), 0);
        place.close();
        assert_eq!(places.available_permits(), 1);
    }

    #[tokio::test]
    async fn a_whole_body_that_finds_no_place_is_refused() {
        let places = Arc::new(Semaphore::new(1));
        let permit = Arc::clone(&places).try_acquire_owned().unwrap();
        let reading = read(trickling(), Some(SharedPlace::new(permit)), LONG);
        let mut reading = Box::pin(reading);
        assert!(futures_util::poll!(&mut reading).is_pending());
        let _other = places.try_acquire().unwrap();
        assert_eq!(reading.await, Err(BodyError::NoPlace));
    }
}
