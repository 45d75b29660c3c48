//! A claim, from the request to the outcome: sold-out flag, batcher, gate, and the load of a sale that has no gate.

pub(crate) mod batcher;
mod find_order;
pub(crate) mod recent_orders;
pub(crate) mod sold_out;
pub(crate) mod token;

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::sync::SemaphorePermit;
use tokio::time::Instant;

use crate::claim::batcher::{ClaimReply, QueuedClaim};
use crate::claim::sold_out::{BuyerFilter, Observation};
use crate::gate::known_sales::KnownSale;
use crate::gate::spread::PullOutcome;
use crate::load::LoadOutcome;
use crate::{BuyerId, Flash, Holding, KeyHash, Ledger, OrderId, SaleId, meter};

/// How often a claim starts over: after a load, after units were pulled from another bucket, after the spread turned out to
/// be another. A caller without an outcome by then gets `Busy` and may retry.
const MAX_ROUNDS: usize = 8;

/// The retry time of a refusal: longer than a burst, shorter than a person waits.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(1);

/// A buyer wants a unit of a sale.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Of which sale.
    pub sale: SaleId,
    /// Who claims. The caller has authenticated the buyer.
    pub buyer: BuyerId,
    /// The idempotency key of the request. The same key again is the same request, whatever the limit per buyer.
    pub key: Option<KeyHash>,
}

/// The outcome of a claim: what the gate replies, or what a flag or the ledger knows.
///
/// The set is closed: a caller has an answer for each, and the compiler asks for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClaimOutcome {
    /// The buyer has the unit, and the order will be in the ledger.
    Granted(OrderId),
    /// No unit is left. Units that return are for sale again.
    SoldOut,
    /// The buyer holds as many units as the limit allows; this is the latest order.
    AlreadyBought(OrderId),
    /// The window of the sale has not begun, by the clock of Redis.
    NotStarted,
    /// The window is over, or the sale was taken off the shelf.
    Ended,
}

/// Why a claim has no outcome. The set is closed: nothing was bought, or it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClaimError {
    /// The ledger has no such sale.
    #[error("there is no such sale")]
    NoSuchSale,
    /// Nothing was bought.
    #[error("too busy to decide")]
    Busy {
        /// When a repetition is worth it.
        retry_after: Duration,
    },
    /// If the claim was granted, this is its order. A repetition, in this process or with the same key, resolves it.
    #[error("it is not known whether order {0} was granted")]
    Unknown(OrderId),
}

impl ClaimError {
    pub(crate) fn busy(why: &'static str) -> Self {
        meter::refused(why);
        Self::Busy {
            retry_after: RETRY_AFTER,
        }
    }
}

impl<L: Ledger> Flash<L> {
    /// Claims a unit. The call may be cancelled at any time; the claim may then have been granted, and a repetition
    /// returns its outcome.
    pub async fn claim(&self, claim: Claim) -> Result<ClaimOutcome, ClaimError> {
        let outcome = match self.outcome_from_flag(&claim) {
            Some(outcome) => Ok(outcome),
            None => {
                let outcome = self.claim_from_gate(&claim).await;
                outcome.map_err(|error| self.unknown_if_unresolved(&claim, error))
            }
        };
        self.inner.meter.claimed(&outcome);
        outcome
    }

    /// The outcome by the sold-out flag: without a call to Redis and without an await. The flag may be older than a claim
    /// of the buyer that is unresolved; that one has to go to the gate.
    fn outcome_from_flag(&self, claim: &Claim) -> Option<ClaimOutcome> {
        if self.unresolved_order(claim).is_some() {
            return None;
        }
        let outcome = |sale: &KnownSale| sale.flag.outcome(claim.buyer, Instant::now());
        self.inner.known_sales.with(claim.sale, outcome).flatten()
    }

