//! The load itself, step by step. [`load`](super) says why it is safe.

use std::time::Duration;

use futures_util::future::try_join_all;
use tokio::time::{sleep, timeout};

use super::steps::{self, Opened, Opening};
use super::{LoadError, Loading};
use crate::gate::bucket::Place;
use crate::{Flash, Holding, Ledger, OrderId, SaleId, Terms, fail_point};

/// How long a loader waits for another one before it tells those who wait for it.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// How long orders on their way may take. A backlog at its limit needs about a minute, and then the next loader goes on
/// where this one gave up.
const BARRIER_WAIT: Duration = Duration::from_secs(20);

/// How often a loader that waits looks whether its gate is still there.
const GATE_PACE: Duration = Duration::from_millis(250);

/// How often a load starts over. Each time somebody else has loaded the sale since, or Redis has forgotten it.
const MAX_TURNS: usize = 5;

/// How often opening starts over because the terms have changed once more.
const MAX_TERMS: usize = 5;

/// Live orders read at a time.
const PAGE: u32 = 2_000;

/// How one turn ended.
enum Turn {
    Loaded,
    NoSuchSale,
    /// The gate is another load's, or was lost.
    Overtaken,
}

/// Loads a sale unless its gate is open.
pub(super) async fn load<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<Loading, LoadError> {
    if is_open(flash, sale).await? {
        return Ok(Loading::Loaded);
    }
    let lock = flash.inner.locks.mutex(&format!("sale:{sale}"));
    let guard = lock.lock_within(LOCK_WAIT).await;
    let guard = guard.map_err(LoadError::Locked)?;
    let loading = guard.protect(load_alone(flash, sale)).await;
    loading.map_err(LoadError::Locked)?
}

async fn load_alone<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<Loading, LoadError> {
    for _ in 0..MAX_TURNS {
        if is_open(flash, sale).await? {
            return Ok(Loading::Loaded);
        }
        match try_load(flash, sale).await? {
            Turn::Loaded => return Ok(Loading::Loaded),
            Turn::NoSuchSale => return Ok(Loading::NoSuchSale),
            Turn::Overtaken => {}
        }
    }
    Err(LoadError::Overtaken)
}

/// Whether every bucket is open, under one load.
async fn is_open<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<bool, LoadError> {
    let places = flash.gated_places(sale).await?;
    let loads = steps::open_loads(&flash.inner.link, &places).await?;
    let first = loads.first().copied().flatten();
    Ok(first.is_some() && loads.iter().all(|load| *load == first))
}

async fn try_load<L: Ledger>(flash: &Flash<L>, sale: SaleId) -> Result<Turn, LoadError> {
    let Some(terms) = flash.inner.ledger.open_load(sale).await? else {
        return Ok(Turn::NoSuchSale);
    };
    let load = Load {
        flash,
        sale,
        number: terms.epoch,
        spread: flash.inner.partitions.spread(terms.spread),
        places: flash.places(sale, terms.spread),
    };
    tracing::info!(sale = sale.0, load = load.number, "loading a sale");
    let loaded = load.close().await? && load.write_holders().await? && load.open().await?;
    Ok(match loaded {
        true => Turn::Loaded,
        false => Turn::Overtaken,
    })
}

/// One load. Its steps say `false` where it finds itself overtaken.
struct Load<'a, L> {
    flash: &'a Flash<L>,
    sale: SaleId,
    number: i64,
    spread: u16,
    places: Vec<Place>,
}

impl<L: Ledger> Load<'_, L> {
    /// Closes the buckets and waits until what they have granted is in the ledger.
    async fn close(&self) -> Result<bool, LoadError> {
        for place in &self.places {
            if !steps::begin(&self.flash.inner.link, place, self.number, self.spread).await? {
                return Ok(false);
            }
        }
        fail_point::pass("in_the_middle_of_a_load");
        let barriers = self
            .places
            .iter()
            .map(|place| self.flash.barrier(place.partition));
        tokio::select! {
            passed = timeout(BARRIER_WAIT, try_join_all(barriers)) => {
                passed.map_err(|_| LoadError::Backlog)??;
                Ok(true)
            }
            lost = self.lose_gate() => lost.map(|()| false),
        }
    }

    /// Returns when the gate is not this load's any more: then its barriers may be lost as well.
    async fn lose_gate(&self) -> Result<(), LoadError> {
        loop {
            sleep(GATE_PACE).await;
            let holders = steps::holders(&self.flash.inner.link, &self.places, self.number);
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
        for place in &self.places {
            let here = page
                .iter()
                .filter(|holding| holding.buyer.bucket(self.spread) == place.bucket);
            let here: Vec<Holding> = here.copied().collect();
            if !steps::write(&self.flash.inner.link, place, self.number, &here).await? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Opens the buckets. Bucket 0 comes last, because it takes what the others leave of the total.
    async fn open(&self) -> Result<bool, LoadError> {
        let Some(holders) =
            steps::holders(&self.flash.inner.link, &self.places, self.number).await?
        else {
            return Ok(false);
        };
        let Some(mut terms) = self.flash.inner.ledger.sale(self.sale).await? else {
            return Ok(false);
        };
        let Some(unsold) = unsold(&terms, holders) else {
            tracing::warn!(
                sale = self.sale.0,
                "orders were recorded while their sale was being loaded"
            );
            return Ok(false);
        };
        let begun_with = terms.initial;
        let share = unsold / u32::from(self.spread);
        let (home, others) = self
            .places
            .split_first()
            .expect("every sale has a bucket 0");
        let mut left = unsold;
        for place in others {
            if !self.open_bucket(place, &mut terms, |_| share).await? {
                return Ok(false);
            }
            left -= share;
        }
        self.open_bucket(home, &mut terms, |terms| {
            // Pieces that were taken away meanwhile and are in other buckets are left to the reconciliation.
            (left + terms.initial).saturating_sub(begun_with)
        })
        .await
    }

    async fn open_bucket(
        &self,
        place: &Place,
        terms: &mut Terms,
        pieces: impl Fn(&Terms) -> u32,
    ) -> Result<bool, LoadError> {
        for _ in 0..MAX_TERMS {
            let opening = Opening {
                load: self.number,
                terms,
                pieces: pieces(terms),
                forget_at_ms: self.flash.forget_at_ms(terms),
            };
            let opened = steps::open(&self.flash.inner.link, place, &opening).await;
            self.flash.forget_answers(self.sale);
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

/// Pieces that no holder has; nothing if the ledger has fewer, and so knows of orders that were not written.
fn unsold(terms: &Terms, holders: u64) -> Option<u32> {
    let unsold = u64::from(terms.initial).checked_sub(holders)?;
    let unsold = u32::try_from(unsold).ok()?;
    (unsold <= terms.stock).then_some(unsold)
}
