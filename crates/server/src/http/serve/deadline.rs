//! The deadline of a connection: a long one between requests, a short one while a request head arrives, and a minimum
//! read rate while the client reads a reply.
//!
//! hyper has one time limit for idle connections and for request heads, so a limit that stops slow heads would also
//! close keep-alive connections of browsers and proxies. This file tells the phases apart by three events: hyper asks
//! its timer for a sleep when it begins to wait for a head, the socket returns a first byte, and hyper calls the
//! service when the head is complete. A request in flight never closes its connection: the request and its body have
//! limits of their own (`admission.rs`, `body.rs`).
//!
//! The same timer ends the wait for a reply that takes too long ([`RequestTimer`]): it wakes the task of the connection, in which
//! the request runs, and the request itself returns another reply.
//!
//! A write that the socket does not accept starts a write stall: from then on the client must read at the minimum pace,
//! window by window, until the socket has accepted everything. An event stream without events needs no pace.
//!
//! The invariant: the server never closes a connection here between a complete request head and the reply, unless the
//! client does not read the reply. A client whose request arrived while the server closed an idle connection gets no
//! reply, the server has not begun the request, and the client may send it again.

use std::future::poll_fn;
use std::io;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::rt::{Sleep, Timer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, sleep_until};

use crate::http::body::MinimumPace;

/// The time limits of a connection.
#[derive(Clone, Copy, Debug)]
pub(super) struct ConnectionTimeouts {
    /// Between connecting or a reply, and the first byte of a request.
    pub(super) idle: Duration,
    /// Between the first byte of a request and the end of its head.
    pub(super) head: Duration,
    /// For a client that reads a reply which does not fit into the socket.
    pub(super) pace: MinimumPace,
}

/// The phase of one connection and its deadline. Clones share them.
#[derive(Clone, Debug)]
pub(super) struct ConnectionDeadline {
    head: Duration,
    minimum: MinimumPace,
    state: Arc<Mutex<DeadlineState>>,
}

#[derive(Clone, Copy, Debug)]
struct DeadlineState {
    phase: RequestPhase,
    /// Set while the socket has not accepted the whole reply.
    stall: Option<WriteStall>,
    request: RequestTime,
}

/// How long the request in flight may go on.
#[derive(Clone, Copy, Debug)]
enum RequestTime {
    Unlimited,
    Until(Instant),
    Over,
}

/// A window in which the client must read at the minimum pace.
#[derive(Clone, Copy, Debug)]
struct WriteStall {
    until: Instant,
    bytes: u64,
}

#[derive(Clone, Copy, Debug)]
enum RequestPhase {
    /// A handler runs, or its reply is being sent.
    InFlight,
    Idle {
        until: Instant,
    },
    Head {
        until: Instant,
    },
}

impl ConnectionDeadline {
    pub(super) fn new(limits: ConnectionTimeouts) -> Self {
        let until = Instant::now() + limits.idle;
        Self {
            head: limits.head,
            minimum: limits.pace,
            state: Arc::new(Mutex::new(DeadlineState {
                phase: RequestPhase::Idle { until },
                stall: None,
                request: RequestTime::Unlimited,
            })),
        }
    }

    /// The request head is complete.
    pub(super) fn begin_request(&self) {
        let mut state = self.state();
        state.phase = RequestPhase::InFlight;
        state.request = RequestTime::Unlimited;
    }

    /// The timer of the request in flight.
    pub(super) fn request_timer(&self) -> RequestTimer {
        RequestTimer(self.clone())
    }

    fn limit_request(&self, until: Instant) {
        self.state().request = RequestTime::Until(until);
    }

    fn is_request_over(&self) -> bool {
        matches!(self.state().request, RequestTime::Over)
    }

    fn await_head(&self, until: Instant) {
        self.state().phase = RequestPhase::Idle { until };
    }

    fn note_first_byte(&self) {
        let mut state = self.state();
        if matches!(state.phase, RequestPhase::Idle { .. }) {
            let until = Instant::now() + self.head;
            state.phase = RequestPhase::Head { until };
        }
    }

    /// The socket takes no more of a reply.
    pub(super) fn begin_stall(&self) {
        let until = Instant::now() + self.minimum.window;
        self.state().stall = Some(WriteStall { until, bytes: 0 });
    }

    pub(super) fn read_in_stall(&self, count: usize) {
        if let Some(stall) = &mut self.state().stall {
            stall.bytes += count as u64;
        }
    }

    fn end_stall(&self) {
        self.state().stall = None;
    }

