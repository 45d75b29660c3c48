//! Counted ids: blocks in memory, the next one fetched while one is used.
//!
//! See `ids.rs` for why they are distinct.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use link::Link;

use super::{Clock, IdError, LoweredAfter, layout::Day, layout::Second};
use crate::{Keys, Ledger, OrderId};

mod allocator;
mod blocks;

use allocator::{BLOCK, Supply};
use blocks::Stock;

/// A block is fetched ahead when less than this is left: time enough for a round trip at a hundred claims a millisecond.
const LOW: i64 = BLOCK / 2;

/// The first block of a day is fetched so long before it begins.
const BEFORE_MIDNIGHT_SECS: i64 = 30;

/// Pause after a block could not be fetched ahead, so that an outage is not met with a call per claim.
const PAUSE_AFTER_FAILURE: Duration = Duration::from_millis(200);

#[derive(Debug)]
pub(super) struct Counter<L> {
    clock: Clock,
    stock: Mutex<Stock>,
    /// One block is fetched at a time: whoever waits finds it in the stock.
    supply: tokio::sync::Mutex<Supply<L>>,
    is_fetching_ahead: AtomicBool,
}

impl<L: Ledger> Counter<L> {
    pub(super) fn new(link: Link, keys: Keys, ledger: Arc<L>, clock: Clock) -> Arc<Self> {
        Arc::new(Self {
            clock,
            stock: Mutex::new(Stock::default()),
            supply: tokio::sync::Mutex::new(Supply::new(link, keys, ledger)),
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
            let second = self.take_from_stock(len, ids)?;
            if ids.len() == len {
                return Ok(());
            }
            self.fetch(second.day(), 1).await?;
        }
    }

    fn take_from_stock(
        self: &Arc<Self>,
        len: usize,
        ids: &mut Vec<OrderId>,
    ) -> Result<Second, IdError> {
        let mut stock = self.stock();
        let second = stock.tick(Second::at(self.clock.now_ms())?)?;
        stock.take(second, len - ids.len(), ids);
        let wanted = due(&stock, second);
        drop(stock);
        if let Some(day) = wanted {
            self.fetch_ahead(day);
        }
        Ok(second)
    }

    /// Puts a block of this day into the stock, unless there are `enough` ids of it by then.
    async fn fetch(&self, day: Day, enough: i64) -> Result<(), IdError> {
        let mut supply = self.supply.lock().await;
        if self.stock().left(day) >= enough {
            return Ok(());
        }
        let block = supply.block(day).await?;
        self.stock().add(block);
        Ok(())
    }

    fn fetch_ahead(self: &Arc<Self>, day: Day) {
        if self.is_fetching_ahead.swap(true, Ordering::AcqRel) {
            return;
        }
        let counter = self.clone();
        supervise::spawn_once("order ids ahead", async move {
            let _flag = LoweredAfter(&counter.is_fetching_ahead);
            if let Err(error) = counter.fetch(day, LOW).await {
                tracing::debug!(?error, "no block of ids could be fetched ahead");
                tokio::time::sleep(PAUSE_AFTER_FAILURE).await;
            }
        });
    }

    fn stock(&self) -> MutexGuard<'_, Stock> {
        // Ids are taken before they are written, so whoever panicked cost some, and repeated none.
        self.stock.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The day of which a block should be fetched ahead.
fn due(stock: &Stock, second: Second) -> Option<Day> {
    let today = second.day();
    let tomorrow = today.next();
    if stock.left(today) < LOW {
        Some(today)
    } else if second.left_today() <= BEFORE_MIDNIGHT_SECS && stock.left(tomorrow) == 0 {
        Some(tomorrow)
    } else {
        None
    }
}
