//! Changes the terms of a running sale: window, limit, shelf, number of units.
//!
//! The ledger's row decides, and [`Flash::amend`] applies it to the gate. Every amendment carries the ledger's epoch, so of
//! two concurrent ones the later terms win.
//!
//! **More units:** the ledger first, then `amend`. **Fewer units:** the other way round. Units that the ledger has given up
//! while the gate still sells them would be sold to buyers whose orders cannot be recorded. So [`Flash::withdraw`] takes
//! them out of the gate, then the ledger lowers its number by as many as were withdrawn, then `amend` confirms. If the
//! ledger certainly did not and will not change, [`Flash::cancel_withdrawal`] puts the units back. If that is not certain
//! (the reply to the commit was lost) the units stay withheld: they could be sold, and the commit could arrive afterwards.
//! `amend` then confirms them or leaves them withheld; after [`HOLD`] the ledger's row decides, and the reconciliation
//! applies it. Meanwhile no other withdrawal begins ([`LoadError::Underway`]).

use std::time::Duration;

use link::{LinkError, Script};

use crate::gate::bucket::{Bucket, as_ms, eval_with_retry};
use crate::load::{LoadError, LoadOutcome};
use crate::{Flash, Ledger, SaleId, Terms};

static AMEND: Script = Script::new(include_str!("../lua/amend.lua"));
static WITHDRAW: Script = Script::new(include_str!("../lua/withdraw.lua"));

/// How long the ledger may take to commit after a withdrawal: much longer than any transaction may last.
const HOLD: Duration = Duration::from_secs(60);

/// How often units are gathered from other buckets: some may be sold meanwhile.
const GATHERINGS: usize = 3;

/// The replies of the script for a gate that is not open, and for one that has later terms.
const CLOSED: i64 = -1;
const OLDER: i64 = -2;

/// What to do with withdrawn units that the ledger still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Withheld<'a> {
    /// Put back the units of the withdrawal with this name.
    Cancel(&'a str),
    /// Leave them withheld until their deadline: the ledger may be about to change.
    Keep,
}

/// Units that were taken out of a gate because the ledger is about to have fewer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Withdrawal {
    /// Of which sale.
    pub sale: SaleId,
    /// How many were withdrawn, at most as many as requested.
    pub units: u32,
    name: String,
}

impl<L: Ledger> Flash<L> {
    /// Applies the ledger's row to the gate. Without a gate there is nothing to do: a load reads the row. Units that are
    /// withheld for a change that the row does not show yet stay withheld until their deadline.
    pub async fn amend(&self, sale: SaleId) -> Result<(), LoadError> {
        self.apply_ledger_terms(sale, Withheld::Keep).await
    }

    /// As [`amend`](Self::amend), and puts back the units of a withdrawal after which the ledger certainly did not change.
    /// Where that is not certain, use `amend`: the units stay withheld.
    pub async fn cancel_withdrawal(&self, withdrawal: &Withdrawal) -> Result<(), LoadError> {
        let cancel = Withheld::Cancel(&withdrawal.name);
        self.apply_ledger_terms(withdrawal.sale, cancel).await
    }

    async fn apply_ledger_terms(
        &self,
        sale: SaleId,
        withheld: Withheld<'_>,
    ) -> Result<(), LoadError> {
        self.inner.maintenance.past_sales.invalidate(&sale);
        if let Some(terms) = self.inner.ledger.sale(sale).await? {
            self.apply(sale, &terms, withheld).await?;
        }
        Ok(())
    }

    /// Takes at most `units` unsold units out of the gate, because the ledger is about to have fewer. On an error
    /// nothing stays withdrawn, as far as Redis allows. Changes of one sale are to be made one after the other.
    pub async fn withdraw(&self, sale: SaleId, units: u32) -> Result<Withdrawal, LoadError> {
        let loading = self.ensure_loaded(sale).await?;
        let mut withdrawal = Withdrawal {
            sale,
            units: 0,
            name: format!("{:016x}", rand::random::<u64>()),
        };
        if matches!(loading, LoadOutcome::Past { .. })
            && self.loaded_buckets(sale).await?.is_empty()
        {
            // No gate sells them, and none is loaded unless the ledger extends the sale.
            withdrawal.units = units;
            return Ok(withdrawal);
        }
        match self.withdraw_from_all(&mut withdrawal, units).await {
            Ok(()) => Ok(withdrawal),
            Err(error) => {
                // The reply may have been lost, and units withdrawn. The ledger has not changed.
                if let Err(error) = self.cancel_withdrawal(&withdrawal).await {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(
                        sale = sale.0,
                        error,
                        "withdrawal not cancelled, units stay withheld"
                    );
                }
                Err(error)
            }
        }
    }

    async fn withdraw_from_all(
        &self,
        withdrawal: &mut Withdrawal,
        wanted: u32,
    ) -> Result<(), LoadError> {
        let buckets = self.loaded_buckets(withdrawal.sale).await?;
        for _ in 0..GATHERINGS {
            let missing = wanted - withdrawal.units;
            withdrawal.units += self.withdraw_from_first(withdrawal, missing).await?;
            let missing = wanted - withdrawal.units;
            if missing == 0 || !self.gather(&buckets, missing).await? {
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
        let buckets = self.loaded_buckets(sale).await?;
        let mut missing = 0;
        for bucket in &buckets {
            match self.apply_to(bucket, terms, withheld).await? {
                CLOSED | OLDER => {}
                short => missing += u32::try_from(short).unwrap_or(u32::MAX),
            }
        }
        if missing > 0 {
            self.take_out(&buckets, missing).await?;
        }
        Ok(())
    }

    async fn apply_to(
        &self,
        bucket: &Bucket,
        terms: &Terms,
        withheld: Withheld<'_>,
    ) -> Result<i64, LinkError> {
        let total = match bucket.number {
            0 => terms.initial.to_string(),
            _ => String::new(),
        };
        let cancelled = match withheld {
            Withheld::Cancel(name) => name,
            Withheld::Keep => "",
        };
        let args = (
            (bucket.sale.0, terms.epoch, terms.begin_ms, terms.end_ms),
            (terms.limit_per_buyer, u8::from(terms.on_shelf), total),
            (self.expire_at_ms(terms), bucket.publish, cancelled),
        );
        let amended = eval_with_retry(&self.inner.link, &AMEND, &bucket.all_keys(), args).await;
        self.invalidate_flag(bucket.sale);
        amended
    }

    /// Takes units that the ledger no longer has out of other buckets than bucket 0.
    async fn take_out(&self, buckets: &[Bucket], mut missing: u32) -> Result<(), LoadError> {
        for _ in 0..GATHERINGS {
            if missing == 0 || !self.gather(buckets, missing).await? {
                break;
            }
            missing -= self.take_surplus(buckets, missing).await?;
        }
        if missing > 0 {
            let sale = buckets[0].sale.0;
            tracing::error!(sale, missing, "units sold that the ledger no longer has");
        }
        Ok(())
    }

    async fn withdraw_from_first(&self, of: &Withdrawal, units: u32) -> Result<u32, LoadError> {
        let first = self.bucket(of.sale, 0);
        let args = (units, as_ms(HOLD), &of.name);
        let taken: i64 = self
            .inner
            .link
            .eval(&WITHDRAW, &[&first.sale_key], args)
            .await?;
        u32::try_from(taken).map_err(|_| LoadError::Underway)
    }
}
