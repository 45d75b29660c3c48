//! Returns: the pieces of orders that ended are for sale again.
//!
//! The ledger comes first: in one transaction the order ends, its piece is back in the stock, and a note is left for
//! whoever then calls [`Flash::give_back`]. Calling it again changes nothing, so the note may be worked off twice. The
//! order id stays in the gate as one that was given back: a claim with that id that was on its way all the time is
//! answered like the first, and takes no second piece.
//!
//! Many orders that end at once go back in calls of many ([`Flash::give_back_all`]). A call that is cut off has been made
//! whole or not at all, and each of its orders is looked at as if it came alone: so it can be repeated as a whole.

use std::collections::BTreeMap;

use link::{LinkError, Script};

use crate::gate::bucket::{Place, as_ms, insist};
use crate::load::ABANDONED;
use crate::{BuyerId, Flash, Ledger, OrderId, Piece, SaleId, fail_point};

static GIVE_BACK: Script = Script::new(include_str!("../lua/give_back.lua"));

/// Orders given back that are remembered per buyer. A request is repeated for minutes at most, and nobody buys and
/// returns this often in that time.
const REMEMBERED: u8 = 8;

/// Orders per call: as many as claims, so that a claim never waits longer for returns than for other claims.
const ORDERS_PER_CALL: usize = 256;

/// An order that ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GiveBack {
    pub sale: SaleId,
    pub buyer: BuyerId,
    pub order: OrderId,
    /// [`Piece::None`] for an order the ledger had no piece for: then there is none to sell again.
    pub piece: Piece,
}

impl<L: Ledger> Flash<L> {
    /// Gives the piece of an order back, once; `false` if the gate holds none for it. A sale that is not loaded has
    /// nothing to give back: its next load will not find the order.
    pub async fn give_back(&self, given: GiveBack) -> Result<bool, LinkError> {
        Ok(self.give_back_all(&[given]).await? > 0)
    }

    /// As [`Flash::give_back`], for many orders of any sales; tells how many gave something back. After an error some
    /// of them may have: repeat all.
    pub async fn give_back_all(&self, given: &[GiveBack]) -> Result<u32, LinkError> {
        let mut by_sale: BTreeMap<SaleId, Vec<GiveBack>> = BTreeMap::new();
        for order in given {
            by_sale.entry(order.sale).or_default().push(*order);
        }
        let mut ended = 0;
        for (sale, given) in by_sale {
            ended += self.give_back_to(sale, &given).await?;
        }
        Ok(ended)
    }

    async fn give_back_to(&self, sale: SaleId, given: &[GiveBack]) -> Result<u32, LinkError> {
        let places = self.gated_places(sale).await?;
        let spread = u16::try_from(places.len()).expect("there are no more than partitions");
        let mut ended = 0;
        for (bucket, place) in (0..spread).zip(&places) {
            let is_here = |order: &&GiveBack| order.buyer.bucket(spread) == bucket;
            let here: Vec<GiveBack> = given.iter().filter(is_here).copied().collect();
            for call in here.chunks(ORDERS_PER_CALL) {
                fail_point::pass("in_the_middle_of_a_return");
                ended += self.run_give_back(place, call).await?;
            }
        }
        Ok(ended)
    }

    async fn run_give_back(&self, place: &Place, given: &[GiveBack]) -> Result<u32, LinkError> {
        let keys = [place.sale.as_str(), &place.buyers, &place.epochs];
        let order = |order: &GiveBack| {
            let restock = u8::from(order.piece == Piece::Held);
            (order.buyer.0, order.order.0, restock)
        };
        let orders: Vec<(i64, i64, u8)> = given.iter().map(order).collect();
        let terms = (place.id.0, REMEMBERED, place.publish, as_ms(ABANDONED));
        let gave = insist(&self.inner.link, &GIVE_BACK, &keys, (terms, orders)).await;
        self.forget_answers(place.id);
        gave
    }
}