    async fn claim_from_gate(&self, claim: &Claim) -> Result<ClaimOutcome, ClaimError> {
        for _ in 0..MAX_ROUNDS {
            let outcome = match self.inner.known_sales.get(claim.sale) {
                Some(sale) => self.ask_gate(&sale, claim).await?,
                None => self.find_sale(claim).await?,
            };
            if let Some(outcome) = outcome {
                return Ok(outcome);
            }
        }
        Err(ClaimError::busy("unsettled"))
    }

    /// One round: `None` if the claim has to start over.
    async fn ask_gate(
        &self,
        sale: &Arc<KnownSale>,
        claim: &Claim,
    ) -> Result<Option<ClaimOutcome>, ClaimError> {
        let (version, asked_at) = (sale.flag.version(), Instant::now());
        let bucket = sale.bucket_of(claim.buyer);
        let queued = QueuedClaim {
            sale: sale.clone(),
            bucket,
            buyer: claim.buyer,
            key: claim.key,
        };
        let (outcome, starts_in) = match self.inner.batchers.submit(queued, asked_at).await? {
            ClaimReply::Decided { outcome, starts_in } => (outcome, starts_in),
            ClaimReply::NotLoaded => {
                let _permit = self.waiting_permit()?;
                return self.load(claim).await;
            }
            ClaimReply::OtherSpread => {
                self.inner.known_sales.remove(claim.sale);
                return Ok(None);
            }
        };
        let valid_until = match outcome {
            ClaimOutcome::Granted(_) | ClaimOutcome::AlreadyBought(_) => return Ok(Some(outcome)),
            ClaimOutcome::SoldOut if self.pulled_units(sale, bucket).await? => return Ok(None),
            ClaimOutcome::NotStarted => Some(asked_at + starts_in),
            ClaimOutcome::SoldOut | ClaimOutcome::Ended => None,
        };
        self.raise_flag(
            sale,
            Observation {
                outcome,
                version,
                asked_at,
                valid_until,
            },
        );
        Ok(Some(outcome))
    }

    /// Whether another bucket of a spread sale had units for this one.
    async fn pulled_units(&self, sale: &KnownSale, bucket: u16) -> Result<bool, ClaimError> {
        if sale.spread() == 1 {
            return Ok(false);
        }
        match self.pull(sale.id, bucket).await {
            Ok(PullOutcome::Moved) => Ok(true),
            Ok(PullOutcome::AllEmpty) => Ok(false),
            Err(error) => {
                tracing::warn!(sale = sale.id.0, %error, "units not pulled from other buckets, claim refused");
                Err(ClaimError::busy("pull"))
            }
        }
    }

    /// Raises or renews the sold-out flag. No claim waits for the buyers to be fetched.
    fn raise_flag(&self, sale: &Arc<KnownSale>, observation: Observation) {
        if !sale.flag.renew(&observation, Instant::now()) {
            return;
        }
        let (link, sale) = (self.inner.link.clone(), sale.clone());
        supervise::spawn_once("sold-out filter", async move {
            let buyers = BuyerFilter::fetch(&link, &sale, &observation).await;
            sale.flag.raise(&observation, buyers, Instant::now());
        });
    }

    /// Finds out how a sale is spread, and loads it if it has no gate. However many claims arrive for a sale that this
    /// process does not know, it asks Redis once.
    async fn find_sale(&self, claim: &Claim) -> Result<Option<ClaimOutcome>, ClaimError> {
        let _permit = self.waiting_permit()?;
        if self.known_past(claim.sale).is_some() {
            return self.load(claim).await;
        }
        let (flash, sale) = (self.clone(), claim.sale);
        let find = || async move { flash.find_gate(sale).await };
        match self.inner.maintenance.gate_lookups.join(sale, find).await {
            Ok(Ok(Some(_))) => Ok(None),
            Ok(Ok(None)) => self.load(claim).await,
            Ok(Err(_)) => Err(ClaimError::busy("redis")),
            Err(_) => Err(ClaimError::busy("finding")),
        }
    }

