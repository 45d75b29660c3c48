//! Whether a gate has the terms of the ledger. Some change there without a word to anybody: a person with a SQL prompt, a
//! demo site that moves its sales to today.

use super::{Drift, Repair, Repaired, Report};
use crate::gate::amend::Withheld;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId, Terms};

/// What is compared: terms, begin, end, limit, shelf, total.
type Row = (
    Option<i64>,
    Option<i64>,
    Option<i64>,
    Option<u8>,
    Option<u8>,
    Option<u32>,
);

const FIELDS: [&str; 6] = ["terms", "begin", "end", "limit", "shelf", "total"];

impl<L: Ledger> Flash<L> {
    /// Reports terms that differ, and brings them in line.
    pub(super) async fn check_terms(
        &self,
        terms: &Terms,
        report: &mut Report,
        repair: Repair,
    ) -> Result<(), LoadError> {
        if !self.has_other_terms(report.sale, terms).await? {
            return Ok(());
        }
        report.note(&[Drift::Terms]);
        if repair != Repair::No {
            self.apply(report.sale, terms, Withheld::LeaveForAWhile)
                .await?;
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

    /// Whether an open bucket has other terms than these. The ledger's epoch rises with every return, so a gate that has
    /// seen an earlier one need not differ.
    pub(super) async fn has_other_terms(
        &self,
        sale: SaleId,
        terms: &Terms,
    ) -> Result<bool, LoadError> {
        let places = self.gated_places(sale).await?;
        if places.is_empty() {
            return Ok(false);
        }
        let mut pipe = redis::pipe();
        for place in &places {
            pipe.cmd("HMGET").arg(&place.sale).arg(&FIELDS);
        }
        let rows: Vec<Row> = self.inner.link.pipe(&pipe).await?;
        Ok(rows.into_iter().any(|row| differs(row, terms)))
    }
}

fn differs((applied, begin, end, limit, shelf, total): Row, terms: &Terms) -> bool {
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
