//! The batcher task of a partition: collects claims, calls the gate, replies.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use futures_util::stream::FuturesUnordered;
use futures_util::{FutureExt as _, StreamExt as _};
use tokio::sync::mpsc;
use tokio::task::yield_now;
use tokio::time::{Instant, sleep, timeout_at};

use super::next_batch::{MAX_CALLS, NextBatch, QueuedBatch};
use super::{
    BacklogLimit, BatcherContext, ClaimReply, ClaimResult, QueuedClaim, ReplicaConfirmation,
    UnresolvedOrders, WaitingClaim,
};
use crate::gate::{
    self, BatchDecision, BatchReply, ClaimBatch, GateClaim, GateError, PartitionKeys,
};
use crate::{ClaimError, ClaimOutcome, Ledger, OrderId, Partition, SaleId, replicas};

/// Between repetitions of a call without a reply: about the time of a reconnection.
const REPEAT_PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct BatcherTask<L> {
    pub(super) context: Arc<BatcherContext<L>>,
    pub(super) name: String,
    pub(super) partition: Partition,
    pub(super) keys: PartitionKeys,
    pub(super) backlog_limit: Arc<BacklogLimit>,
    pub(super) unresolved: Arc<UnresolvedOrders>,
}

/// The result of a call, repetitions included.
#[derive(Debug)]
enum CallResult {
    Replied(BatchReply),
    /// Certainly without effect.
    Failed,
    /// Perhaps with all its effects.
    Unknown,
}

impl<L: Ledger> BatcherTask<L> {
    /// Runs until the queue is closed and every claim has its reply.
    pub(super) async fn run(self, mut queue: mpsc::Receiver<WaitingClaim>) {
        // `WAIT` blocks the connection, so with replicas a second call would only wait behind the first.
        let max_calls = match self.context.options.replicas {
            0 => MAX_CALLS,
            _ => 1,
        };
        let mut next = NextBatch::new(max_calls);
        let mut calls = FuturesUnordered::new();
        let mut is_open = true;
        loop {
            let room = next.room();
            tokio::select! {
                biased;
                Some(batch) = calls.next() => next.end_call(batch),
                received = queue.recv_many(&mut next.waiting, room), if is_open && room > 0 => {
                    is_open = received > 0;
                    self.collect(&mut queue, &mut next).await;
                }
                else => return,
            }
            if let Some(batch) = next.begin_call() {
                calls.push(self.decide_batch(batch));
            }
        }
    }

    /// Takes the claims of requests that have already arrived at this process: those that are read or routed at this moment
    /// join the batch, and nobody waits for anything else.
    async fn collect(&self, queue: &mut mpsc::Receiver<WaitingClaim>, next: &mut NextBatch) {
        yield_now().await;
        let room = next.room();
        if room > 0 {
            // Whether there were any does not matter.
            let _ = queue.recv_many(&mut next.waiting, room).now_or_never();
        }
    }

    /// Replies to every claim of a batch, and returns the empty batch.
    async fn decide_batch(&self, mut batch: QueuedBatch) -> QueuedBatch {
        let served = supervise::run_once(&self.name, self.serve(&mut batch));
        if served.await.is_none() {
            self.reply_after_panic(&mut batch);
        }
        batch
    }

    async fn serve(&self, batch: &mut QueuedBatch) {
        let QueuedBatch {
            waiting,
            ids,
            claims,
            ..
        } = batch;
        self.refuse_expired(waiting);
        if let Err(error) = self.context.ids.take_many(waiting.len(), ids).await {
            tracing::warn!(%error, "no order ids, claims refused");
            return refuse_all(waiting, "ids");
        }
        // Stable, so within a sale it stays first come, first served.
        waiting.sort_by_key(|waiting| waiting.claim.sale.id);
        let with_id =
            |(waiting, id): (&WaitingClaim, &OrderId)| self.gate_claim(&waiting.claim, *id);
        claims.extend(waiting.iter().zip(&*ids).map(with_id));
        let mut calls = Vec::with_capacity(1);
        let mut rest = &claims[..];
        for group in waiting.chunk_by(is_same_gate) {
            let (claims, others) = rest.split_at(group.len());
            rest = others;
            calls.push(self.decide_group(group, claims));
        }
        let results = join_all(calls).await;
        supervise::fail_point::pass("after_script_before_reply");
        let results = results.into_iter().flatten();
        for (waiting, result) in waiting.drain(..).zip(results) {
            // The caller may have gone away.
            let _ = waiting.reply.send(result);
        }
    }

