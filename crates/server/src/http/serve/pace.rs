//! How long a client may keep a connection to itself: long between requests, briefly within the head of one.
//!
//! hyper has one time limit for both, so one that cuts off a head which trickles in would also close what a browser or a
//! proxy keeps open for its next request. Here they are told apart by three signs: hyper asks its timer for a sleep when it
//! begins to wait for a head, the socket gives a first byte, and the service is called when the head is whole. A request
//! in hand is nobody's business here: it has a limit of its own.
//!
//! The invariant: a request that was taken in whole is never cut off here, and nothing was begun of one that was not. A
//! client whose request met the closing of an idle connection finds it without a reply and may send it again.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Sleep, Timer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};

/// What a client is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Between connecting or a reply, and the first byte of a request.
    pub(super) idle: Duration,
    /// Between the first byte of a request and the end of its head.
    pub(super) head: Duration,
}

/// Where one connection is. Its clones are the same connection.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    head: Duration,
    phase: Arc<Mutex<Phase>>,
}

#[derive(Clone, Copy, Debug)]
enum Phase {
    /// Somebody works on a request, or its reply is being sent.
    InHand,
    Idle {
        until: Instant,
    },
    Head {
        until: Instant,
    },
}

impl Pace {
    pub(super) fn new(limits: Limits) -> Self {
        let until = Instant::now() + limits.idle;
        Self {
            head: limits.head,
            phase: Arc::new(Mutex::new(Phase::Idle { until })),
        }
    }

    /// A head is whole.
    pub(super) fn take_in_hand(&self) {
        *self.phase() = Phase::InHand;
    }

    fn await_head(&self, until: Instant) {
        *self.phase() = Phase::Idle { until };
    }

    fn hear(&self) {
        let mut phase = self.phase();
        if matches!(*phase, Phase::Idle { .. }) {
            let until = Instant::now() + self.head;
            *phase = Phase::Head { until };
        }
    }

    /// Returns when the client has had its time. To be polled after the connection whenever that was: what has arrived by
    /// then counts, and the time may have changed.
    ///
    /// One alarm serves all requests of a connection. It is left alone while its moment only moves away, and looks at the
    /// time again when it rings: setting a timer for every request would cost more than reading the request.
    pub(super) async fn run_out(&self) {
        let mut alarm = pin!(sleep_until(Instant::now()));
        poll_fn(|context| {
            let Some(until) = self.until() else {
                return Poll::Pending;
            };
            if alarm.deadline() > until {
                alarm.as_mut().reset(until);
            }
            loop {
                ready!(alarm.as_mut().poll(context));
                if Instant::now() >= until {
                    return Poll::Ready(());
                }
                alarm.as_mut().reset(until);
            }
        })
        .await;
    }

    fn until(&self) -> Option<Instant> {
        match *self.phase() {
            Phase::InHand => None,
            Phase::Idle { until } | Phase::Head { until } => Some(until),
        }
    }

    fn phase(&self) -> MutexGuard<'_, Phase> {
        // A phase is written in one go, so there is no half of one to fear.
        self.phase.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// hyper sets its limit for heads when it begins to wait for one.
impl Timer for Pace {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> Pin<Box<dyn Sleep>> {
        self.await_head(deadline.into());
        Box::pin(Forever)
    }
}

/// What hyper sleeps on: [`Pace::run_out`] rings in its place. It takes no memory.
struct Forever;

impl Future for Forever {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl Sleep for Forever {}

/// A socket that tells when something has come.
#[derive(Debug)]
pub(super) struct Heard<S> {
    socket: S,
    pace: Pace,
}

impl<S> Heard<S> {
    pub(super) fn new(socket: S, pace: Pace) -> Self {
        Self { socket, pace }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Heard<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.socket).poll_read(context, buffer));
        if buffer.filled().len() > before {
            self.pace.hear();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Heard<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write_vectored(context, pieces)
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
