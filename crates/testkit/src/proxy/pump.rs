//! One direction of one connection: reads chunks, applies the current fault to each, and keeps their order.
//!
//! The invariant: what comes out is a prefix of what went in. Once a chunk was swallowed the pump has a *hole* and writes
//! nothing more; it ends as soon as the fault would let it write. The end of the stream is a chunk like any other:
//! it can be delayed and swallowed too.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::sync::watch;
use tokio::time::Instant;

use super::connection::Open;
use super::{Fault, Shared};

/// As much as is read at once.
const CHUNK_BYTES: usize = 16 * 1024;

/// Chunks that wait for their delay; beyond it the sender is made to wait, as by a full socket buffer.
const WAITING_CHUNKS: usize = 1_024;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Requests,
    Replies,
}

pub(super) struct Pump {
    direction: Direction,
    shared: Arc<Shared>,
    fault: watch::Receiver<Fault>,
    /// Given up when the sender is gone, even while a fault hides that from the receiver.
    open: Option<Open>,
    waiting: VecDeque<Chunk>,
    ended: bool,
    hole: bool,
}

/// Bytes, or the end of the stream if there are none.
struct Chunk {
    arrived: Instant,
    bytes: Vec<u8>,
}

/// What becomes of a chunk under a fault.
enum Fate {
    Deliver {
        after: Duration,
    },
    /// Delivered, unless it is the one that all is cut after.
    Count,
    Swallow,
    Close,
}

/// The connection is over: its end was delivered, it broke, or it must not go on.
struct ConnectionEnded;

impl Pump {
    pub(super) fn new(direction: Direction, shared: &Arc<Shared>, open: Option<Open>) -> Self {
        Self {
            direction,
            shared: Arc::clone(shared),
            fault: shared.fault.subscribe(),
            open,
            waiting: VecDeque::new(),
            ended: false,
            hole: false,
        }
    }

    /// Runs until the connection is over.
    pub(super) async fn run(
        mut self,
        mut from: impl AsyncRead + Unpin,
        mut to: impl AsyncWrite + Unpin,
    ) {
        let mut buffer = vec![0; CHUNK_BYTES];
        while let Ok(next_due) = self.settle(&mut to).await {
            let room = !self.ended && self.waiting.len() < WAITING_CHUNKS;
            tokio::select! {
                changed = self.fault.changed() => if changed.is_err() { return },
                read = from.read(&mut buffer), if room => self.take_in(&buffer[..read.unwrap_or(0)]),
                () = sleep_until(next_due) => {}
            }
        }
    }

    fn take_in(&mut self, bytes: &[u8]) {
        self.ended = bytes.is_empty();
        if self.ended {
            self.open = None;
        }
        self.waiting.push_back(Chunk {
            arrived: Instant::now(),
            bytes: bytes.to_vec(),
        });
    }

    /// Forwards or drops all chunks that are due; returns when the next one is.
    async fn settle(
        &mut self,
        to: &mut (impl AsyncWrite + Unpin),
    ) -> Result<Option<Instant>, ConnectionEnded> {
        loop {
            let fate = self.fate();
            if self.hole && !matches!(fate, Fate::Swallow) {
                return Err(ConnectionEnded);
            }
            let Some(chunk) = self.waiting.pop_front() else {
                return Ok(None);
            };
            match fate {
                Fate::Close => return Err(ConnectionEnded),
                Fate::Swallow => self.swallow(&chunk),
                Fate::Count if self.is_last(&chunk) => return Err(ConnectionEnded),
                Fate::Count => deliver(&chunk.bytes, to).await?,
                Fate::Deliver { after } if chunk.arrived + after > Instant::now() => {
                    let due = chunk.arrived + after;
                    self.waiting.push_front(chunk);
                    return Ok(Some(due));
                }
                Fate::Deliver { .. } => deliver(&chunk.bytes, to).await?,
            }
        }
    }

    fn fate(&mut self) -> Fate {
        let fault = *self.fault.borrow_and_update();
        match (fault, self.direction) {
            (Fault::Cut, _) => Fate::Close,
            (Fault::BlackHole, _) | (Fault::DropReplies, Direction::Replies) => Fate::Swallow,
            (Fault::CutAfterReplies, Direction::Replies) => Fate::Count,
            (Fault::Delay(after), Direction::Replies) => Fate::Deliver { after },
            (Fault::None | Fault::Delay(_) | Fault::DropReplies | Fault::CutAfterReplies, _) => {
                Fate::Deliver {
                    after: Duration::ZERO,
                }
            }
        }
    }

    /// Whether this is the reply of `pass_replies_then_cut` that is lost; then everything is cut.
    fn is_last(&self, chunk: &Chunk) -> bool {
        let counts = !chunk.bytes.is_empty();
        let is_last = counts && self.shared.replies_left.fetch_sub(1, Ordering::SeqCst) == 1;
        if is_last {
            self.shared.fault.send_replace(Fault::Cut);
        }
        is_last
    }

    /// Leaves a hole, and cuts everything when the last reply of `drop_replies_then_cut` is gone.
    fn swallow(&mut self, chunk: &Chunk) {
        self.hole = true;
        let counts = *self.fault.borrow() == Fault::DropReplies && !chunk.bytes.is_empty();
        if counts && self.shared.replies_left.fetch_sub(1, Ordering::SeqCst) == 1 {
            self.shared.fault.send_replace(Fault::Cut);
        }
    }
}

async fn deliver(bytes: &[u8], to: &mut (impl AsyncWrite + Unpin)) -> Result<(), ConnectionEnded> {
    if bytes.is_empty() {
        return Err(ConnectionEnded);
    }
    to.write_all(bytes).await.map_err(|_| ConnectionEnded)
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