    /// Returns when the deadline has passed. Poll it after every poll of the connection, which may move the deadline.
    ///
    /// One timer serves all requests of a connection. It stays set while the deadline only moves later, and is reset when
    /// it fires: setting a timer for every request would cost more than reading the request.
    pub(super) async fn passed(&self) {
        let mut timer = pin!(sleep_until(Instant::now()));
        poll_fn(|context| {
            loop {
                let Some(until) = self.until() else {
                    return Poll::Pending;
                };
                if timer.deadline() > until {
                    timer.as_mut().reset(until);
                }
                ready!(timer.as_mut().poll(context));
                let now = Instant::now();
                if now < until {
                    timer.as_mut().reset(until);
                } else if self.ends_request(now) {
                    // The connection was polled before this, and did not know yet.
                    context.waker().wake_by_ref();
                } else if self.has_passed(now) {
                    return Poll::Ready(());
                }
            }
        })
        .await;
    }

    fn until(&self) -> Option<Instant> {
        let state = self.state();
        let stalled_until = state.stall.map(|stall| stall.until);
        let request_until = match state.request {
            RequestTime::Until(until) => Some(until),
            RequestTime::Unlimited | RequestTime::Over => None,
        };
        let all = [state.phase.until(), stalled_until, request_until];
        all.into_iter().flatten().min()
    }

    /// Whether the time of the request in flight is over, which is reported once.
    fn ends_request(&self, now: Instant) -> bool {
        let mut state = self.state();
        let is_over = matches!(state.request, RequestTime::Until(until) if until <= now);
        if is_over {
            state.request = RequestTime::Over;
        }
        is_over
    }

    /// Whether the deadline has passed. A client that kept the pace gets another window.
    pub(super) fn has_passed(&self, now: Instant) -> bool {
        let mut state = self.state();
        if let Some(stall) = &mut state.stall
            && stall.until <= now
        {
            if !self.minimum.is_kept_by(stall.bytes) {
                tracing::debug!("connection closed: the client did not read its reply");
                return true;
            }
            *stall = WriteStall {
                until: now + self.minimum.window,
                bytes: 0,
            };
        }
        state.phase.until().is_some_and(|until| until <= now)
    }

    fn state(&self) -> MutexGuard<'_, DeadlineState> {
        // Each change is one assignment, so a poisoned lock guards a consistent value.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Limits how long a request waits for its reply, by the timer of its connection: a timer of its own would cost every request
/// that waits at all more than reading it. To be used in the task of the connection.
#[derive(Clone, Debug)]
pub(in crate::http) struct RequestTimer(ConnectionDeadline);

impl RequestTimer {
    /// The output of `work`, or `None` if it took longer.
    pub(in crate::http) async fn within<F: Future>(
        &self,
        limit: Duration,
        mut work: Pin<&mut F>,
    ) -> Option<F::Output> {
        let mut is_limited = false;
        poll_fn(|context| {
            if let Poll::Ready(output) = work.as_mut().poll(context) {
                return Poll::Ready(Some(output));
            }
            if !is_limited {
                self.0.limit_request(Instant::now() + limit);
                is_limited = true;
            }
            match self.0.is_request_over() {
                true => Poll::Ready(None),
                false => Poll::Pending,
            }
        })
        .await
    }
}

impl RequestPhase {
    fn until(self) -> Option<Instant> {
        match self {
            Self::InFlight => None,
            Self::Idle { until } | Self::Head { until } => Some(until),
        }
    }
}

/// hyper sets its limit for heads when it begins to wait for one.
impl Timer for ConnectionDeadline {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> Pin<Box<dyn Sleep>> {
        self.await_head(deadline.into());
        Box::pin(NeverWakes)
    }
}

/// What hyper sleeps on: [`ConnectionDeadline::passed`] fires in its place. It takes no memory.
struct NeverWakes;

impl Future for NeverWakes {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl Sleep for NeverWakes {}

/// A socket that reports its first bytes and its write stalls to the deadline.
#[derive(Debug)]
pub(super) struct ObservedSocket<S> {
    socket: S,
    deadline: ConnectionDeadline,
    /// Kept here as well, so that a reply without a stall takes no lock.
    is_stalled: bool,
}

impl<S> ObservedSocket<S> {
    pub(super) fn new(socket: S, deadline: ConnectionDeadline) -> Self {
        Self {
            socket,
            deadline,
            is_stalled: false,
        }
    }

    fn note_write(&mut self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Pending if !self.is_stalled => {
                self.is_stalled = true;
                self.deadline.begin_stall();
            }
            Poll::Ready(Ok(count)) if self.is_stalled => self.deadline.read_in_stall(*count),
            Poll::Pending | Poll::Ready(_) => {}
        }
    }

    /// hyper flushes the socket after it has written everything.
    fn note_flush(&mut self) {
        if self.is_stalled {
            self.is_stalled = false;
            self.deadline.end_stall();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ObservedSocket<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = buffer.filled().len();
        let read = ready!(Pin::new(&mut self.socket).poll_read(context, buffer));
        if buffer.filled().len() > before {
            self.deadline.note_first_byte();
        }
        Poll::Ready(read)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ObservedSocket<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write(context, bytes);
        self.note_write(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.socket).poll_write_vectored(context, pieces);
        self.note_write(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.socket.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.note_flush();
        Pin::new(&mut self.socket).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_shutdown(context)
    }
}
