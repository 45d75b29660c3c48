//! A survey: the figures of gate and ledger, and the orders in which they differ.

use std::time::Duration;

use futures_util::future::try_join_all;
use link::LinkError;
use tokio::time::timeout;

use super::holders::Held;
use super::{Drift, Equations};
use crate::gate::bucket::Place;
use crate::gate::spread::{BucketLook, Look};
use crate::load::LoadError;
use crate::{Audit, Ended, Flash, Holding, Ledger, OrderId, SaleId, meter};

/// How long orders on their way may take. A reconciliation that has to wait longer can be made later.
const BARRIER_WAIT: Duration = Duration::from_secs(20);

/// Orders of one kind that a survey remembers. If there are more, the next one finds them.
pub(super) const MAX_SUSPECTS: usize = 10_000;

#[derive(Debug)]
pub(super) struct Survey {
    pub(super) places: Vec<Place>,
    /// How the gate was when the survey ended.
    pub(super) look: Look,
    /// Whether it was the same when the survey began.
    at_rest: bool,
    /// Whether at least what the buckets stand for was the same.
    is_steady: bool,
    audit: Audit,
    withheld: i64,
    /// Live items by bucket.
    live: Vec<i64>,
    /// Live in the ledger and not in the gate, by id.
    pub(super) forgotten: Vec<Holding>,
    /// Live in the gate and unknown to the ledger, by id.
    pub(super) orphaned: Vec<Held>,
    /// Live in the gate and ended in the ledger, by id.
    pub(super) ended: Vec<(Held, Ended)>,
}

impl<L: Ledger> Flash<L> {
    /// Nothing, if the sale has no gate that is open throughout.
    pub(super) async fn survey(&self, sale: SaleId) -> Result<Option<Survey>, LoadError> {
        let places = self.gated_places(sale).await?;
        let link = &self.inner.link;
        self.drain(&places).await?;
        let Some(before) = Look::at(link, &places).await? else {
            return Ok(None);
        };
        let scan = self.scan(&places).await?;
        let forgotten = self.find_forgotten(sale, &places).await?;
        let (orphaned, ended) = self.find_orphaned(&places, scan.suspects).await?;
        let withheld = self.withheld(&places).await?;
        let Some(audit) = self.inner.ledger.audit(sale).await? else {
            return Ok(None);
        };
        let Some(look) = Look::at(link, &places).await? else {
            return Ok(None);
        };
        if look.load != before.load {
            return Ok(None);
        }
        Ok(Some(Survey {
            at_rest: before == look,
            is_steady: before.stands_for() == look.stands_for(),
            places,
            look,
            audit,
            withheld,
            live: scan.live,
            forgotten,
            orphaned,
            ended,
        }))
    }

    /// Returns when what these buckets have granted so far is in the ledger.
    pub(super) async fn drain(&self, places: &[Place]) -> Result<(), LoadError> {
        let barriers = places.iter().map(|place| self.barrier(place.partition));
        let passed = timeout(BARRIER_WAIT, try_join_all(barriers)).await;
        passed.map_err(|_| LoadError::Backlog)??;
        Ok(())
    }

    /// Pieces that were taken out for a change of the ledger that did not come yet.
    async fn withheld(&self, places: &[Place]) -> Result<i64, LinkError> {
        let Some(home) = places.first() else {
            return Ok(0);
        };
        let mut ask = redis::cmd("HGET");
        let withheld = self.inner.link.run(ask.arg(&home.sale).arg("withheld"));
        let withheld: Option<i64> = withheld.await?;
        Ok(withheld.unwrap_or(0))
    }
}

impl Survey {
    pub(super) fn equations(&self) -> Equations {
        let gate =
            |figure: fn(&BucketLook) -> i64| -> i64 { self.look.buckets.iter().map(figure).sum() };
        let in_transit = self.look.in_transit();
        Equations {
            ledger_initial: i64::from(self.audit.terms.initial),
            ledger_stock: i64::from(self.audit.terms.stock),
            ledger_live: i64::try_from(self.audit.live_orders).unwrap_or(i64::MAX),
            gate_initial: gate(|bucket| bucket.initial) + in_transit + self.withheld,
            gate_stock: gate(|bucket| i64::from(bucket.stock)),
            gate_live: self.live.iter().sum(),
            in_transit,
            withheld: self.withheld,
        }
    }

    pub(super) fn drifts(&self) -> Vec<Drift> {
        let mut drifts = Vec::new();
        let figures = self.equations();
        let difference = figures.ledger_initial - figures.ledger_stock - figures.ledger_live;
        if difference != 0 {
            drifts.push(Drift::Ledger { difference });
        }
        let forgotten: Vec<OrderId> = self.forgotten.iter().map(|held| held.order).collect();
        if !forgotten.is_empty() {
            drifts.push(Drift::Forgotten { orders: forgotten });
        }
        if !self.ended.is_empty() {
            let orders = self.ended.iter().map(|((order, _), _)| *order);
            drifts.push(Drift::Buried {
                orders: orders.collect(),
            });
        }
        if !self.orphaned.is_empty() {
            let orders = self.orphaned.iter().map(|(order, _)| *order);
            drifts.push(Drift::Orphaned {
                orders: orders.collect(),
            });
        }
        if self.at_rest {
            drifts.extend(self.bucket_drifts());
        }
        let difference = self.pieces_too_many(&figures);
        if difference != 0 {
            drifts.push(Drift::Pieces { difference });
        }
        drifts
    }

    /// Buckets that stand for another number than they have.
    fn bucket_drifts(&self) -> impl Iterator<Item = Drift> {
        let buckets = (0..).zip(self.look.buckets.iter().zip(&self.live));
        buckets.filter_map(|(bucket, (seen, live))| {
            let difference = seen.initial - i64::from(seen.stock) - live;
            (difference != 0).then_some(Drift::Bucket { bucket, difference })
        })
    }

    /// Pieces of the gate less those of the ledger: counted if nothing moved meanwhile. Otherwise what the buckets stand
    /// for tells, which no purchase and no return changes; and then only a surplus is urgent.
    fn pieces_too_many(&self, figures: &Equations) -> i64 {
        if self.at_rest {
            let unsold = figures.gate_stock + figures.in_transit + figures.withheld;
            unsold + figures.gate_live - figures.ledger_initial
        } else if self.is_steady {
            (figures.gate_initial - figures.ledger_initial).max(0)
        } else {
            0
        }
    }

    pub(super) fn meter(&self) {
        let figures = self.equations();
        let ledger = figures.ledger_initial - figures.ledger_stock - figures.ledger_live;
        meter::drift("ledger", ledger);
        meter::drift("gate", self.pieces_too_many(&figures));
        let count = |orders: usize| i64::try_from(orders).unwrap_or(i64::MAX);
        let unknown = count(self.orphaned.len() + self.ended.len());
        meter::drift("buyers", unknown - count(self.forgotten.len()));
    }
}
