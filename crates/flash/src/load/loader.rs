//! The load itself, step by step. [`load`](super) says why it is safe.

use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::{sleep, timeout};

use super::steps::{self, Opened, Opening};
use super::{LoadError, LoadOutcome};
use crate::gate::bucket::Bucket;
use crate::{Flash, Holding, Ledger, OrderId, SaleId, Terms};

/// How long a loader waits for another one before it fails.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// How long granted orders may take to the ledger. A backlog at its limit needs about a minute: a later load succeeds.
const BARRIER_WAIT: Duration = Duration::from_secs(20);

/// How often a waiting loader checks that its gate is still there.
const GATE_CHECK_EVERY: Duration = Duration::from_millis(250);

/// How often a load starts over. Each time another process has loaded the sale, or Redis has lost it.
const MAX_ATTEMPTS: usize = 5;

/// How often opening starts over because the terms have changed again.
const MAX_TERMS_CHANGES: usize = 5;

/// Live orders read at a time.
const PAGE: u32 = 2_000;

/// The result of one attempt.
enum LoadAttempt {
    Loaded,
    NoSuchSale,
    /// The gate belongs to another load, or was lost.
    Overtaken,
}

/// Loads a sale unless its gate is open.
pub(super) async fn load<L: Ledger>(
    flash: &Flash<L>,
    sale: SaleId,
) -> Result<LoadOutcome, LoadError> {
    if is_open(flash, sale).await? {
        return Ok(LoadOutcome::Loaded);
    }
    let lock = flash.inner.locks.mutex(&format!("sale:{sale}"));
    let guard = lock.lock_within(LOCK_WAIT).await;
    let guard = guard.map_err(LoadError::Locked)?;
    let loading = guard.protect(load_alone(flash, sale)).await;
    loading.map_err(LoadError::Locked)?
}

async fn load_alone<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<LoadOutcome, LoadError> {
    for _ in 0..MAX_ATTEMPTS {
        if is_open(flash, sale).await? {
            return Ok(LoadOutcome::Loaded);
        }
        match try_load(flash, sale).await? {
            LoadAttempt::Loaded => return Ok(LoadOutcome::Loaded),
            LoadAttempt::NoSuchSale => return Ok(LoadOutcome::NoSuchSale),
            LoadAttempt::Overtaken => {}
        }
    }
    Err(LoadError::Overtaken)
}

/// Whether every bucket is open, under one load.
async fn is_open<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<bool, LoadError> {
    let buckets = flash.loaded_buckets(sale).await?;
    let loads = steps::open_loads(&flash.inner.link, &buckets).await?;
    let first = loads.first().copied().flatten();
    Ok(first.is_some() && loads.iter().all(|load| *load == first))
}

async fn try_load<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<LoadAttempt, LoadError> {
    let Some(terms) = flash.inner.ledger.open_load(sale).await? else {
        return Ok(LoadAttempt::NoSuchSale);
    };
    let load = Load {
        flash,
        sale,
        number: terms.epoch,
        spread: flash.inner.partitions.spread(terms.spread),
        buckets: flash.buckets(sale, terms.spread),
    };
    tracing::info!(sale = sale.0, load = load.number, "sale load started");
    let loaded = load.close().await? && load.write_holders().await? && load.open().await?;
    Ok(match loaded {
        true => LoadAttempt::Loaded,
        false => LoadAttempt::Overtaken,
    })
}

/// One load. Its steps return `false` when it is overtaken.
struct Load<'a, L> {
    flash: &'a Flash<L>,
    sale: SaleId,
    number: i64,
    spread: u16,
    buckets: Vec<Bucket>,
}

