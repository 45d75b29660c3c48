//! Compares the terms of the gate with those of the ledger, which may change without notice: a person at a SQL prompt, or a
//! demo site that moves its sales to today.

use super::{Drift, ReconcileReport, Repair, Repaired};
use crate::gate::amend::Withheld;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId, Terms};

/// The reply to [`FIELDS`].
type TermsFields = (
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<u8>,
    Option<u8>,
    Option<u32>,
);

const FIELDS: [&str; 6] = ["terms", "begin", "end", "limit", "shelf", "total"];

impl<L: Ledger> Flash<L> {
    /// Reports terms that differ, and repairs them.
    pub(super) async fn check_terms(
        &self,
        terms: &Terms,
        report: &mut ReconcileReport,
        repair: Repair,
    ) -> Result<(), LoadError> {
        if !self.has_other_terms(report.sale, terms).await? {
            return Ok(());
        }
        report.add(&[Drift::Terms]);
        if repair != Repair::No {
            self.apply(report.sale, terms, Withheld::Keep).await?;
            if !self.has_other_terms(report.sale, terms).await? {
                let repaired = Repaired {
                    what: "terms",
                    count: 1,
                };
                self.record(report, repaired).await?;
            }
        }
        Ok(())
    }

    /// Whether an open bucket has other terms than these. The ledger's epoch rises with every return, so an earlier epoch
    /// alone is no difference.
    pub(super) async fn has_other_terms(
        &self,
        sale: SaleId,
        terms: &Terms,
    ) -> Result<bool, LoadError> {
        let buckets = self.loaded_buckets(sale).await?;
        if buckets.is_empty() {
            return Ok(false);
        }
        let mut pipe = redis::pipe();
        for bucket in &buckets {
            pipe.cmd("HMGET").arg(&bucket.sale_key).arg(&FIELDS);
        }
        let rows: Vec<TermsFields> = self.inner.link.pipe(&pipe).await?;
        Ok(rows.into_iter().any(|row| differs(row, terms)))
    }
}

fn differs((applied, begin, end, limit, shelf, total): TermsFields, terms: &Terms) -> bool {
    let Some(applied) = applied else {
        return false;
    };
    let shelf_differs = shelf.is_some_and(|shelf| shelf != u8::from(terms.on_shelf));
    applied <= terms.epoch
        && (begin.is_some_and(|begin| begin != terms.begin_ms)
            || end.is_some_and(|end| end != terms.end_ms)
            || limit.is_some_and(|limit| limit != terms.limit_per_buyer)
            || shelf_differs
            || total.is_some_and(|total| total != terms.initial))
}
