//! The worker that reconciles on a timer, when something was lost, and when Redis has another master than before.

use std::time::Duration;

use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Repair;
use crate::gate::bucket::{Place, now_ms};
use crate::gate::spread::Look;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId};

/// How often masters are asked who they are: a failover may cost the last writes, and nobody else tells.
const MASTERS_PACE: Duration = Duration::from_secs(5);

/// Sales that ended less than this ago are looked at as well: their last orders have hardly arrived.
const RECENT_MS: i64 = 3_600_000;

/// In most rounds figures are compared, in every so many every order. Only that finds two errors that add up to none.
const ROUNDS_PER_SURVEY: u32 = 30;

/// How thoroughly to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Care {
    /// Compares figures first, and all orders where those differ.
    Figures,
    Everything,
}

impl<L: Ledger> Flash<L> {
    /// Reconciles current sales every so often, until told to stop. Of all processes one does so at a time; whoever
    /// finds that something was lost does it at once.
    pub async fn run_reconcile(&self, stop: CancellationToken, every: Duration) {
        let timer = self.in_turns("reconcile", &stop, || self.reconcile_rounds(every));
        let doubts = stop.run_until_cancelled(self.reconcile_when_in_doubt());
        tokio::join!(timer, doubts);
    }

    async fn reconcile_when_in_doubt(&self) {
        loop {
            self.inner.upkeep.doubt.notified().await;
            tracing::warn!("something was lost: reconciling all current sales");
            self.reconcile_all(Care::Everything).await;
        }
    }

    async fn reconcile_rounds(&self, every: Duration) {
        let (mut masters, mut round) = (Vec::new(), 0_u32);
        let mut due = Instant::now();
        loop {
            let present = self.masters().await;
            let changed = !masters.is_empty() && !present.is_empty() && masters != present;
            if !present.is_empty() {
                masters = present;
            }
            if changed || Instant::now() >= due {
                let thorough = changed || round.is_multiple_of(ROUNDS_PER_SURVEY);
                let care = match thorough {
                    true => Care::Everything,
                    false => Care::Figures,
                };
                self.reconcile_all(care).await;
                round = round.wrapping_add(1);
                due = Instant::now() + every;
            }
            tokio::time::sleep(MASTERS_PACE.min(every)).await;
        }
    }

    /// The replication ids of the masters: each start of a server and each promotion has another. None if they cannot be
    /// asked.
    async fn masters(&self) -> Vec<String> {
        let mut ask = redis::cmd("INFO");
        let answers = self
            .inner
            .link
            .each_master::<String>(ask.arg("replication"));
        let mut names: Vec<String> = answers
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

    async fn reconcile_all(&self, care: Care) {
        let sales = match self.inner.ledger.current_sales(now_ms() - RECENT_MS).await {
            Ok(sales) => sales,
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(error, "sales are not reconciled for the moment");
                return;
            }
        };
        for sale in sales {
            if let Err(error) = self.reconcile_with(care, sale).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(
                    sale = sale.0,
                    error,
                    "a sale is not reconciled for the moment"
                );
            }
        }
    }

    async fn reconcile_with(&self, care: Care, sale: SaleId) -> Result<(), LoadError> {
        if care == Care::Everything || !self.figures_agree(sale).await? {
            // Large, and rare.
            Box::pin(self.reconcile(sale, Repair::Safe)).await?;
        }
        Ok(())
    }

    /// Whether the figures leave no doubt: the same terms, the same pieces, as many holders as live orders.
    async fn figures_agree(&self, sale: SaleId) -> Result<bool, LoadError> {
        let places = self.gated_places(sale).await?;
        let Some(look) = Look::at(&self.inner.link, &places).await? else {
            return Ok(false);
        };
        let Some(audit) = self.inner.ledger.audit(sale).await? else {
            return Ok(true);
        };
        let initial = i64::from(audit.terms.initial);
        let stands_for = look
            .buckets
            .iter()
            .map(|bucket| bucket.initial)
            .sum::<i64>();
        let stock = look
            .stocks()
            .map(|(_, stock)| i64::from(stock))
            .sum::<i64>();
        let live = i64::try_from(audit.live_orders).unwrap_or(i64::MAX);
        Ok(!self.has_other_terms(sale, &audit.terms).await?
            && stands_for + look.in_transit() == initial
            && (stands_for - stock == live || self.is_behind(&places).await?))
    }

    /// Whether orders are on their way to the ledger, which then has fewer than the gate.
    async fn is_behind(&self, places: &[Place]) -> Result<bool, LoadError> {
        let mut pipe = redis::pipe();
        for place in places {
            pipe.cmd("GET")
                .arg(self.inner.keys.backlog(place.partition));
        }
        let backlogs: Vec<Option<i64>> = self.inner.link.pipe(&pipe).await?;
        Ok(backlogs.into_iter().flatten().any(|orders| orders > 0))
    }
}
