//! The worker that finishes interrupted transfers and evens out buckets, so that few claims have to pull.

use std::collections::HashSet;
use std::convert::Infallible;
use std::time::Duration;

use link::LinkError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::GateSnapshot;
use crate::gate::bucket::now_ms;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId};

/// A bucket that sells out between two rounds pulls for itself, so there is no hurry.
const ROUND_EVERY: Duration = Duration::from_secs(1);

/// How often the spread sales are listed; a sale is published well before it begins.
const LIST_EVERY: Duration = Duration::from_secs(10);

/// How many lists skip a gate of one bucket: only a sale that is loaded anew can have more then, and each bucket pulls
/// for itself.
const LISTS_PER_LOOK: u32 = 30;

/// Buckets stay as they are while the fullest has fewer than this many units more than the emptiest: a transfer costs more
/// than a pull that may never be needed.
const UNEVEN: u32 = 16;

impl<L: Ledger> Flash<L> {
    /// Evens out spread sales, until `stop`. One process does so at a time.
    pub async fn run_rebalance(&self, stop: CancellationToken) {
        self.run_exclusively("rebalance", &stop, || self.rebalance_rounds())
            .await;
    }

    async fn rebalance_rounds(&self) -> Infallible {
        let (mut sales, mut listed_at) = (Vec::new(), None);
        let (mut single, mut lists) = (HashSet::new(), 0_u32);
        loop {
            if listed_at.is_none_or(|at: Instant| at.elapsed() >= LIST_EVERY) {
                if lists.is_multiple_of(LISTS_PER_LOOK) {
                    single.clear();
                }
                lists = lists.wrapping_add(1);
                match self.spread_sales(&mut single).await {
                    Ok(found) => (sales, listed_at) = (found, Some(Instant::now())),
                    Err(error) => tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "spread sales not listed, retrying"
                    ),
                }
            }
            for sale in &sales {
                if let Err(error) = self.rebalance(*sale).await {
                    tracing::warn!(
                        sale = sale.0,
                        error = &error as &dyn std::error::Error,
                        "sale not rebalanced, retrying"
                    );
                }
            }
            supervise::next_tick(ROUND_EVERY).await;
        }
    }

    /// Finishes the transfers of a sale and makes its fullest and its emptiest bucket even.
    pub async fn rebalance(&self, sale: SaleId) -> Result<(), LinkError> {
        let buckets = self.loaded_buckets(sale).await?;
        let Some(snapshot) = GateSnapshot::read(&self.inner.link, &buckets).await? else {
            return Ok(());
        };
        if self.finish_transfers(&buckets, &snapshot).await? {
            return Ok(());
        }
        let fullest = snapshot.stocks().max_by_key(|(_, stock)| *stock);
        let emptiest = snapshot.stocks().min_by_key(|(_, stock)| *stock);
        if let (Some((from, most)), Some((to, least))) = (fullest, emptiest)
            && most - least >= UNEVEN
        {
            let half = (most - least) / 2;
            self.transfer(&buckets, snapshot.load, from, to, half)
                .await?;
        }
        Ok(())
    }

    /// Current sales with a gate of more than one bucket. Those in `single` have one, and more of them are added.
    async fn spread_sales(&self, single: &mut HashSet<SaleId>) -> Result<Vec<SaleId>, LoadError> {
        let mut sales = self.inner.ledger.current_sales(now_ms()).await?;
        sales.retain(|sale| !single.contains(sale));
        if sales.is_empty() {
            return Ok(sales);
        }
        let mut pipe = redis::pipe();
        for sale in &sales {
            pipe.cmd("HGET")
                .arg(self.bucket(*sale, 0).sale_key)
                .arg("spread");
        }
        let spreads: Vec<Option<u16>> = self.inner.link.pipe(&pipe).await?;
        let mut spread_sales = Vec::new();
        for (sale, spread) in sales.into_iter().zip(spreads) {
            match spread {
                Some(0 | 1) => drop(single.insert(sale)),
                Some(_) => spread_sales.push(sale),
                None => {}
            }
        }
        Ok(spread_sales)
    }
}
