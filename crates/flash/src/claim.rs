//! A claim, from the buyer's wish to the answer.

use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::time::Instant;

use crate::batcher::{Question, Told};
use crate::gate::Verdict;
use crate::load::Loading;
use crate::sales::Sale;
use crate::sold_out::{Filter, Finding, Over};
use crate::spread::Pulled;
use crate::{BuyerId, Flash, KeyHash, Ledger, OrderId, SaleId, meter};

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
            let sale = match self.inner.sales.get(claim.sale) {
                Some(sale) => sale,
                None => self.learn(claim.sale).await?,
            };
            if let Some(outcome) = self.ask_gate(&sale, claim).await? {
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
            Told::NotLoaded => return self.load(claim.sale).await.map(|()| None),
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

    /// Finds out how a sale is spread, and loads it if it has no gate.
    async fn learn(&self, sale: SaleId) -> Result<Arc<Sale>, ClaimError> {
        for _ in 0..MAX_TURNS {
            match self.find_gate(sale).await {
                Ok(Some(found)) => return Ok(found),
                Ok(None) => self.load(sale).await?,
                Err(_) => return Err(ClaimError::busy("redis")),
            }
        }
        Err(ClaimError::busy("unsettled"))
    }

    async fn load(&self, sale: SaleId) -> Result<(), ClaimError> {
        match self.ensure_loaded(sale).await {
            Ok(Loading::Loaded) => Ok(()),
            Ok(Loading::NoSuchSale) => Err(ClaimError::NoSuchSale),
            Err(_) => Err(ClaimError::busy("loading")),
        }
    }
}
