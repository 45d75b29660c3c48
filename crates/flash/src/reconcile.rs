//! Reconciliation: compares the gate and the ledger, and repairs differences.
//!
//! Three equations hold for every sale: in the ledger `initial = stock + live orders`; in the gate
//! `initial = stock + live items`, over all buckets and transfers between them; and the live items of the gate are the live
//! orders of the ledger plus the orders in the stream.
//!
//! # How a difference is found
//! A [survey](survey) waits for a barrier, so that the stream is empty, and reads a snapshot of the gate before and after it
//! reads the buyers. An order that the gate lacks is looked up in the ledger once more: orders end in the ledger first, so
//! one that is still live there is really missing in the gate. An order that the ledger lacks is looked up again behind
//! another barrier. A difference counts only if two surveys a second apart find it.
//!
//! # What is done about it
//! | difference | the safe direction | otherwise |
//! |---|---|---|
//! | no gate | loaded | |
//! | other terms | amended | |
//! | the gate lacks live orders | they are restored and take a unit each, if there is one | |
//! | the gate holds orders that have ended in the ledger | returned | |
//! | `initial` of a bucket is not `stock` + live items | `initial` is corrected; the stock stays | |
//! | the gate has fewer units than the ledger | added, if nothing moves and no order is missing | |
//! | the gate has more units | unsold ones are taken out | sold ones wait for a person |
//! | the gate holds orders that the ledger does not know | | waits for a person, because their buyers have the order ids: [`Repair::WithOrphans`] sends them to the ledger, which records or dead-letters them |
//! | the ledger contradicts itself | | waits for a person |
//!
//! Repair scripts compare the load and the epoch of the snapshot, so of two concurrent repairs one succeeds. Each repair is
//! recorded in the ledger.

mod compare;
mod holders;
mod repair;
mod rounds;
mod survey;
mod terms;

use std::time::Duration;

use crate::load::LoadError;
use crate::{Flash, Ledger, OrderId, SaleId, meter};
use compare::found_by_both;
use survey::Survey;

/// Between the two surveys: usually longer than a return takes from the ledger to the gate.
const SECOND_SURVEY_AFTER: Duration = Duration::from_secs(1);

/// One repair may reveal another difference. The rest is left to the next reconciliation.
const MAX_PASSES: usize = 6;

/// What to repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    /// Nothing: differences are only reported.
    No,
    /// Whatever is safe without a person.
    Safe,
    /// That, and orders that only the gate knows are sent to the ledger.
    WithOrphans,
}

/// What a reconciliation found and repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReconcileReport {
    /// The sale that was compared.
    pub sale: SaleId,
    /// The last figures; `None` if there is no gate.
    pub equations: Option<Equations>,
    /// All differences found, also those that were repaired.
    pub drifts: Vec<Drift>,
    /// What was repaired.
    pub repairs: Vec<Repaired>,
}

/// The figures of a sale in the ledger and in the gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Equations {
    /// Units in all, by the ledger.
    pub ledger_initial: i64,
    /// Units without an order, by the ledger.
    pub ledger_stock: i64,
    /// Live orders of the ledger.
    pub ledger_live: i64,
    /// `initial` of all buckets, plus units in transit and withheld units.
    pub gate_initial: i64,
    /// Units for sale in all buckets.
    pub gate_stock: i64,
    /// Live items in all buckets.
    pub gate_live: i64,
    /// Units between two buckets.
    pub in_transit: i64,
    /// Units withdrawn for a change of the ledger.
    pub withheld: i64,
}

/// A difference between gate and ledger. The set is closed: each has its repair, or waits for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    /// The sale has no gate.
    NotLoaded,
    /// The gate has other terms than the ledger.
    Terms,
    /// The ledger's `initial` less its stock and its live orders.
    Ledger {
        /// In units.
        difference: i64,
    },
    /// Units of the gate less those of the ledger.
    Units {
        /// In units.
        difference: i64,
    },
    /// `initial` of a bucket less its stock and live items.
    Bucket {
        /// The number of the bucket.
        bucket: u16,
        /// In units.
        difference: i64,
    },
    /// Live orders of the ledger that the gate does not know.
    Forgotten {
        /// The orders, at most as many as a survey lists.
        orders: Vec<OrderId>,
    },
    /// Live items of the gate whose orders have ended in the ledger: dead-lettered, or returned. A claim that is repeated
    /// after its order was returned and the sale loaded again leaves one.
    Ended {
        /// The orders, at most as many as a survey lists.
        orders: Vec<OrderId>,
    },
    /// Live items of the gate that neither the ledger nor the stream has.
    Orphaned {
        /// The orders, at most as many as a survey lists.
        orders: Vec<OrderId>,
    },
}

