//! Replies about shops, written once per loaded row instead of once per request.
//!
//! A busy shop is read from memory thousands of times between two changes, and writing its JSON costs more than finding
//! it. A written reply belongs to the very value it was made from: as soon as the cache hands out another one, because
//! the row changed or was loaded anew, the reply is written again. So this holds nothing that could be stale by itself.

use std::sync::Arc;

use axum::body::Bytes;
use domain::ShopId;
use moka::sync::Cache;
use storage::shops::Shop;

/// About 10 MB when all of them are in use.
const CAPACITY: u64 = 10_000;

#[derive(Clone, Debug)]
pub(super) struct RenderedShops {
    replies: Cache<ShopId, (Arc<Shop>, Bytes)>,
}

impl RenderedShops {
    pub(super) fn new() -> Self {
        Self {
            replies: Cache::new(CAPACITY),
        }
    }

    /// The reply made from this very value, or the one that `render` makes now.
    pub(super) fn of(&self, shop: &Arc<Shop>, render: impl FnOnce(&Shop) -> Bytes) -> Bytes {
        if let Some((from, reply)) = self.replies.get(&shop.id)
            && Arc::ptr_eq(&from, shop)
        {
            return reply;
        }
        let reply = render(shop);
        self.replies.insert(shop.id, (shop.clone(), reply.clone()));
        reply
    }
}

#[cfg(test)]
mod tests {
    use domain::ShopTypeId;
    use jiff::Timestamp;

    use super::*;

    fn shop(name: &str) -> Arc<Shop> {
        Arc::new(Shop {
            id: ShopId::new(1),
            name: name.to_owned(),
            type_id: ShopTypeId::new(1),
            images: String::new(),
            area: None,
            address: String::new(),
            x: 0.0,
            y: 0.0,
            avg_price_yuan: None,
            sold: 0,
            comments: 0,
            score: 0,
            stars: [0; 5],
            ratings: Default::default(),
            open_hours: None,
            phone: None,
            owner_id: None,
            version: 1,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
        })
    }

    fn name(shop: &Shop) -> Bytes {
        shop.name.clone().into()
    }

    #[test]
    fn a_value_is_written_once_and_another_one_anew() {
        let rendered = RenderedShops::new();
        let (before, after) = (shop("before"), shop("after"));
        assert_eq!(rendered.of(&before, name), "before");
        let again = rendered.of(&before, |_| unreachable!("it is written already"));
        assert_eq!(again, "before");
        // Same id, same version: counters change without one.
        assert_eq!(rendered.of(&after, name), "after");
    }
}
