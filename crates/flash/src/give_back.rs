//! Returns: the piece of an order that ended is for sale again.
//!
//! The ledger comes first: in one transaction the order ends, its piece is back in the stock, and a note is left for
//! whoever then calls [`Flash::give_back`]. Calling it again changes nothing, so the note may be worked off twice. The
//! order id stays in the gate as one that was given back: a claim with that id that was on its way all the time is
//! answered like the first, and takes no second piece.

use link::{LinkError, Script};

use crate::load::ABANDONED;
use crate::place::{Place, as_ms, insist};
use crate::{BuyerId, Flash, Ledger, OrderId, Piece, SaleId, fail_point};

static GIVE_BACK: Script = Script::new(include_str!("lua/give_back.lua"));

/// Orders given back that are remembered per buyer. A request is repeated for minutes at most, and nobody buys and
/// returns this often in that time.
const REMEMBERED: u8 = 8;

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
        let places = self.gated_places(given.sale).await?;
        let spread = u16::try_from(places.len()).expect("there are no more than partitions");
        let bucket = given.buyer.bucket(spread);
        let Some(place) = places.get(usize::from(bucket)) else {
            return Ok(false);
        };
        fail_point::pass("in_the_middle_of_a_return");
        self.run_give_back(place, &given).await
    }

    async fn run_give_back(&self, place: &Place, given: &GiveBack) -> Result<bool, LinkError> {
        let keys = [place.sale.as_str(), &place.buyers, &place.epochs];
        let restock = given.piece == Piece::Held;
        let args = (
            (given.sale.0, given.buyer.0, given.order.0),
            (u8::from(restock), REMEMBERED),
            (place.publish, as_ms(ABANDONED)),
        );
        insist(&self.inner.link, &GIVE_BACK, &keys, args).await
    }
}