impl<L: Ledger> Load<'_, L> {
    /// Closes the buckets and waits until the orders that they granted are in the ledger.
    async fn close(&self) -> Result<bool, LoadError> {
        for bucket in &self.buckets {
            if !steps::begin(&self.flash.inner.link, bucket, self.number, self.spread).await? {
                return Ok(false);
            }
        }
        supervise::fail_point::pass("in_the_middle_of_a_load");
        let barriers = self
            .buckets
            .iter()
            .map(|bucket| self.flash.barrier(bucket.partition));
        tokio::select! {
            passed = timeout(BARRIER_WAIT, try_join_all(barriers)) => {
                passed.map_err(|_| LoadError::Backlog)??;
                Ok(true)
            }
            lost = self.lose_gate() => lost.map(|()| false),
        }
    }

    /// Returns when the gate no longer belongs to this load: then its barriers may be lost as well.
    async fn lose_gate(&self) -> Result<(), LoadError> {
        loop {
            sleep(GATE_CHECK_EVERY).await;
            let holders = steps::holders(&self.flash.inner.link, &self.buckets, self.number);
            if holders.await?.is_none() {
                return Ok(());
            }
        }
    }

    async fn write_holders(&self) -> Result<bool, LoadError> {
        let mut after = OrderId(i64::MIN);
        loop {
            let page = self
                .flash
                .inner
                .ledger
                .holdings(self.sale, after, PAGE)
                .await?;
            let Some(last) = page.last() else {
                return Ok(true);
            };
            after = last.order;
            if !self.write_page(&page).await? {
                return Ok(false);
            }
        }
    }

    async fn write_page(&self, page: &[Holding]) -> Result<bool, LoadError> {
        for bucket in &self.buckets {
            let here = page
                .iter()
                .filter(|holding| holding.buyer.bucket(self.spread) == bucket.number);
            let here: Vec<Holding> = here.copied().collect();
            if !steps::write(&self.flash.inner.link, bucket, self.number, &here).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Opens the buckets. Bucket 0 comes last: it gets the rest of the total.
    async fn open(&self) -> Result<bool, LoadError> {
        let Some(holders) =
            steps::holders(&self.flash.inner.link, &self.buckets, self.number).await?
        else {
            return Ok(false);
        };
        let Some(mut terms) = self.flash.inner.ledger.sale(self.sale).await? else {
            return Ok(false);
        };
        let Some(unsold) = unsold(&terms, holders) else {
            tracing::warn!(
                sale = self.sale.0,
                "orders recorded during the load of their sale, loading again"
            );
            return Ok(false);
        };
        let initial_at_start = terms.initial;
        let share = unsold / u32::from(self.spread);
        let (first, others) = self
            .buckets
            .split_first()
            .expect("every sale has a bucket 0");
        let mut left = unsold;
        for bucket in others {
            if !self.open_bucket(bucket, &mut terms, |_| share).await? {
                return Ok(false);
            }
            left -= share;
        }
        self.open_bucket(first, &mut terms, |terms| {
            // The reconciliation takes out units that the ledger gave up meanwhile and that are in other buckets.
            (left + terms.initial).saturating_sub(initial_at_start)
        })
        .await
    }

    async fn open_bucket(
        &self,
        bucket: &Bucket,
        terms: &mut Terms,
        units: impl Fn(&Terms) -> u32,
    ) -> Result<bool, LoadError> {
        for _ in 0..MAX_TERMS_CHANGES {
            let opening = Opening {
                load: self.number,
                terms,
                units: units(terms),
                expire_at_ms: self.flash.expire_at_ms(terms),
            };
            let opened = steps::open(&self.flash.inner.link, bucket, &opening).await;
            self.flash.invalidate_flag(self.sale);
            match opened? {
                Opened::Open => return Ok(true),
                Opened::Overtaken => return Ok(false),
                Opened::OlderTerms => match self.flash.inner.ledger.sale(self.sale).await? {
                    Some(latest) => *terms = latest,
                    None => return Ok(false),
                },
            }
        }
        Ok(false)
    }
}

/// Units that no holder has; `None` if the ledger has fewer, and so has orders that were not written.
fn unsold(terms: &Terms, holders: u64) -> Option<u32> {
    let unsold = u64::from(terms.initial).checked_sub(holders)?;
    let unsold = u32::try_from(unsold).ok()?;
    (unsold <= terms.stock).then_some(unsold)
}