    /// Bounds the claims that wait for a sale to be found or loaded.
    fn waiting_permit(&self) -> Result<SemaphorePermit<'_>, ClaimError> {
        let permit = self.inner.maintenance.waiting_claims.try_acquire();
        permit.map_err(|_| ClaimError::busy("queue"))
    }

    /// `None` once there is a gate to ask; an outcome for a sale that gets no gate.
    async fn load(&self, claim: &Claim) -> Result<Option<ClaimOutcome>, ClaimError> {
        match self.ensure_loaded(claim.sale).await {
            Ok(LoadOutcome::Loaded) => Ok(None),
            Ok(LoadOutcome::NoSuchSale) => Err(ClaimError::NoSuchSale),
            Ok(LoadOutcome::Past { limit_per_buyer }) => {
                self.inner.known_sales.remove(claim.sale);
                self.ask_ledger(claim, limit_per_buyer).await.map(Some)
            }
            Err(_) => Err(ClaimError::busy("loading")),
        }
    }

    /// The outcome for a sale that is long over and has no gate, from the ledger.
    async fn ask_ledger(&self, claim: &Claim, limit: u8) -> Result<ClaimOutcome, ClaimError> {
        let Ok(_permit) = self.inner.maintenance.past_query_permits.try_acquire() else {
            return Err(ClaimError::busy("past"));
        };
        let held = self.inner.ledger.held_by(claim.sale, claim.buyer).await;
        let held = held.map_err(|error| {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(
                sale = claim.sale.0,
                error,
                "orders of a past sale not read, claim refused"
            );
            ClaimError::busy("ledger")
        })?;
        Ok(outcome_of_holder(&held, claim.key, limit).unwrap_or(ClaimOutcome::Ended))
    }

    /// While an earlier claim of the same buyer is unresolved, "nothing was bought" would be a guess, whatever the error.
    fn unknown_if_unresolved(&self, claim: &Claim, error: ClaimError) -> ClaimError {
        match (error, self.unresolved_order(claim)) {
            (ClaimError::Busy { .. }, Some(order)) => ClaimError::Unknown(order),
            (error, _) => error,
        }
    }

    fn unresolved_order(&self, claim: &Claim) -> Option<OrderId> {
        let Claim { sale, buyer, .. } = *claim;
        self.inner.batchers.unresolved_order(sale, buyer)
    }
}

/// The outcome for a buyer with these orders, by the rules of the claim script; `None` if they do not decide it.
fn outcome_of_holder(held: &[Holding], key: Option<KeyHash>, limit: u8) -> Option<ClaimOutcome> {
    let mut same_key = held.iter().filter(|it| key.is_some() && it.key == key);
    if let Some(repeated) = same_key.next_back() {
        return Some(ClaimOutcome::Granted(repeated.order));
    }
    let live: Vec<&Holding> = held.iter().filter(|it| it.is_live()).collect();
    let latest = live.last().filter(|_| live.len() >= usize::from(limit))?;
    Some(ClaimOutcome::AlreadyBought(latest.order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_past_sale_has_the_same_outcome_as_its_gate() {
        let held = |order, slot, key: Option<u64>| Holding {
            order: OrderId(order),
            buyer: BuyerId(1),
            slot,
            key: key.map(KeyHash),
        };
        let two = [held(1, 1, Some(7)), held(2, 0, Some(8)), held(3, 2, None)];
        let keyed = |key| outcome_of_holder(&two, Some(KeyHash(key)), 2);
        assert_eq!(keyed(7), Some(ClaimOutcome::Granted(OrderId(1))));
        assert_eq!(
            keyed(8),
            Some(ClaimOutcome::Granted(OrderId(2))),
            "returned"
        );
        assert_eq!(keyed(9), Some(ClaimOutcome::AlreadyBought(OrderId(3))));
        let limit = |limit| outcome_of_holder(&two, None, limit);
        assert_eq!(limit(2), Some(ClaimOutcome::AlreadyBought(OrderId(3))));
        assert_eq!(limit(3), None);
        assert_eq!(outcome_of_holder(&[], None, 1), None);
    }
}
