//! Counted ids: blocks in memory, the next one fetched while one is used. `ids.rs` says why the ids are unique.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link::Link;

use super::{ClearOnDrop, Clock, IdError, layout::Day, layout::Second};
use crate::{Keys, Ledger, OrderId};

mod allocator;
mod blocks;

use allocator::{BLOCK, BlockAllocator};
use blocks::Blocks;

/// A block is fetched ahead when less than this is left: time enough for a round trip at a hundred claims a millisecond.
const LOW: i64 = BLOCK / 2;

/// The first block of a day is fetched so long before it begins.
const BEFORE_MIDNIGHT_SECS: i64 = 30;

/// Pause after a block could not be fetched ahead, so that an outage is not met with a call per claim.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub(super) struct Counter<L> {
    clock: Clock,
    blocks: Mutex<Blocks>,
    /// One task fetches at a time; the others then find its block.
    allocator: tokio::sync::Mutex<BlockAllocator<L>>,
    is_fetching_ahead: AtomicBool,
}

impl<L: Ledger> Counter<L> {
    pub(super) fn new(link: Link, keys: Keys, ledger: Arc<L>, clock: Clock) -> Arc<Self> {
        Arc::new(Self {
            clock,
            blocks: Mutex::new(Blocks::default()),
            allocator: tokio::sync::Mutex::new(BlockAllocator::new(link, keys, ledger)),
            is_fetching_ahead: AtomicBool::new(false),
        })
    }

    /// Appends ids until there are `len`.
    pub(super) async fn fill(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<(), IdError> {
        loop {
            let second = self.take_from_blocks(len, ids)?;
            if ids.len() == len {
                return Ok(());
            }
            self.fetch(second.day(), 1).await?;
        }
    }

    fn take_from_blocks(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<Second, IdError> {
        let mut blocks = self.blocks();
        let second = blocks.tick(Second::at(self.clock.now_ms())?)?;
        blocks.take(second, len - ids.len(), ids);
        let wanted = due(&blocks, second);
        drop(blocks);
        if let Some(day) = wanted {
            self.fetch_ahead(day);
        }
        Ok(second)
    }

    /// Fetches a block of this day, unless there are `enough` ids by then.
    async fn fetch(&self, day: Day, enough: i64) -> Result<(), IdError> {
        let mut allocator = self.allocator.lock().await;
        if self.blocks().left(day) >= enough {
            return Ok(());
        }
        let block = allocator.block(day).await?;
        self.blocks().add(block);
        Ok(())
    }

    fn fetch_ahead(self: &Arc<Self>, day: Day) {
        if self.is_fetching_ahead.swap(true, Ordering::AcqRel) {
            return;
        }
        let counter = self.clone();
        supervise::spawn_once("order ids ahead", async move {
            let _flag = ClearOnDrop(&counter.is_fetching_ahead);
            if let Err(error) = counter.fetch(day, LOW).await {
                tracing::debug!(?error, "order ids not fetched ahead, retrying");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
            }
        });
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        // Counts are taken before ids are written, so a panic loses some ids and repeats none.
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The day of which a block should be fetched ahead.
fn due(blocks: &Blocks, second: Second) -> Option<Day> {
    let today = second.day();
    let tomorrow = today.next();
    if blocks.left(today) < LOW {
        Some(today)
    } else if second.left_today() <= BEFORE_MIDNIGHT_SECS && blocks.left(tomorrow) == 0 {
        Some(tomorrow)
    } else {
        None
    }
}
