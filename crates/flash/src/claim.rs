//! A claim, from the buyer's wish to the answer.

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

use crate::claim::batcher::{Question, Told};
use crate::claim::sold_out::{Filter, Finding, Over};
use crate::gate::Verdict;
use crate::gate::known_sales::Sale;
use crate::gate::spread::Pulled;
use crate::load::Loading;
use crate::{BuyerId, Flash, Holding, KeyHash, Ledger, OrderId, SaleId, meter};

/// How often a claim starts over: after a load, after pieces were pulled from another bucket, after the spread turned
/// out to be another. Whoever gets no answer by then is better served by asking again later.
const MAX_TURNS: usize = 8;

/// A refusal names a time that is long against a burst and short against patience.
pub(crate) const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Somebody wants a piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    pub sale: SaleId,
    pub buyer: BuyerId,
    /// What the buyer calls this request. The same key again is the same request, whatever the limit per buyer.
    pub key: Option<KeyHash>,
}

/// What a claimant is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The piece is the buyer's, and the order will be in the ledger.
    Granted(OrderId),
    SoldOut,
    /// The buyer holds as much as the limit allows; this is the latest order.
    AlreadyBought(OrderId),
    NotStarted,
    Ended,
}

/// Why there is no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClaimError {
    #[error("there is no such sale")]
    NoSuchSale,
    /// Nothing was bought.
    #[error("too busy to decide")]
    Busy { retry_after: Duration },
    /// If the claim was granted, this is its order. Asking again, of this process or with the same key, settles it.
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
    /// Decides who gets a piece. It may be cancelled at any time, and then the claim may have been granted: asking
    /// again tells.
    pub async fn claim(&self, claim: Claim) -> Result<Outcome, ClaimError> {
        let outcome = match self.answer_from_memory(&claim) {
            Some(outcome) => Ok(outcome),
            None => {
                let decided = self.decide(&claim).await;
                decided.map_err(|error| self.unless_in_doubt(&claim, error))
            }
        };
        self.inner.meter.claimed(&outcome);
        outcome
    }

    /// As long as an earlier claim of the same buyer is in doubt there is no "nothing was bought", whatever the reason.
    fn unless_in_doubt(&self, claim: &Claim, error: ClaimError) -> ClaimError {
        let order = self.order_in_doubt(claim);
        match (error, order) {
            (ClaimError::Busy { .. }, Some(order)) => ClaimError::Unknown(order),
            (error, _) => error,
        }
    }

    fn order_in_doubt(&self, claim: &Claim) -> Option<OrderId> {
        let Claim { sale, buyer, .. } = *claim;
        self.inner.batchers.order_in_doubt(sale, buyer)
    }

    /// The answer of a sold-out flag: without a call and without waiting. It may be older than a claim that is in doubt.
    fn answer_from_memory(&self, claim: &Claim) -> Option<Outcome> {
        if self.order_in_doubt(claim).is_some() {
            return None;
        }
        let answer = |sale: &Sale| sale.flag.answer(claim.buyer, Instant::now());
        self.inner.sales.look(claim.sale, answer).flatten()
    }

    async fn decide(&self, claim: &Claim) -> Result<Outcome, ClaimError> {
        for _ in 0..MAX_TURNS {
            let decided = match self.inner.sales.get(claim.sale) {
                Some(sale) => self.ask_gate(&sale, claim).await?,
                None => self.learn(claim).await?,
            };
            if let Some(outcome) = decided {
                return Ok(outcome);
            }
        }
        Err(ClaimError::busy("unsettled"))
    }

    /// One turn: nothing, if the claim is to start over.
    async fn ask_gate(
        &self,
        sale: &Arc<Sale>,
        claim: &Claim,
    ) -> Result<Option<Outcome>, ClaimError> {
        let (seen, asked_at) = (sale.flag.seen(), Instant::now());
        let bucket = sale.bucket_of(claim.buyer);
        let question = Question {
            sale: sale.clone(),
            bucket,
            buyer: claim.buyer,
            key: claim.key,
        };
        let (verdict, wait) = match self.inner.batchers.ask(question, asked_at).await? {
            Told::Decided { verdict, wait } => (verdict, wait),
            Told::NotLoaded => {
                let _place = self.wait_in_line()?;
                return self.load(claim).await;
            }
            Told::OtherSpread => {
                self.inner.sales.forget(claim.sale);
                return Ok(None);
            }
        };
        let over = match verdict {
            Verdict::Granted(order) => return Ok(Some(Outcome::Granted(order))),
            Verdict::AlreadyBought(order) => return Ok(Some(Outcome::AlreadyBought(order))),
            Verdict::SoldOut if self.found_more(sale, bucket).await? => return Ok(None),
            Verdict::SoldOut => Over::SoldOut,
            Verdict::NotStarted => Over::NotStarted,
            Verdict::Ended => Over::Ended,
        };
        self.remember(
            sale,
            Finding {
                over,
                seen,
                asked_at,
                true_until: (over == Over::NotStarted).then(|| asked_at + wait),
            },
        );
        Ok(Some(over.into()))
    }

    /// Whether other buckets of a spread sale had pieces for this one.
    async fn found_more(&self, sale: &Sale, bucket: u16) -> Result<bool, ClaimError> {
        if sale.spread() == 1 {
            return Ok(false);
        }
        match self.pull(sale.id, bucket).await {
            Ok(Pulled::Moved) => Ok(true),
            Ok(Pulled::AllEmpty) => Ok(false),
            Err(error) => {
                tracing::warn!(sale = sale.id.0, %error, "other buckets could not be asked for pieces");
                Err(ClaimError::busy("pull"))
            }
        }
    }

    /// Raises or renews the flag. Fetching the buyers is nobody's wait.
    fn remember(&self, sale: &Arc<Sale>, finding: Finding) {
        if !sale.flag.renew(&finding, Instant::now()) {
            return;
        }
        let (link, sale) = (self.inner.link.clone(), sale.clone());
        supervise::spawn_once("sold-out filter", async move {
            let buyers = Filter::fetch(&link, &sale, &finding).await;
            sale.flag.raise(&finding, buyers, Instant::now());
        });
    }

    /// Finds out how a sale is spread, and loads it if it has no gate. However many claim a sale that this process does not
    /// know, it asks once.
    async fn learn(&self, claim: &Claim) -> Result<Option<Outcome>, ClaimError> {
        let _place = self.wait_in_line()?;
        if self.known_past(claim.sale).is_some() {
            return self.load(claim).await;
        }
        let (flash, sale) = (self.clone(), claim.sale);
        let find = || async move { flash.find_gate(sale).await };
        match self.inner.upkeep.finds.join(sale, find).await {
            Ok(Ok(Some(_))) => Ok(None),
            Ok(Ok(None)) => self.load(claim).await,
            Ok(Err(_)) => Err(ClaimError::busy("redis")),
            Err(_) => Err(ClaimError::busy("finding")),
        }
    }

    /// A place among those who wait for a sale to be found or loaded, if there is one.
    fn wait_in_line(&self) -> Result<SemaphorePermit<'_>, ClaimError> {
        let place = self.inner.upkeep.waiting.try_acquire();
        place.map_err(|_| ClaimError::busy("queue"))
    }

    /// Nothing once there is a gate to ask; an outcome for a sale that gets none.
    async fn load(&self, claim: &Claim) -> Result<Option<Outcome>, ClaimError> {
        match self.ensure_loaded(claim.sale).await {
            Ok(Loading::Loaded) => Ok(None),
            Ok(Loading::NoSuchSale) => Err(ClaimError::NoSuchSale),
            Ok(Loading::Past { limit_per_buyer }) => {
                self.inner.sales.forget(claim.sale);
                self.ask_ledger(claim, limit_per_buyer).await.map(Some)
            }
            Err(_) => Err(ClaimError::busy("loading")),
        }
    }

    /// What the gate of a sale that is long over would say, without one.
    async fn ask_ledger(&self, claim: &Claim, limit: u8) -> Result<Outcome, ClaimError> {
        let Ok(_turn) = self.inner.upkeep.past_turns.try_acquire() else {
            return Err(ClaimError::busy("past"));
        };
        let held = self.inner.ledger.held_by(claim.sale, claim.buyer).await;
        let held = held.map_err(|error| {
            let error: &dyn std::error::Error = &error;
            tracing::warn!(sale = claim.sale.0, error, "past sale not answered");
            ClaimError::busy("ledger")
        })?;
        Ok(recall(&held, claim.key, limit).unwrap_or(Outcome::Ended))
    }
}

