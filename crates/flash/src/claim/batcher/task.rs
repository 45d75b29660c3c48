//! The task of a partition: collects, calls, answers.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout_at};

use super::{Admission, Answer, Asked, Caution, Doubts, Question, Shared, Told};
use crate::gate::{self, Batch, Claimant, Decision, GateError, PartitionKeys, Reply, Verdict};
use crate::{ClaimError, Ledger, OrderId, Partition, SaleId, fail_point, replicas};

/// Claims in one call: more would hold up everybody else on the server for longer than a millisecond.
const MAX_BATCH: usize = 256;

/// Between repetitions of a call whose fate is unknown: about what a connection needs to come back.
const PAUSE: Duration = Duration::from_millis(50);

#[derive(Debug)]
pub(super) struct Caller<L> {
    pub(super) shared: Arc<Shared<L>>,
    /// Of its task.
    pub(super) name: String,
    pub(super) partition: Partition,
    pub(super) keys: PartitionKeys,
    pub(super) admission: Arc<Admission>,
    pub(super) doubts: Arc<Doubts>,
}

/// Questions that are decided together, with what is chosen for them: order ids, then claimants.
#[derive(Debug, Default)]
struct Round {
    asked: Vec<Asked>,
    ids: Vec<OrderId>,
    /// One per question, as soon as the gate may be called; none before.
    claimants: Vec<Claimant>,
}

/// What became of a call.
#[derive(Debug)]
enum Outcome {
    Replied(Reply),
    /// Certainly without effect.
    Failed,
    /// Perhaps with all its effects.
    Unknown,
}

impl<L: Ledger> Caller<L> {
    /// Serves until nobody can ask any more.
    pub(super) async fn run(self, mut questions: mpsc::Receiver<Asked>) {
        let mut round = Round::default();
        while questions.recv_many(&mut round.asked, MAX_BATCH).await > 0 {
            round.ids.clear();
            round.claimants.clear();
            let served = supervise::run_once(&self.name, self.serve(&mut round));
            if served.await.is_none() {
                self.answer_after_panic(&mut round);
            }
        }
    }

    async fn serve(&self, round: &mut Round) {
        let Round {
            asked: batch,
            ids,
            claimants,
        } = round;
        self.drop_late(batch);
        if let Err(error) = self.shared.ids.take_many(batch.len(), ids).await {
            tracing::warn!(%error, "there are no order ids");
            return refuse_all(batch, "ids");
        }
        // Stable, so within a sale it stays first come, first served.
        batch.sort_by_key(|asked| asked.question.sale.id);
        let claimant = |(asked, id): (&Asked, &OrderId)| self.claimant(&asked.question, *id);
        claimants.extend(batch.iter().zip(&*ids).map(claimant));
        let mut calls = Vec::with_capacity(1);
        let mut rest = &claimants[..];
        for group in batch.chunk_by(is_same_gate) {
            let (mine, others) = rest.split_at(group.len());
            rest = others;
            calls.push(self.decide(group, mine));
        }
        let answers = join_all(calls).await;
        fail_point::pass("after_script_before_reply");
        let answers = answers.into_iter().flatten();
        for (asked, answer) in batch.drain(..).zip(answers) {
            // Whoever went away hears nothing.
            let _ = asked.answer.send(answer);
        }
    }

    /// If the gate may have been called nobody knows what it decided: the claimants are in doubt about their orders.
    fn answer_after_panic(&self, round: &mut Round) {
        if round.claimants.len() != round.asked.len() {
            return refuse_all(&mut round.asked, "panic");
        }
        for (asked, claimant) in round.asked.drain(..).zip(&round.claimants) {
            let sale = asked.question.sale.id;
            let order = self.doubts.keep(sale, claimant.buyer, claimant.order);
            let _ = asked.answer.send(Err(ClaimError::Unknown(order)));
        }
    }

    /// Nobody is kept waiting behind a call that took too long, or served after going away.
    fn drop_late(&self, batch: &mut Vec<Asked>) {
        let now = Instant::now();
        let deadline = self.shared.options.claim_deadline;
        let is_late = |asked: &mut Asked| {
            asked.answer.is_closed() || now.duration_since(asked.asked_at) > deadline
        };
        for late in batch.extract_if(.., is_late) {
            let _ = late.answer.send(Err(ClaimError::busy("late")));
        }
    }