/// A repair.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repaired {
    /// The kind of repair, as in the label `kind` of the metric.
    pub what: &'static str,
    /// Orders or units; negative where units were taken out.
    pub count: i64,
}

impl<L: Ledger> Flash<L> {
    /// Compares gate and ledger, and repairs differences as requested; `None` if there is no such sale.
    ///
    /// It fails with [`LoadError::Backlog`] if there is no drain worker.
    pub async fn reconcile(
        &self,
        sale: SaleId,
        repair: Repair,
    ) -> Result<Option<ReconcileReport>, LoadError> {
        let mut report = ReconcileReport::of(sale);
        let Some(audit) = self.inner.ledger.audit(sale).await? else {
            return Ok(None);
        };
        self.check_terms(&audit.terms, &mut report, repair).await?;
        for _ in 0..MAX_PASSES {
            let Some((survey, drifts)) = self.survey_twice(sale).await? else {
                self.load_again(&mut report, repair).await?;
                break;
            };
            survey.meter();
            report.equations = Some(survey.equations());
            report.add(&drifts);
            let repaired = match repair {
                Repair::Safe | Repair::WithOrphans => {
                    self.repair(sale, &survey, &drifts, repair).await?
                }
                Repair::No => None,
            };
            match repaired {
                Some(repaired) => self.record(&mut report, repaired).await?,
                None => break,
            }
        }
        report.log();
        Ok(Some(report))
    }

    /// The differences that two surveys both find, and the second survey. One is enough if it finds none.
    async fn survey_twice(&self, sale: SaleId) -> Result<Option<(Survey, Vec<Drift>)>, LoadError> {
        let Some(first) = self.survey(sale).await? else {
            return Ok(None);
        };
        let found = first.drifts();
        if found.is_empty() {
            return Ok(Some((first, found)));
        }
        tokio::time::sleep(SECOND_SURVEY_AFTER).await;
        let second = self.survey(sale).await?;
        Ok(second.map(|second| {
            let drifts = found_by_both(&found, &second.drifts());
            (second, drifts)
        }))
    }

    async fn load_again(
        &self,
        report: &mut ReconcileReport,
        repair: Repair,
    ) -> Result<(), LoadError> {
        report.add(&[Drift::NotLoaded]);
        if repair != Repair::No {
            self.preload(report.sale).await?;
        }
        Ok(())
    }

    /// Records a repair in the report, in the metrics and in the ledger.
    async fn record(
        &self,
        report: &mut ReconcileReport,
        repaired: Repaired,
    ) -> Result<(), LoadError> {
        meter::repaired(repaired.what);
        let detail = repaired.count.to_string();
        let sale = report.sale;
        tracing::warn!(
            sale = sale.0,
            what = repaired.what,
            count = repaired.count,
            "sale repaired"
        );
        let what = repaired.what;
        report.repairs.push(repaired);
        let ledger = &self.inner.ledger;
        Ok(ledger.record_repair(sale, what, &detail).await?)
    }
}

impl ReconcileReport {
    fn of(sale: SaleId) -> Self {
        Self {
            sale,
            equations: None,
            drifts: Vec::new(),
            repairs: Vec::new(),
        }
    }

    fn add(&mut self, drifts: &[Drift]) {
        for drift in drifts {
            if !self.drifts.contains(drift) {
                self.drifts.push(drift.clone());
            }
        }
    }

    fn log(&self) {
        // A sale without a gate is normal before its first claim, and its load is logged anyway.
        let unexpected = self.drifts.iter().filter(|it| **it != Drift::NotLoaded);
        for drift in unexpected {
            tracing::warn!(sale = self.sale.0, ?drift, "gate and ledger differ");
        }
    }
}
