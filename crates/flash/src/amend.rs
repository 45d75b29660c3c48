//! Changing a sale while it runs: its window, its limit, its shelf, its number of pieces.
//!
//! The ledger's row is what counts, and [`Flash::amend`] brings the gate in line with it. Every amendment carries the
//! ledger's epoch, so that of two on their way the later one stands.
//!
//! **More pieces:** the ledger first, then `amend`. **Fewer pieces:** the other way round. Pieces that the ledger gave
//! up while the gate still sells them would be sold to people who then get nothing, so [`Flash::withdraw`] takes them
//! out of the gate, then the ledger lowers its number by as many as that found, then `amend` confirms. If the ledger did
//! not follow, `amend` puts them back; and if nobody calls it, the reconciliation does after [`HOLD`].

use std::time::Duration;

use link::{LinkError, Script};

use crate::load::LoadError;
use crate::place::{Place, as_ms, insist};
use crate::{Flash, Ledger, SaleId, Terms};

static AMEND: Script = Script::new(include_str!("lua/amend.lua"));
static WITHDRAW: Script = Script::new(include_str!("lua/withdraw.lua"));

/// How long the ledger may take to follow a withdrawal: much longer than any transaction is allowed to last.
const HOLD: Duration = Duration::from_secs(60);

/// How often pieces are gathered from other buckets: some may be sold on the way.
const GATHERINGS: usize = 3;

/// What the script answers for a gate that is not open, and for one that has heard of later terms.
const CLOSED: i64 = -1;
const OLDER: i64 = -2;

/// What to do with pieces that were withdrawn and that the ledger still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Withheld {
    /// Whoever withdrew them is done.
    PutBack,
    /// Whoever withdrew them may be about to change the ledger.
    LeaveForAWhile,
}

impl<L: Ledger> Flash<L> {
    /// Brings the gate in line with the ledger's row. Without a gate there is nothing to do: a load reads the row.
    ///
    /// Changes of one sale are to be made one after the other: an amendment ends every withdrawal.
    pub async fn amend(&self, sale: SaleId) -> Result<(), LoadError> {
        if let Some(terms) = self.inner.ledger.sale(sale).await? {
            self.apply(sale, &terms, Withheld::PutBack).await?;
        }
        Ok(())
    }

    /// Takes at most `pieces` unsold pieces out of the gate, because the ledger is about to have fewer; returns how
    /// many it found. On an error some may have been taken: [`amend`](Self::amend) puts them back.
    pub async fn withdraw(&self, sale: SaleId, pieces: u32) -> Result<u32, LoadError> {
        self.ensure_loaded(sale).await?;
        let places = self.gated_places(sale).await?;
        let mut withdrawn = 0;
        for _ in 0..GATHERINGS {
            withdrawn += self.withdraw_home(sale, pieces - withdrawn).await?;
            if withdrawn == pieces || !self.gather(&places, pieces - withdrawn).await? {
                break;
            }
        }
        Ok(withdrawn)
    }

    pub(crate) async fn apply(
        &self,
        sale: SaleId,
        terms: &Terms,
        withheld: Withheld,
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
        withheld: Withheld,
    ) -> Result<i64, LinkError> {
        let total = match place.bucket {
            0 => terms.initial.to_string(),
            _ => String::new(),
        };
        let patient = withheld == Withheld::LeaveForAWhile;
        let args = (
            (place.id.0, terms.epoch, terms.begin_ms, terms.end_ms),
            (terms.limit_per_buyer, u8::from(terms.on_shelf), total),
            (self.forget_at_ms(terms), place.publish, u8::from(patient)),
        );
        insist(&self.inner.link, &AMEND, &place.all_keys(), args).await
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

    async fn withdraw_home(&self, sale: SaleId, pieces: u32) -> Result<u32, LoadError> {
        let home = self.place(sale, 0);
        let args = (pieces, as_ms(HOLD));
        let taken: i64 = self.inner.link.eval(&WITHDRAW, &[&home.sale], args).await?;
        u32::try_from(taken).map_err(|_| LoadError::Underway)
    }
}
