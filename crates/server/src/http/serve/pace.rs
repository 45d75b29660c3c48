//! How long a client may keep a connection to itself: long between requests, briefly within the head of one, and only for
//! as long as it reads what it asked for.
//!
//! hyper has one time limit for both, so one that cuts off a head which trickles in would also close what a browser or a
//! proxy keeps open for its next request. Here they are told apart by three signs: hyper asks its timer for a sleep when it
//! begins to wait for a head, the socket gives a first byte, and the service is called when the head is whole. A request
//! in hand is nobody's business here: it has a limit of its own, and so has its body (`http/body.rs`).
//!
//! A reply that the socket does not take is a fourth sign. From then on the client must read at the minimum pace, window
//! by window, until everything has been taken. A stream that has nothing to say asks for no pace.
//!
//! The invariant: a request that was taken in whole is never cut off here before it has a reply that its client does not
//! read, and nothing was begun of one that was not. A
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

use crate::http::body::MinimumPace;

/// What a client is given.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Between connecting or a reply, and the first byte of a request.
    pub(super) idle: Duration,
    /// Between the first byte of a request and the end of its head.
    pub(super) head: Duration,
    /// For whoever reads a reply that does not fit into the socket.
    pub(super) pace: MinimumPace,
}

/// Where one connection is. Its clones are the same connection.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    head: Duration,
    minimum: MinimumPace,
    state: Arc<Mutex<State>>,
}

#[derive(Clone, Copy, Debug)]
struct State {
    phase: Phase,
    /// There while a reply waits for its reader, whatever else the connection does meanwhile.
    stall: Option<Stall>,
}

/// A window in which the client must read.
#[derive(Clone, Copy, Debug)]
struct Stall {
    until: Instant,
    bytes: u64,
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
            minimum: limits.pace,
            state: Arc::new(Mutex::new(State {
                phase: Phase::Idle { until },
                stall: None,
            })),
        }
    }

    /// A head is whole.
    pub(super) fn take_in_hand(&self) {
        self.state().phase = Phase::InHand;
    }

    fn await_head(&self, until: Instant) {
        self.state().phase = Phase::Idle { until };
    }

    fn hear(&self) {
        let mut state = self.state();
        if matches!(state.phase, Phase::Idle { .. }) {
            let until = Instant::now() + self.head;
            state.phase = Phase::Head { until };
        }
    }

    /// The socket takes no more of a reply.
    pub(super) fn begin_stall(&self) {
        let until = Instant::now() + self.minimum.window;
        self.state().stall = Some(Stall { until, bytes: 0 });
    }

    pub(super) fn read_in_stall(&self, count: usize) {
        if let Some(stall) = &mut self.state().stall {
            stall.bytes += count as u64;
        }
    }

    fn end_stall(&self) {
        self.state().stall = None;
    }

    /// Returns when the client has had its time. To be polled after the connection whenever that was: what has arrived by
    /// then counts, and the time may have changed.
    ///
    /// One alarm serves all requests of a connection. It is left alone while its moment only moves away, and looks at the
    /// time again when it rings: setting a timer for every request would cost more than reading the request.
    pub(super) async fn run_out(&self) {
        let mut alarm = pin!(sleep_until(Instant::now()));
        poll_fn(|context| {
            loop {
                let Some(until) = self.until() else {
                    return Poll::Pending;
                };
                if alarm.deadline() > until {
                    alarm.as_mut().reset(until);
                }
                ready!(alarm.as_mut().poll(context));
                let now = Instant::now();
                if now < until {
                    alarm.as_mut().reset(until);
                } else if self.has_run_out(now) {
                    return Poll::Ready(());
                }
            }
        })
        .await;
    }

    fn until(&self) -> Option<Instant> {
        let state = self.state();
        let stalled_until = state.stall.map(|stall| stall.until);
        match (state.phase.until(), stalled_until) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        }
    }

    /// Whether a moment that has come is the end. A reader who kept the pace gets another window.
    pub(super) fn has_run_out(&self, now: Instant) -> bool {
        let mut state = self.state();
        if let Some(stall) = &mut state.stall
            && stall.until <= now
        {
            if !self.minimum.is_kept_by(stall.bytes) {
                tracing::debug!("client did not read its reply");
                return true;
            }
            *stall = Stall {
                until: now + self.minimum.window,
                bytes: 0,
            };
        }
        state.phase.until().is_some_and(|until| until <= now)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A state is written in one go, so there is no half of one to fear.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Phase {
    fn until(self) -> Option<Instant> {
        match self {
            Self::InHand => None,
            Self::Idle { until } | Self::Head { until } => Some(until),
        }
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

/// A socket that tells when something has come, and when it takes no more.
#[derive(Debug)]
pub(super) struct Heard<S> {
    socket: S,
    pace: Pace,
    /// Whether a reply waits for its reader; known here so that a reply that does not wait costs no lock.
    is_stalled: bool,
}

impl<S> Heard<S> {
    pub(super) fn new(socket: S, pace: Pace) -> Self {
        Self {
            socket,
            pace,
            is_stalled: false,
        }
    }

    fn note_write(&mut self, written: &Poll<io::Result<usize>>) {
        match written {
            Poll::Pending if !self.is_stalled => {
                self.is_stalled = true;
                self.pace.begin_stall();
            }
            Poll::Ready(Ok(count)) if self.is_stalled => self.pace.read_in_stall(*count),
            Poll::Pending | Poll::Ready(_) => {}
        }
    }

    /// hyper flushes the socket when it has given it everything.
    fn note_flush(&mut self) {
        if self.is_stalled {
            self.is_stalled = false;
            self.pace.end_stall();
        }
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
