//! Watches the partitions whose drain loop is idle, for all of them with one command a second.
//!
//! An idle drain loop waits for its next entry in a long blocking read. That read does not return for an entry that went to
//! a consumer which is gone, or to a connection that is silently dead, nor for orders whose entry was deleted. All of these
//! leave a backlog, or a caller who waits for a barrier, although the loop receives nothing. The watch compares two looks:
//! if the partition had something to do in both and its loop waited all the time, it interrupts the read, and the loop
//! recovers everything that is pending.
//!
//! A barrier is not part of the backlog. Its caller keeps a key of the partition alive while it waits.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use link::{Link, LinkError};
use tokio::sync::Notify;

use crate::{Keys, Partition, Partitions};

/// As often as a busy loop looks for stranded entries.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// How long a caller who waits for a barrier counts as waiting: two looks, and a little.
pub(crate) const BARRIER_WAITER_TTL: Duration = Duration::from_secs(3);

/// The drain loops of a process, by partition.
#[derive(Debug)]
pub(crate) struct IdleWatch {
    loops: Box<[WatchedLoop]>,
}

/// What a drain loop shows of itself.
#[derive(Debug, Default)]
pub(super) struct WatchedLoop {
    is_waiting: AtomicBool,
    /// Counts the reads that returned something.
    deliveries: AtomicU64,
    stranded: Notify,
}

/// Ends the wait of a loop when dropped.
#[derive(Debug)]
pub(super) struct IdleWait<'a>(&'a WatchedLoop);

/// A partition that had something to do while its loop waited, and the loop's deliveries until then.
type Look = Option<u64>;

impl IdleWatch {
    pub(crate) fn new(partitions: Partitions) -> Self {
        Self {
            loops: partitions.all().map(|_| WatchedLoop::default()).collect(),
        }
    }

    pub(super) fn of(&self, partition: Partition) -> &WatchedLoop {
        &self.loops[usize::from(partition.0)]
    }

    /// Runs until it is dropped. Without an idle loop it sends nothing.
    pub(super) async fn run(&self, link: &Link, keys: &Keys, partitions: Partitions) {
        let mut looks: Vec<Look> = vec![None; self.loops.len()];
        loop {
            supervise::next_tick(LOOK_EVERY).await;
            let waiting: Vec<Partition> = partitions
                .all()
                .filter(|partition| self.of(*partition).is_waiting())
                .collect();
            let Ok(busy) = read_busy(link, keys, &waiting).await else {
                // The read of the loop fails as well, and the loop recovers what is pending.
                continue;
            };
            for (partition, is_busy) in waiting.into_iter().zip(busy) {
                let watched = self.of(partition);
                let look = is_busy.then(|| watched.deliveries.load(Ordering::Acquire));
                let before = &mut looks[usize::from(partition.0)];
                if look.is_some() && look == *before && watched.is_waiting() {
                    watched.stranded.notify_one();
                }
                *before = look;
            }
        }
    }
}

impl WatchedLoop {
    /// The loop waits for entries until the value is dropped.
    pub(super) fn begin_wait(&self) -> IdleWait<'_> {
        self.is_waiting.store(true, Ordering::Release);
        IdleWait(self)
    }

    pub(super) fn note_delivery(&self) {
        self.deliveries.fetch_add(1, Ordering::AcqRel);
    }

    fn is_waiting(&self) -> bool {
        self.is_waiting.load(Ordering::Acquire)
    }
}

impl IdleWait<'_> {
    /// Returns when something was not delivered for two looks.
    pub(super) async fn stranded(&self) {
        self.0.stranded.notified().await;
    }
}

impl Drop for IdleWait<'_> {
    fn drop(&mut self) {
        self.0.is_waiting.store(false, Ordering::Release);
    }
}

/// Whether each of these partitions has a backlog, or a caller who waits for a barrier. One command; in a Cluster one
/// round trip per master.
async fn read_busy(
    link: &Link,
    keys: &Keys,
    partitions: &[Partition],
) -> Result<Vec<bool>, LinkError> {
    if partitions.is_empty() {
        return Ok(Vec::new());
    }
    let keys: Vec<String> = partitions
        .iter()
        .flat_map(|it| [keys.backlog(*it), keys.barrier_waiter(*it)])
        .collect();
    let values: Vec<Option<i64>> = if link.is_cluster() {
        let mut pipe = redis::pipe();
        for key in &keys {
            pipe.cmd("GET").arg(key);
        }
        link.pipe(&pipe).await?
    } else {
        link.run(redis::cmd("MGET").arg(&keys)).await?
    };
    let is_busy = |both: &[Option<i64>]| both.iter().flatten().any(|value| *value != 0);
    Ok(values.chunks(2).map(is_busy).collect())
}