/// What a claimant who holds something is told, by the rules of the claim script.
fn recall(held: &[Holding], key: Option<KeyHash>, limit: u8) -> Option<Outcome> {
    let mut same = held.iter().filter(|it| key.is_some() && it.key == key);
    if let Some(named) = same.next_back() {
        return Some(Outcome::Granted(named.order));
    }
    let live: Vec<&Holding> = held.iter().filter(|it| it.is_live()).collect();
    let latest = live.last().filter(|_| live.len() >= usize::from(limit))?;
    Some(Outcome::AlreadyBought(latest.order))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_past_sale_is_answered_as_its_gate_would() {
        let held = |order, slot, key: Option<u64>| Holding {
            order: OrderId(order),
            buyer: BuyerId(1),
            slot,
            key: key.map(KeyHash),
        };
        let two = [held(1, 1, Some(7)), held(2, 0, Some(8)), held(3, 2, None)];
        let named = |key| recall(&two, Some(KeyHash(key)), 2);
        assert_eq!(named(7), Some(Outcome::Granted(OrderId(1))));
        assert_eq!(named(8), Some(Outcome::Granted(OrderId(2))), "given back");
        assert_eq!(named(9), Some(Outcome::AlreadyBought(OrderId(3))));
        let limit = |limit| recall(&two, None, limit);
        assert_eq!(limit(2), Some(Outcome::AlreadyBought(OrderId(3))));
        assert_eq!(limit(3), None);
        assert_eq!(recall(&[], None, 1), None);
    }
}