    /// If the gate may have been called its decision is not known, and the orders are unresolved.
    fn reply_after_panic(&self, batch: &mut QueuedBatch) {
        if batch.claims.len() != batch.waiting.len() {
            return refuse_all(&mut batch.waiting, "panic");
        }
        for (waiting, claim) in batch.waiting.drain(..).zip(&batch.claims) {
            let sale = waiting.claim.sale.id;
            let order = self.unresolved.keep(sale, claim.buyer, claim.order);
            let _ = waiting.reply.send(Err(ClaimError::Unknown(order)));
        }
    }

    /// Refuses claims that waited beyond the deadline, and drops those whose caller went away.
    fn refuse_expired(&self, waiting: &mut Vec<WaitingClaim>) {
        let now = Instant::now();
        let deadline = self.context.options.claim_deadline;
        let is_expired = |waiting: &mut WaitingClaim| {
            waiting.reply.is_closed() || now.duration_since(waiting.queued_at) > deadline
        };
        for expired in waiting.extract_if(.., is_expired) {
            let _ = expired.reply.send(Err(ClaimError::busy("late")));
        }
    }

    /// The results of claims of one gate, in order.
    async fn decide_group(&self, group: &[WaitingClaim], claims: &[GateClaim]) -> Vec<ClaimResult> {
        let first = &group[0].claim;
        let batch = ClaimBatch {
            sale: first.sale.id,
            spread: first.sale.spread(),
            claims,
        };
        let started = Instant::now();
        let result = self.call(group, &batch).await;
        self.context.meter.called(claims.len(), started.elapsed());
        match result {
            CallResult::Replied(BatchReply::Decided(decision)) => {
                self.note_decision(group, claims, &decision);
                let starts_in = Duration::from_millis(decision.wait_ms);
                let decided = |outcome| Ok(ClaimReply::Decided { outcome, starts_in });
                decision.outcomes.into_iter().map(decided).collect()
            }
            CallResult::Replied(BatchReply::NotLoaded) => {
                vec![Ok(ClaimReply::NotLoaded); group.len()]
            }
            CallResult::Replied(BatchReply::OtherSpread) => {
                vec![Ok(ClaimReply::OtherSpread); group.len()]
            }
            CallResult::Failed => vec![Err(ClaimError::busy("redis")); group.len()],
            CallResult::Unknown => {
                let orders = self.keep_unresolved(&batch).into_iter();
                orders.map(|id| Err(ClaimError::Unknown(id))).collect()
            }
        }
    }

