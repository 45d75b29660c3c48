//! Changing a sale while it runs: its window, its limit, its shelf, its number of pieces.
//!
//! The ledger's row is what counts, and [`Flash::amend`] brings the gate in line with it. Every amendment carries the
//! ledger's epoch, so that of two on their way the later one stands.
//!
//! **More pieces:** the ledger first, then `amend`. **Fewer pieces:** the other way round. Pieces that the ledger gave
//! up while the gate still sells them would be sold to people who then get nothing, so [`Flash::withdraw`] takes them
//! out of the gate, then the ledger lowers its number by as many as that found, then `amend` confirms. If it is certain
//! that the ledger did not and will not follow, [`Flash::put_back`] ends the withdrawal. If that is not certain (the
//! answer to the commit was lost) the pieces stay withheld: put back, they could be sold, and the commit could arrive
//! after that. `amend` then confirms or leaves them alone; after [`HOLD`] the ledger's row is what happened, and the
//! reconciliation follows it. Meanwhile no other withdrawal begins ([`LoadError::Underway`]).

use std::time::Duration;

use link::{LinkError, Script};

use crate::gate::bucket::{Place, as_ms, insist};
use crate::load::{LoadError, Loading};
use crate::{Flash, Ledger, SaleId, Terms};

static AMEND: Script = Script::new(include_str!("../lua/amend.lua"));
static WITHDRAW: Script = Script::new(include_str!("../lua/withdraw.lua"));

/// How long the ledger may take to follow a withdrawal: much longer than any transaction is allowed to last.
const HOLD: Duration = Duration::from_secs(60);

/// How often pieces are gathered from other buckets: some may be sold on the way.
const GATHERINGS: usize = 3;

/// What the script answers for a gate that is not open, and for one that has heard of later terms.
const CLOSED: i64 = -1;
const OLDER: i64 = -2;

/// What to do with pieces that were withdrawn and that the ledger still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Withheld<'a> {
    /// Whoever withdrew them under this name is done.
    PutBack(&'a str),
    /// Whoever withdrew them may be about to change the ledger.
    LeaveForAWhile,
}

/// Pieces that were taken out of a gate because the ledger is about to have fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    pub sale: SaleId,
    /// How many there were, at most as many as wanted.
    pub pieces: u32,
    name: String,
}

impl<L: Ledger> Flash<L> {
    /// Brings the gate in line with the ledger's row. Without a gate there is nothing to do: a load reads the row.
    /// Pieces that are withheld for a change which the row does not show are left alone for a while.
    pub async fn amend(&self, sale: SaleId) -> Result<(), LoadError> {
        self.follow_ledger(sale, Withheld::LeaveForAWhile).await
    }

    /// As [`amend`](Self::amend), and ends a withdrawal that the ledger certainly does not follow. Where that is not
    /// certain the pieces stay withheld.
    pub async fn put_back(&self, withdrawal: &Withdrawal) -> Result<(), LoadError> {
        let over = Withheld::PutBack(&withdrawal.name);
        self.follow_ledger(withdrawal.sale, over).await
    }

    async fn follow_ledger(&self, sale: SaleId, withheld: Withheld<'_>) -> Result<(), LoadError> {
        self.inner.upkeep.past.invalidate(&sale);
        if let Some(terms) = self.inner.ledger.sale(sale).await? {
            self.apply(sale, &terms, withheld).await?;
        }
        Ok(())
    }

    /// Takes at most `pieces` unsold pieces out of the gate, because the ledger is about to have fewer. On an error
    /// nothing stays withdrawn, as far as Redis allows. Changes of one sale are to be made one after the other.
    pub async fn withdraw(&self, sale: SaleId, pieces: u32) -> Result<Withdrawal, LoadError> {
        let loading = self.ensure_loaded(sale).await?;
        let mut withdrawal = Withdrawal {
            sale,
            pieces: 0,
            name: format!("{:016x}", rand::random::<u64>()),
        };
        if matches!(loading, Loading::Past { .. }) && self.gated_places(sale).await?.is_empty() {
            // No gate sells them, and none is loaded unless the ledger moves the end of the sale.
            withdrawal.pieces = pieces;
            return Ok(withdrawal);
        }
        match self.gather_for(&mut withdrawal, pieces).await {
            Ok(()) => Ok(withdrawal),
            Err(error) => {
                // The answer may have been lost on the way, with pieces in it. The ledger was not asked for anything.
                if let Err(error) = self.put_back(&withdrawal).await {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(
                        sale = sale.0,
                        error,
                        "withdrawn pieces stay withheld for the moment"
                    );
                }
                Err(error)
            }
        }
    }

    async fn gather_for(&self, withdrawal: &mut Withdrawal, wanted: u32) -> Result<(), LoadError> {
        let places = self.gated_places(withdrawal.sale).await?;
        for _ in 0..GATHERINGS {
            let missing = wanted - withdrawal.pieces;
            withdrawal.pieces += self.withdraw_home(withdrawal, missing).await?;
            let missing = wanted - withdrawal.pieces;
            if missing == 0 || !self.gather(&places, missing).await? {
                break;
            }
        }
        Ok(())
    }

    pub(crate) async fn apply(
        &self,
        sale: SaleId,
        terms: &Terms,
        withheld: Withheld<'_>,
    ) -> Result<(), LoadError> {
        let places = self.gated_places(sale).await?;
        let mut missing = 0;
        for place in &places {
            match self.apply_to(place, terms, withheld).await? {
                CLOSED | OLDER => {}
                short => missing += u32::try_from(short).unwrap_or(u32::MAX),
            }
        }
        if missing > 0 {
            self.take_out(&places, missing).await?;
        }
        Ok(())
    }

    async fn apply_to(
        &self,
        place: &Place,
        terms: &Terms,
        withheld: Withheld<'_>,
    ) -> Result<i64, LinkError> {
        let total = match place.bucket {
            0 => terms.initial.to_string(),
            _ => String::new(),
        };
        let over = match withheld {
            Withheld::PutBack(name) => name,
            Withheld::LeaveForAWhile => "",
        };
        let args = (
            (place.id.0, terms.epoch, terms.begin_ms, terms.end_ms),
            (terms.limit_per_buyer, u8::from(terms.on_shelf), total),
            (self.forget_at_ms(terms), place.publish, over),
        );
        let amended = insist(&self.inner.link, &AMEND, &place.all_keys(), args).await;
        self.forget_answers(place.id);
        amended
    }

    /// Takes pieces that the ledger does not have any more from where they are: in other buckets than bucket 0.
    async fn take_out(&self, places: &[Place], mut missing: u32) -> Result<(), LoadError> {
        for _ in 0..GATHERINGS {
            if missing == 0 || !self.gather(places, missing).await? {
                break;
            }
            missing -= self.take_surplus(places, missing).await?;
        }
        if missing > 0 {
            let sale = places[0].id.0;
            tracing::error!(
                sale,
                missing,
                "pieces were sold that the ledger has given up"
            );
        }
        Ok(())
    }

    async fn withdraw_home(&self, of: &Withdrawal, pieces: u32) -> Result<u32, LoadError> {
        let home = self.place(of.sale, 0);
        let args = (pieces, as_ms(HOLD), &of.name);
        let taken: i64 = self.inner.link.eval(&WITHDRAW, &[&home.sale], args).await?;
        u32::try_from(taken).map_err(|_| LoadError::Underway)
    }
}
