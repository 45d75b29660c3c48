//! A survey: the figures of gate and ledger, and the orders that only one of them has.

use std::time::Duration;

use futures_util::future::try_join_all;
use link::LinkError;
use tokio::time::timeout;

use super::holders::GateOrder;
use super::{Drift, Equations};
use crate::gate::bucket::Bucket;
use crate::gate::spread::{BucketSnapshot, GateSnapshot};
use crate::load::LoadError;
use crate::{Audit, Ended, Flash, Holding, Ledger, OrderId, SaleId, meter};

/// How long granted orders may take to the ledger. A reconciliation that would wait longer can run later.
const BARRIER_WAIT: Duration = Duration::from_secs(20);

/// Orders of one kind that a survey keeps. The next one finds the rest.
pub(super) const MAX_SUSPECTS: usize = 10_000;

#[derive(Debug)]
pub(super) struct Survey {
    pub(super) buckets: Vec<Bucket>,
    /// The gate at the end of the survey.
    pub(super) snapshot: GateSnapshot,
    /// Whether the gate was the same at the beginning.
    unchanged: bool,
    /// Whether at least `initial` and the transfers were the same.
    initials_unchanged: bool,
    audit: Audit,
    withheld: i64,
    /// Live items by bucket.
    live: Vec<i64>,
    /// Live in the ledger and not in the gate, by id.
    pub(super) forgotten: Vec<Holding>,
    /// Live in the gate and unknown to the ledger, by id.
    pub(super) orphaned: Vec<GateOrder>,
    /// Live in the gate and ended in the ledger, by id.
    pub(super) ended: Vec<(GateOrder, Ended)>,
}

impl<L: Ledger> Flash<L> {
    /// `None` if the sale has no gate that stays open meanwhile.
    pub(super) async fn survey(&self, sale: SaleId) -> Result<Option<Survey>, LoadError> {
        let buckets = self.loaded_buckets(sale).await?;
        let link = &self.inner.link;
        self.wait_for_barriers(&buckets).await?;
        let Some(before) = GateSnapshot::read(link, &buckets).await? else {
            return Ok(None);
        };
        let scan = self.scan(&buckets).await?;
        let forgotten = self.find_forgotten(sale, &buckets).await?;
        let (orphaned, ended) = self.find_orphaned(&buckets, scan.suspects).await?;
        let withheld = self.withheld(&buckets).await?;
        let Some(audit) = self.inner.ledger.audit(sale).await? else {
            return Ok(None);
        };
        let Some(snapshot) = GateSnapshot::read(link, &buckets).await? else {
            return Ok(None);
        };
        if snapshot.load != before.load {
            return Ok(None);
        }
        Ok(Some(Survey {
            unchanged: before == snapshot,
            initials_unchanged: before.initials() == snapshot.initials(),
            buckets,
            snapshot,
            audit,
            withheld,
            live: scan.live,
            forgotten,
            orphaned,
            ended,
        }))
    }

    /// Returns when the orders that these buckets granted so far are in the ledger.
    pub(super) async fn wait_for_barriers(&self, buckets: &[Bucket]) -> Result<(), LoadError> {
        let barriers = buckets.iter().map(|bucket| self.barrier(bucket.partition));
        let passed = timeout(BARRIER_WAIT, try_join_all(barriers)).await;
        passed.map_err(|_| LoadError::Backlog)??;
        Ok(())
    }

    /// Units that were withdrawn for a change of the ledger that is not committed yet.
    async fn withheld(&self, buckets: &[Bucket]) -> Result<i64, LinkError> {
        let Some(first) = buckets.first() else {
            return Ok(0);
        };
        let mut cmd = redis::cmd("HGET");
        let withheld = self
            .inner
            .link
            .run(cmd.arg(&first.sale_key).arg("withheld"));
        let withheld: Option<i64> = withheld.await?;
        Ok(withheld.unwrap_or(0))
    }
}

impl Survey {
    pub(super) fn equations(&self) -> Equations {
        let gate = |figure: fn(&BucketSnapshot) -> i64| -> i64 {
            self.snapshot.buckets.iter().map(figure).sum()
        };
        let in_transit = self.snapshot.in_transit();
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
            drifts.push(Drift::Ended {
                orders: orders.collect(),
            });
        }
        if !self.orphaned.is_empty() {
            let orders = self.orphaned.iter().map(|(order, _)| *order);
            drifts.push(Drift::Orphaned {
                orders: orders.collect(),
            });
        }
        if self.unchanged {
            drifts.extend(self.bucket_drifts());
        }
        let difference = self.surplus_units(&figures);
        if difference != 0 {
            drifts.push(Drift::Units { difference });
        }
        drifts
    }

    /// Buckets whose `initial` is not their stock plus live items.
    fn bucket_drifts(&self) -> impl Iterator<Item = Drift> {
        let buckets = (0..).zip(self.snapshot.buckets.iter().zip(&self.live));
        buckets.filter_map(|(bucket, (seen, live))| {
            let difference = seen.initial - i64::from(seen.stock) - live;
            (difference != 0).then_some(Drift::Bucket { bucket, difference })
        })
    }

    /// Units of the gate less those of the ledger: counted if nothing changed meanwhile. Otherwise by `initial`, which no
    /// claim and no return changes; and then only a surplus is urgent.
    fn surplus_units(&self, figures: &Equations) -> i64 {
        if self.unchanged {
            let unsold = figures.gate_stock + figures.in_transit + figures.withheld;
            unsold + figures.gate_live - figures.ledger_initial
        } else if self.initials_unchanged {
            (figures.gate_initial - figures.ledger_initial).max(0)
        } else {
            0
        }
    }

    pub(super) fn meter(&self) {
        let figures = self.equations();
        let ledger = figures.ledger_initial - figures.ledger_stock - figures.ledger_live;
        meter::drift("ledger", ledger);
        meter::drift("gate", self.surplus_units(&figures));
        let count = |orders: usize| i64::try_from(orders).unwrap_or(i64::MAX);
        let unknown = count(self.orphaned.len() + self.ended.len());
        meter::drift("buyers", unknown - count(self.forgotten.len()));
    }
}