    /// Answers for claimants of one gate, in order.
    async fn decide(&self, group: &[Asked], claimants: &[Claimant]) -> Vec<Answer> {
        let first = &group[0].question;
        let batch = Batch {
            sale: first.sale.id,
            spread: first.sale.spread(),
            claimants,
        };
        let began = Instant::now();
        let outcome = self.call(group, &batch).await;
        self.shared.meter.called(claimants.len(), began.elapsed());
        match outcome {
            Outcome::Replied(Reply::Decided(decision)) => {
                self.take_note(group, claimants, &decision);
                let wait = Duration::from_millis(decision.wait_ms);
                let told = |verdict| Ok(Told::Decided { verdict, wait });
                decision.verdicts.into_iter().map(told).collect()
            }
            Outcome::Replied(Reply::NotLoaded) => vec![Ok(Told::NotLoaded); group.len()],
            Outcome::Replied(Reply::OtherSpread) => vec![Ok(Told::OtherSpread); group.len()],
            Outcome::Failed => vec![Err(ClaimError::busy("redis")); group.len()],
            Outcome::Unknown => {
                let doubtful = self.keep_in_doubt(&batch).into_iter();
                doubtful.map(|id| Err(ClaimError::Unknown(id))).collect()
            }
        }
    }

    /// Calls until there is an answer, or certainty that nothing happened, or no time left.
    async fn call(&self, group: &[Asked], batch: &Batch<'_>) -> Outcome {
        let deadline = Instant::now() + self.shared.options.claim_deadline;
        let first = &group[0].question;
        let bucket = first.sale.bucket(first.bucket);
        let mut may_have_happened = false;
        let mut caution = Caution::new(self.shared.options.replicas);
        loop {
            let ask = gate::ask(&self.shared.link, bucket, &self.keys, batch);
            match timeout_at(deadline, ask).await {
                Ok(Ok(Reply::Decided(decision))) => {
                    if let Some(decision) = caution.judge(decision) {
                        return Outcome::Replied(Reply::Decided(decision));
                    }
                    if !self.have_replicas(deadline).await {
                        return Outcome::Unknown;
                    }
                    may_have_happened = true;
                    continue;
                }
                Ok(Ok(closed)) => {
                    if may_have_happened {
                        // The gate that had it is gone; the next one asked must know it by the same id.
                        self.keep_in_doubt(batch);
                    }
                    return Outcome::Replied(closed);
                }
                Ok(Err(error)) => {
                    tell(&error);
                    may_have_happened |= !error.is_without_effect();
                }
                Err(_) => return Outcome::Unknown,
            }
            if !may_have_happened {
                return Outcome::Failed;
            }
            sleep(PAUSE).await;
            if Instant::now() >= deadline {
                return Outcome::Unknown;
            }
        }
    }

    /// Whether as many replicas as were asked for have what the master has.
    async fn have_replicas(&self, deadline: Instant) -> bool {
        let wanted = self.shared.options.replicas;
        let key = self.shared.keys.mark(self.partition);
        let confirm = replicas::confirm(&self.shared.link, &key, wanted);
        matches!(timeout_at(deadline, confirm).await, Ok(Ok(true)))
    }

    fn take_note(&self, group: &[Asked], claimants: &[Claimant], decision: &Decision) {
        let first = &group[0].question;
        first.sale.flag.replied(first.bucket, decision.epoch);
        if let Some(backlog) = decision.backlog {
            self.admission.note(backlog);
            first.sale.flag.lower();
            self.note_orders(first.sale.id, claimants, &decision.verdicts);
        }
        for claimant in claimants {
            self.doubts.settle(first.sale.id, claimant.buyer);
        }
    }

    fn note_orders(&self, sale: SaleId, claimants: &[Claimant], verdicts: &[Verdict]) {
        let decided = claimants.iter().zip(verdicts);
        let granted = decided.filter_map(|(claimant, verdict)| match verdict {
            Verdict::Granted(order) => Some((*order, claimant.buyer)),
            _ => None,
        });
        self.shared.recent.note(sale, granted);
    }

    /// One order per claimant, in order: what each is in doubt about.
    fn keep_in_doubt(&self, batch: &Batch<'_>) -> Vec<OrderId> {
        let keep = |it: &Claimant| self.doubts.keep(batch.sale, it.buyer, it.order);
        batch.claimants.iter().map(keep).collect()
    }

    /// Whoever is in doubt about an order asks for that one. It is looked up when the call is made and not when the
    /// question is queued: the call before may just have ended in doubt.
    fn claimant(&self, question: &Question, id: OrderId) -> Claimant {
        let in_doubt = self.doubts.order_of(question.sale.id, question.buyer);
        Claimant {
            buyer: question.buyer,
            order: in_doubt.unwrap_or(id),
            key: question.key,
        }
    }
}

/// Neighbours in a batch go to one gate if they mean the same sale, known alike: its spread is part of the call.
fn is_same_gate(one: &Asked, other: &Asked) -> bool {
    Arc::ptr_eq(&one.question.sale, &other.question.sale)
        && one.question.bucket == other.question.bucket
}

fn refuse_all(batch: &mut Vec<Asked>, why: &'static str) {
    for asked in batch.drain(..) {
        let _ = asked.answer.send(Err(ClaimError::busy(why)));
    }
}

/// An outage is told by whoever keeps the connection; anything else is a fault to look into.
fn tell(error: &GateError) {
    match error {
        GateError::Link(error) if error.is_outage() => {}
        error => tracing::error!(%error, "the gate failed"),
    }
}
