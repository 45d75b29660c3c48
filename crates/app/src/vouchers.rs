//! Vouchers as people meet them: listed by a shop, published and changed by its merchant.
//!
//! A change of a flash sale is one transaction with an outbox row in it. When it has committed, this process tells the
//! gate at once, as far as Redis answers; the outbox does the same once more, however long that takes. Both let the gate
//! take on what SQL says then, so they may come late, twice or in any order.

mod edit;
mod list;
mod offer;

use std::hash::Hash;
use std::time::Duration;

use domain::ShopId;
use moka::future::Cache;

pub(crate) use edit::owned;
pub use edit::{SaleChange, change_sale, publish, publish_sale, set_status};
pub use list::{Listed, list_of_shop};
pub use offer::{Offer, get, list_running};

use list::Shelf;

/// How long a shelf is shown as it was read: people crowd on one page when a sale begins.
const SHELF_FRESH: Duration = Duration::from_secs(1);
/// About 20 MB when all of them are full of vouchers.
const SHELVES: u64 = 2_000;

/// What a process remembers of vouchers.
#[derive(Debug)]
pub struct Vouchers {
    shelves: Cache<ShopId, Shelf>,
    /// The flash sales that are on, of all shops.
    running: Cache<(), Shelf>,
}

impl Vouchers {
    pub(crate) fn new() -> Self {
        Self {
            shelves: shelves(SHELVES),
            running: shelves(1),
        }
    }

    /// What was changed on a shelf is seen at once by those who ask this process.
    async fn forget(&self, shop: ShopId) {
        self.shelves.invalidate(&shop).await;
        self.running.invalidate(&()).await;
    }
}

fn shelves<K: Hash + Eq + Send + Sync + 'static>(capacity: u64) -> Cache<K, Shelf> {
    Cache::builder()
        .max_capacity(capacity)
        .time_to_live(SHELF_FRESH)
        .build()
}
