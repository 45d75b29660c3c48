//! The batch that collects while others are in flight: when it is sent, and who may be in it.
//!
//! # When
//! At once if no call is in flight. Otherwise when it has a fair part of the claims that are: so the first buyers do not wait,
//! those who come while Redis flushes its disk are there when it reads again, and the number of calls grows with the logarithm of
//! the number of buyers. Whatever is too small to be sent goes out when a call ends.
//!
//! # Who
//! The invariant: a buyer has claims of one sale in one call at a time. While a call is in flight its outcome for the buyer is
//! not known, and neither is the id of the order that a later claim of the same buyer has to use; so that claim waits until
//! the call has ended. Claims of one buyer in one batch are decided in order by the script.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::WaitingClaim;
use crate::gate::GateClaim;
use crate::{BuyerId, OrderId, SaleId};

/// Claims in one call: more would block Redis for longer than a millisecond.
const MAX_BATCH: usize = 256;

/// Calls of a partition in flight: enough for a full batch after a lone claim, each half as large as all before it.
pub(super) const MAX_CALLS: usize = 16;

/// A batch is sent beside others if the claims in flight are at most so many times as many. With a smaller number more claims wait
/// for a call to end; with a larger one calls are smaller, and each costs Redis as much as seven claims.
const MAX_TIMES_AS_MANY: usize = 2;

/// Claims that are decided together. Kept outside of the code that may panic, to reply to every one of them.
#[derive(Debug, Default)]
pub(super) struct QueuedBatch {
    pub(super) waiting: Vec<WaitingClaim>,
    pub(super) ids: Vec<OrderId>,
    /// One per waiting claim as soon as the gate may be called; none before.
    pub(super) claims: Vec<GateClaim>,
    /// Who has no other call until this one has ended.
    buyers: Vec<(SaleId, BuyerId)>,
    number: u64,
}

#[derive(Debug)]
pub(super) struct NextBatch {
    /// In the order of arrival; at most [`MAX_BATCH`].
    pub(super) waiting: Vec<WaitingClaim>,
    /// The number of the call that each buyer is in.
    in_flight: HashMap<(SaleId, BuyerId), u64>,
    max_calls: usize,
    calls: usize,
    calls_begun: u64,
    /// Batches that have ended, for their memory.
    ended: Vec<QueuedBatch>,
}

impl NextBatch {
    pub(super) fn new(max_calls: usize) -> Self {
        Self {
            waiting: Vec::new(),
            in_flight: HashMap::new(),
            max_calls,
            calls: 0,
            calls_begun: 0,
            ended: Vec::new(),
        }
    }

    /// How many more claims may wait here; the others stay in the queue, which is bounded.
    pub(super) fn room(&self) -> usize {
        MAX_BATCH - self.waiting.len()
    }

    /// The claims that are due, without those of buyers who are in another call; `None` if there are none.
    pub(super) fn begin_call(&mut self) -> Option<QueuedBatch> {
        if !self.is_due() {
            return None;
        }
        let mut batch = self.ended.pop().unwrap_or_default();
        self.calls_begun += 1;
        batch.number = self.calls_begun;
        let Self {
            waiting, in_flight, ..
        } = self;
        let is_free = |waiting: &mut WaitingClaim| {
            let buyer = (waiting.claim.sale.id, waiting.claim.buyer);
            match in_flight.entry(buyer) {
                Entry::Vacant(free) => {
                    free.insert(batch.number);
                    batch.buyers.push(buyer);
                    true
                }
                Entry::Occupied(call) => *call.get() == batch.number,
            }
        };
        batch.waiting.extend(waiting.extract_if(.., is_free));
        if batch.waiting.is_empty() {
            self.ended.push(batch);
            return None;
        }
        self.calls += 1;
        Some(batch)
    }

    /// Every claim of the batch has its reply.
    pub(super) fn end_call(&mut self, mut batch: QueuedBatch) {
        for buyer in batch.buyers.drain(..) {
            self.in_flight.remove(&buyer);
        }
        batch.waiting.clear();
        batch.ids.clear();
        batch.claims.clear();
        self.ended.push(batch);
        self.calls -= 1;
    }

    fn is_due(&self) -> bool {
        is_due(
            self.waiting.len(),
            self.in_flight.len(),
            self.calls,
            self.max_calls,
        )
    }
}

fn is_due(waiting: usize, buyers_in_flight: usize, calls: usize, max_calls: usize) -> bool {
    let is_fair_part = waiting == MAX_BATCH || waiting * MAX_TIMES_AS_MANY >= buyers_in_flight;
    waiting > 0 && calls < max_calls && (calls == 0 || is_fair_part)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sizes of the calls for buyers who come one by one, before any of them has a reply.
    fn calls_for(buyers: usize, max_calls: usize) -> Vec<usize> {
        let (mut waiting, mut in_flight, mut calls) = (0, 0, Vec::new());
        for _ in 0..buyers {
            waiting += 1;
            if is_due(waiting, in_flight, calls.len(), max_calls) {
                in_flight += waiting;
                calls.push(waiting);
                waiting = 0;
            }
        }
        calls
    }

    #[test]
    fn a_lone_claim_is_sent_at_once() {
        assert_eq!(calls_for(1, MAX_CALLS), [1]);
        assert!(!is_due(0, 0, 0, MAX_CALLS));
    }

    #[test]
    fn calls_grow_with_what_is_in_flight() {
        assert_eq!(calls_for(16, MAX_CALLS), [1, 1, 1, 2, 3, 4]);
        for (buyers, most) in [(64, 10), (256, 13), (1_024, MAX_CALLS)] {
            let calls = calls_for(buyers, MAX_CALLS);
            assert!(calls.len() <= most, "{buyers}: {calls:?}");
            let sent: usize = calls.iter().sum();
            assert!(sent * 3 >= buyers * 2, "a third waits at most: {calls:?}");
        }
    }

    #[test]
    fn one_call_at_a_time_collects_everything_else() {
        assert_eq!(calls_for(100, 1), [1]);
    }

    #[test]
    fn a_full_batch_is_sent_whatever_is_in_flight() {
        assert!(is_due(MAX_BATCH, 100 * MAX_BATCH, 3, MAX_CALLS));
        assert!(!is_due(MAX_BATCH, 100 * MAX_BATCH, MAX_CALLS, MAX_CALLS));
    }
}
