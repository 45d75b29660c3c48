//! Reconciliation: do the gate and the ledger tell the same story of a sale?
//!
//! Three equations hold for every sale: in the ledger `initial = stock + live orders`; in the gate
//! `initial = stock + live items`, over all buckets and what is between them; and the live items of the gate are the live
//! orders of the ledger and those on their way there.
//!
//! # How a difference is found
//! A [survey](survey) waits for a barrier, so that nothing is on its way, and looks at the gate before and after it
//! reads the buyers. What the gate misses and the ledger has is asked of the ledger once more: an order ends there
//! first, so one that is live *after* the gate did not know it is forgotten indeed. What the gate has and the ledger
//! lacks is asked again behind another barrier. And a difference counts only if two surveys a moment apart find the same.
//!
//! # What is done about it
//! | difference | the safe direction | otherwise |
//! |---|---|---|
//! | no gate | loaded | |
//! | other terms | amended | |
//! | the gate forgot live orders | they are written down and take a piece each, if there is one | |
//! | the gate holds orders that have ended in the ledger | given back | |
//! | a bucket stands for another number than it has | its number is corrected; no piece is for sale by that | |
//! | the gate has fewer pieces than the ledger | added, at rest and with nothing forgotten | |
//! | the gate has more pieces | unsold ones are taken out | sold ones wait for a person |
//! | the gate holds orders that nobody else knows | | waits for a person, because a buyer was told of each: [`Repair::WithOrphans`] sends them to the ledger, which records them or dead-letters them |
//! | the ledger contradicts itself | | waits for a person |
//!
//! Repairs name the load and the epoch that were seen, so of two reconcilers one repairs. Each is recorded in the ledger.

mod compare;
mod holders;
mod repair;
mod rounds;
mod survey;
mod terms;

use std::time::Duration;

use crate::load::LoadError;
use crate::{Flash, Ledger, OrderId, SaleId, meter};
use compare::agree;
use survey::Survey;

/// Between two surveys that have to agree: longer than a return takes from the ledger to the gate, as a rule.
const MOMENT: Duration = Duration::from_secs(1);

/// One repair may bring another difference to light. More than these in a row are left to the next time.
const MAX_PASSES: usize = 6;

/// Whether to do something about what is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repair {
    No,
    /// What can be done without a person.
    Safe,
    /// That, and orders of the gate that nobody else knows are sent to the ledger.
    WithOrphans,
}

/// What a reconciliation saw and did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    pub sale: SaleId,
    /// The figures last seen; nothing if there is no gate.
    pub equations: Option<Equations>,
    /// All that was found, also what was repaired since.
    pub drifts: Vec<Drift>,
    pub repairs: Vec<Repaired>,
}

/// The two stories of a sale, in figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equations {
    pub ledger_initial: i64,
    pub ledger_stock: i64,
    pub ledger_live: i64,
    /// What all buckets say they stand for, what is between them, and what is withheld.
    pub gate_initial: i64,
    pub gate_stock: i64,
    pub gate_live: i64,
    pub in_transit: i64,
    pub withheld: i64,
}

/// A difference between the two.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drift {
    NotLoaded,
    /// The gate has other terms than the ledger.
    Terms,
    /// The ledger's `initial` less its stock and its live orders.
    Ledger {
        difference: i64,
    },
    /// Pieces of the gate less those of the ledger.
    Pieces {
        difference: i64,
    },
    /// What a bucket says it stands for less what it has.
    Bucket {
        bucket: u16,
        difference: i64,
    },
    /// Live orders of the ledger that the gate does not know.
    Forgotten {
        orders: Vec<OrderId>,
    },
    /// Live items of the gate whose orders have ended in the ledger: buried, or given back. A claim that is repeated
    /// after its order was given back and the sale loaded anew leaves one.
    Buried {
        orders: Vec<OrderId>,
    },
    /// Live items of the gate that nobody else knows.
    Orphaned {
        orders: Vec<OrderId>,
    },
}

/// Something that was repaired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    pub what: &'static str,
    /// Orders or pieces; negative where pieces were taken out.
    pub count: i64,
}

impl<L: Ledger> Flash<L> {
    /// Compares gate and ledger, and repairs what can be repaired safely if asked to; nothing if there is no such sale.
    ///
    /// It fails with [`LoadError::Backlog`] if nobody drains.
    pub async fn reconcile(
        &self,
        sale: SaleId,
        repair: Repair,
    ) -> Result<Option<Report>, LoadError> {
        let mut report = Report {
            sale,
            equations: None,
            drifts: Vec::new(),
            repairs: Vec::new(),
        };
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
            report.note(&drifts);
            let repaired = match repair {
                Repair::Safe | Repair::WithOrphans => {
                    self.mend(sale, &survey, &drifts, repair).await?
                }
                Repair::No => None,
            };
            match repaired {
                Some(repaired) => self.record(&mut report, repaired).await?,
                None => break,
            }
        }
        report.tell();
        Ok(Some(report))
    }

    /// What two surveys agree on, and the second of them. One is enough if it finds nothing.
    async fn survey_twice(&self, sale: SaleId) -> Result<Option<(Survey, Vec<Drift>)>, LoadError> {
        let Some(first) = self.survey(sale).await? else {
            return Ok(None);
        };
        let found = first.drifts();
        if found.is_empty() {
            return Ok(Some((first, found)));
        }
        tokio::time::sleep(MOMENT).await;
        let second = self.survey(sale).await?;
        Ok(second.map(|second| {
            let drifts = agree(&found, &second.drifts());
            (second, drifts)
        }))
    }

    async fn load_again(&self, report: &mut Report, repair: Repair) -> Result<(), LoadError> {
        report.note(&[Drift::NotLoaded]);
        if repair != Repair::No {
            self.warm(report.sale).await?;
        }
        Ok(())
    }

    /// Notes a repair in the report, in the metrics and in the ledger.
    async fn record(&self, report: &mut Report, repaired: Repaired) -> Result<(), LoadError> {
        meter::repaired(repaired.what);
        let detail = repaired.count.to_string();
        let sale = report.sale;
        tracing::warn!(
            sale = sale.0,
            what = repaired.what,
            count = repaired.count,
            "repaired a sale"
        );
        let what = repaired.what;
        report.repairs.push(repaired);
        let ledger = &self.inner.ledger;
        Ok(ledger.record_repair(sale, what, &detail).await?)
    }
}

impl Report {
    fn note(&mut self, drifts: &[Drift]) {
        for drift in drifts {
            if !self.drifts.contains(drift) {
                self.drifts.push(drift.clone());
            }
        }
    }

    fn tell(&self) {
        // A gate that nobody needed yet is no difference to worry about, and its loading says so itself.
        let worrying = self.drifts.iter().filter(|it| **it != Drift::NotLoaded);
        for drift in worrying {
            tracing::warn!(sale = self.sale.0, ?drift, "gate and ledger differ");
        }
    }
}
