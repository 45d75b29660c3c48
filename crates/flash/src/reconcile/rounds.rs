//! The worker that reconciles on a timer, when orders may be lost, and after a failover of Redis.

use std::convert::Infallible;
use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::{ReconcileReport, Repair};
use crate::gate::bucket::{Bucket, now_ms};
use crate::gate::spread::GateSnapshot;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId};

/// How often the replication ids of the masters are read: a failover may lose the last writes.
const MASTERS_EVERY: Duration = Duration::from_secs(5);

/// Sales that ended less than this ago are reconciled as well: their last orders may still be in the stream.
const RECENT_MS: i64 = 3_600_000;

/// Most rounds compare totals, every so many compare every order: only that finds two errors that cancel out.
const ROUNDS_PER_SURVEY: u32 = 30;

/// How deep a round compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Totals first, and every order where those differ.
    Totals,
    EveryOrder,
}

impl<L: Ledger> Flash<L> {
    /// Reconciles current sales periodically, until `stop`. One process does so at a time; a process that finds that orders
    /// may be lost reconciles at once.
    pub async fn run_reconcile(&self, stop: CancellationToken, every: Duration) {
        let timer = self.run_exclusively("reconcile", &stop, || self.reconcile_rounds(every));
        let on_loss = stop.run_until_cancelled(self.reconcile_on_loss());
        let known = stop.run_until_cancelled(self.check_known_terms(every));
        tokio::join!(timer, on_loss, known);
    }

    /// Compares the terms of the sales that this process sells and that the ledger no longer calls current: somebody moved
    /// their end into the past. The rounds do not look at those, and only their gates know them.
    async fn check_known_terms(&self, every: Duration) -> Infallible {
        loop {
            tokio::time::sleep(every).await;
            let Ok(current) = self.inner.ledger.current_sales(now_ms() - RECENT_MS).await else {
                continue;
            };
            let mut others = Vec::new();
            self.inner.known_sales.for_each(|sale| {
                if !current.contains(&sale.id) {
                    others.push(sale.id);
                }
            });
            for sale in others {
                // A large future, and rare.
                if let Err(error) = Box::pin(self.check_terms_of(sale)).await {
                    let error = &error as &dyn std::error::Error;
                    tracing::warn!(sale = sale.0, error, "terms not compared, retrying");
                }
            }
        }
    }

    async fn check_terms_of(&self, sale: SaleId) -> Result<(), LoadError> {
        match self.inner.ledger.sale(sale).await? {
            Some(terms) => {
                let mut report = ReconcileReport::of(sale);
                self.check_terms(&terms, &mut report, Repair::Safe).await?;
                report.log();
            }
            None => self.inner.known_sales.remove(sale),
        }
        Ok(())
    }

    /// Those of these sales that have a gate.
    pub async fn loaded_among(&self, sales: &[SaleId]) -> Result<Vec<SaleId>, LoadError> {
        if sales.is_empty() {
            return Ok(Vec::new());
        }
        let mut pipe = redis::pipe();
        for sale in sales {
            pipe.cmd("EXISTS").arg(&self.bucket(*sale, 0).sale_key);
        }
        let found: Vec<bool> = self.inner.link.pipe(&pipe).await?;
        let loaded = sales.iter().zip(found).filter(|(_, is_loaded)| *is_loaded);
        Ok(loaded.map(|(sale, _)| *sale).collect())
    }

    async fn reconcile_on_loss(&self) {
        loop {
            self.inner.maintenance.reconcile_now.notified().await;
            tracing::warn!("orders may be lost, reconciling all current sales");
            self.reconcile_all(Depth::EveryOrder).await;
        }
    }

    async fn reconcile_rounds(&self, every: Duration) -> Infallible {
        let (mut masters, mut round) = (Vec::new(), 0_u32);
        let mut due = Instant::now();
        loop {
            let present = self.masters().await;
            let changed = !masters.is_empty() && !present.is_empty() && masters != present;
            if !present.is_empty() {
                masters = present;
            }
            if changed || Instant::now() >= due {
                let is_deep = changed || round.is_multiple_of(ROUNDS_PER_SURVEY);
                let depth = match is_deep {
                    true => Depth::EveryOrder,
                    false => Depth::Totals,
                };
                self.reconcile_all(depth).await;
                round = round.wrapping_add(1);
                due = Instant::now() + every;
            }
            let remaining = due.saturating_duration_since(Instant::now());
            tokio::time::sleep(MASTERS_EVERY.min(remaining)).await;
        }
    }

    /// The replication ids of the masters: each start of a server and each promotion changes them. Empty if they cannot be
    /// read.
    async fn masters(&self) -> Vec<String> {
        let mut cmd = redis::cmd("INFO");
        let replies = self
            .inner
            .link
            .each_master::<String>(cmd.arg("replication"));
        let mut names: Vec<String> = replies
            .await
            .unwrap_or_default()
            .iter()
            .filter_map(|(_, info)| {
                info.lines()
                    .find_map(|line| line.strip_prefix("master_replid:"))
            })
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names
    }

    async fn reconcile_all(&self, depth: Depth) {
        let sales = match self.inner.ledger.current_sales(now_ms() - RECENT_MS).await {
            Ok(sales) => sales,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "current sales not listed, reconciliation retried");
                return;
            }
        };
        for sale in sales {
            if let Err(error) = self.reconcile_with(depth, sale).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(sale = sale.0, error, "sale not reconciled, retrying");
            }
        }
    }

    async fn reconcile_with(&self, depth: Depth, sale: SaleId) -> Result<(), LoadError> {
        if depth == Depth::EveryOrder || !self.totals_match(sale).await? {
            // A large future, and rare.
            Box::pin(self.reconcile(sale, Repair::Safe)).await?;
        }
        Ok(())
    }

    /// Whether terms, units and the number of holders are the same in gate and ledger.
    async fn totals_match(&self, sale: SaleId) -> Result<bool, LoadError> {
        let buckets = self.loaded_buckets(sale).await?;
        let Some(snapshot) = GateSnapshot::read(&self.inner.link, &buckets).await? else {
            return Ok(false);
        };
        let Some(audit) = self.inner.ledger.audit(sale).await? else {
            return Ok(true);
        };
        let initial = i64::from(audit.terms.initial);
        let gate_initial = snapshot
            .buckets
            .iter()
            .map(|bucket| bucket.initial)
            .sum::<i64>();
        let stock = snapshot
            .stocks()
            .map(|(_, stock)| i64::from(stock))
            .sum::<i64>();
        let live = i64::try_from(audit.live_orders).unwrap_or(i64::MAX);
        Ok(!self.has_other_terms(sale, &audit.terms).await?
            && gate_initial + snapshot.in_transit() == initial
            && (gate_initial - stock == live || self.has_backlog(&buckets).await?))
    }

    /// Whether orders wait in the stream: the ledger then has fewer than the gate.
    async fn has_backlog(&self, buckets: &[Bucket]) -> Result<bool, LoadError> {
        let mut pipe = redis::pipe();
        for bucket in buckets {
            pipe.cmd("GET")
                .arg(self.inner.keys.backlog(bucket.partition));
        }
        let backlogs: Vec<Option<i64>> = self.inner.link.pipe(&pipe).await?;
        Ok(backlogs.into_iter().flatten().any(|orders| orders > 0))
    }
}
