//! Vouchers: listed by shop, published and changed by merchants.
//!
//! A change of a flash sale is one transaction with an outbox row. After the commit this process updates the gate at
//! once, if Redis answers; the outbox does it again. Both make the gate load the present terms from SQL, so they may
//! run late, twice or in any order.

mod edit;
mod list;
mod offer;

use std::hash::Hash;
use std::time::Duration;

use domain::{ShopId, VoucherId};
use moka::future::Cache;

pub(crate) use edit::owned;
pub use edit::{SaleChange, change_sale, publish, publish_sale, set_status};
pub use list::{ListedVoucher, list_of_shop};
pub use offer::{Offer, describe, get, list_running};

use list::ListedVouchers;

/// How long a shop's list is cached: readers crowd on one page when a sale begins.
const SHELF_FRESH: Duration = Duration::from_secs(1);
/// About 20 MB when all of them are full of vouchers.
const SHELVES: u64 = 2_000;

/// Per-process caches of vouchers.
#[derive(Debug)]
pub struct Vouchers {
    shelves: Cache<ShopId, ListedVouchers>,
    /// Single vouchers; nothing for one that is not on the shelf.
    single: Cache<VoucherId, ListedVouchers>,
    /// The flash sales that are on, of all shops.
    running: Cache<(), ListedVouchers>,
}

impl Vouchers {
    pub(crate) fn new() -> Self {
        Self {
            shelves: shelves(SHELVES),
            single: shelves(SHELVES),
            running: shelves(1),
        }
    }

    /// Invalidates a shop's list in this process.
    async fn forget(&self, shop: ShopId) {
        self.shelves.invalidate(&shop).await;
        self.running.invalidate(&()).await;
    }
}

fn shelves<K: Hash + Eq + Send + Sync + 'static>(capacity: u64) -> Cache<K, ListedVouchers> {
    Cache::builder()
        .max_capacity(capacity)
        .time_to_live(SHELF_FRESH)
        .build()
}