    /// Calls the gate until there is a reply, or certainty that nothing happened, or no time left.
    async fn call(&self, group: &[WaitingClaim], batch: &ClaimBatch<'_>) -> CallResult {
        let deadline = Instant::now() + self.context.options.claim_deadline;
        let first = &group[0].claim;
        let bucket = first.sale.bucket(first.bucket);
        let mut may_have_happened = false;
        let mut confirmation = ReplicaConfirmation::new(self.context.options.replicas);
        loop {
            let call = gate::claim(&self.context.link, bucket, &self.keys, batch);
            match timeout_at(deadline, call).await {
                Ok(Ok(BatchReply::Decided(decision))) => {
                    if let Some(decision) = confirmation.accept(decision) {
                        return CallResult::Replied(BatchReply::Decided(decision));
                    }
                    if !self.replicas_confirm(deadline).await {
                        return CallResult::Unknown;
                    }
                    may_have_happened = true;
                    continue;
                }
                Ok(Ok(undecided)) => {
                    if may_have_happened {
                        // The gate that decided is gone; the next one must know the claims by the same ids.
                        self.keep_unresolved(batch);
                    }
                    return CallResult::Replied(undecided);
                }
                Ok(Err(error)) => {
                    log_unless_outage(&error);
                    may_have_happened |= !error.is_without_effect();
                }
                Err(_) => return CallResult::Unknown,
            }
            if !may_have_happened {
                return CallResult::Failed;
            }
            sleep(REPEAT_PAUSE).await;
            if Instant::now() >= deadline {
                return CallResult::Unknown;
            }
        }
    }

    /// Whether as many replicas as the setting asks for have what the master has.
    async fn replicas_confirm(&self, deadline: Instant) -> bool {
        let wanted = self.context.options.replicas;
        let key = self.context.keys.mark(self.partition);
        let confirm = replicas::confirm(&self.context.link, &key, wanted);
        matches!(timeout_at(deadline, confirm).await, Ok(Ok(true)))
    }

    /// Updates what this process knows: epoch, flag, backlog, recent and unresolved orders.
    fn note_decision(
        &self,
        group: &[WaitingClaim],
        claims: &[GateClaim],
        decision: &BatchDecision,
    ) {
        let first = &group[0].claim;
        let sale = &first.sale;
        sale.flag.note_replied_epoch(first.bucket, decision.epoch);
        if let Some(backlog) = decision.backlog {
            self.backlog_limit.note(backlog);
            sale.flag.lower();
            self.note_granted(sale.id, claims, &decision.outcomes);
        }
        for claim in claims {
            self.unresolved.resolve(sale.id, claim.buyer);
        }
    }

    fn note_granted(&self, sale: SaleId, claims: &[GateClaim], outcomes: &[ClaimOutcome]) {
        let decided = claims.iter().zip(outcomes);
        let granted = decided.filter_map(|(claim, outcome)| match outcome {
            ClaimOutcome::Granted(order) => Some((*order, claim.buyer)),
            _ => None,
        });
        self.context.recent_orders.insert(sale, granted);
    }

    /// One unresolved order per claim, in order.
    fn keep_unresolved(&self, batch: &ClaimBatch<'_>) -> Vec<OrderId> {
        let keep = |it: &GateClaim| self.unresolved.keep(batch.sale, it.buyer, it.order);
        batch.claims.iter().map(keep).collect()
    }

    /// A buyer with an unresolved order claims under its id. It is looked up when the call is made and not when the claim
    /// is queued: the call before may just have ended without a reply.
    fn gate_claim(&self, claim: &QueuedClaim, id: OrderId) -> GateClaim {
        let unresolved = self.unresolved.order_of(claim.sale.id, claim.buyer);
        GateClaim {
            buyer: claim.buyer,
            order: unresolved.unwrap_or(id),
            key: claim.key,
        }
    }
}

/// Whether two claims go to one gate: the same bucket of the same sale, known with the same spread, which is part of the
/// call.
fn is_same_gate(one: &WaitingClaim, other: &WaitingClaim) -> bool {
    Arc::ptr_eq(&one.claim.sale, &other.claim.sale) && one.claim.bucket == other.claim.bucket
}

fn refuse_all(waiting: &mut Vec<WaitingClaim>, why: &'static str) {
    for waiting in waiting.drain(..) {
        let _ = waiting.reply.send(Err(ClaimError::busy(why)));
    }
}

/// The connection logs an outage; any other error is a defect.
fn log_unless_outage(error: &GateError) {
    match error {
        GateError::Link(error) if error.is_outage() => {}
        error => tracing::error!(%error, "gate call failed"),
    }
}
