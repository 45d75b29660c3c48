//! The worker that finishes transfers left behind and evens out buckets, so that few claimants have to pull.

use std::time::Duration;

use link::LinkError;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Look;
use crate::gate::bucket::now_ms;
use crate::load::LoadError;
use crate::{Flash, Ledger, SaleId};

/// A bucket that sells out between two rounds pulls for itself, so there is no hurry.
const PACE: Duration = Duration::from_secs(1);

/// Which sales are spread is looked up this often; a sale is published well before it begins.
const SALES_PACE: Duration = Duration::from_secs(10);

/// Buckets are let be while the fullest has less than this many pieces more than the emptiest: a transfer costs more
/// than a pull that may never be needed.
const UNEVEN: u32 = 16;

impl<L: Ledger> Flash<L> {
    /// Keeps spread sales even, until told to stop. Of all processes one does the work at a time.
    pub async fn run_rebalance(&self, stop: CancellationToken) {
        self.in_turns("rebalance", &stop, || self.rebalance_rounds())
            .await;
    }

    async fn rebalance_rounds(&self) {
        let (mut sales, mut looked_up) = (Vec::new(), None);
        loop {
            if looked_up.is_none_or(|at: Instant| at.elapsed() >= SALES_PACE) {
                match self.spread_sales().await {
                    Ok(found) => (sales, looked_up) = (found, Some(Instant::now())),
                    Err(error) => tracing::warn!(
                        error = &error as &dyn std::error::Error,
                        "could not look up spread sales"
                    ),
                }
            }
            for sale in &sales {
                if let Err(error) = self.rebalance(*sale).await {
                    tracing::warn!(
                        sale = sale.0,
                        error = &error as &dyn std::error::Error,
                        "could not even out a sale"
                    );
                }
            }
            tokio::time::sleep(PACE).await;
        }
    }

    /// Finishes the transfers of a sale and makes its fullest and its emptiest bucket even.
    pub async fn rebalance(&self, sale: SaleId) -> Result<(), LinkError> {
        let places = self.gated_places(sale).await?;
        let Some(look) = Look::at(&self.inner.link, &places).await? else {
            return Ok(());
        };
        if self.finish_transfers(&places, &look).await? {
            return Ok(());
        }
        let fullest = look.stocks().max_by_key(|(_, stock)| *stock);
        let emptiest = look.stocks().min_by_key(|(_, stock)| *stock);
        if let (Some((from, most)), Some((to, least))) = (fullest, emptiest)
            && most - least >= UNEVEN
        {
            let half = (most - least) / 2;
            self.transfer(&places, look.load, from, to, half).await?;
        }
        Ok(())
    }

    /// Current sales with a gate of more than one bucket.
    async fn spread_sales(&self) -> Result<Vec<SaleId>, LoadError> {
        let sales = self.inner.ledger.current_sales(now_ms()).await?;
        if sales.is_empty() {
            return Ok(sales);
        }
        let mut pipe = redis::pipe();
        for sale in &sales {
            pipe.cmd("HGET")
                .arg(self.place(*sale, 0).sale)
                .arg("spread");
        }
        let spreads: Vec<Option<u16>> = self.inner.link.pipe(&pipe).await?;
        let spread = sales.into_iter().zip(spreads);
        Ok(spread
            .filter(|(_, spread)| spread.is_some_and(|spread| spread > 1))
            .map(|(sale, _)| sale)
            .collect())
    }
}
