//! Holds decisions back until a failover cannot undo them.
//!
//! Replicas confirm what *their* master has written, and that need not be the server that decided: another may have
//! taken over in between, without the decision. So the batch is sent to the gate again after the confirmation, and the
//! reply counts only if it grants nothing new.

use crate::gate::BatchDecision;

#[derive(Debug)]
pub(super) struct ReplicaConfirmation {
    /// How many of them must have an order before its caller gets a reply.
    replicas: u32,
    is_confirmed: bool,
    /// The backlog in the reply with the last new order.
    backlog: Option<u64>,
}

impl ReplicaConfirmation {
    pub(super) fn new(replicas: u32) -> Self {
        Self {
            replicas,
            is_confirmed: false,
            backlog: None,
        }
    }

    /// The decision if it is final. Otherwise replicas have to confirm, and the batch has to be sent again.
    pub(super) fn accept(&mut self, mut decision: BatchDecision) -> Option<BatchDecision> {
        if self.replicas == 0 || !decision.names_orders() {
            return Some(decision);
        }
        let has_new_orders = decision.backlog.is_some();
        self.backlog = decision.backlog.or(self.backlog);
        decision.backlog = self.backlog;
        let is_final = self.is_confirmed && !has_new_orders;
        self.is_confirmed = true;
        is_final.then_some(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ClaimOutcome, OrderId};

    fn granted(backlog: Option<u64>) -> BatchDecision {
        BatchDecision {
            epoch: 1,
            backlog,
            wait_ms: 0,
            outcomes: vec![ClaimOutcome::Granted(OrderId(1))],
        }
    }

    #[test]
    fn an_order_is_final_if_it_was_there_before_the_replicas_confirmed() {
        let mut confirmation = ReplicaConfirmation::new(1);
        assert_eq!(confirmation.accept(granted(Some(7))), None);
        let decision = confirmation.accept(granted(None)).unwrap();
        assert_eq!(decision.backlog, Some(7), "it was new to the caller");
    }

    #[test]
    fn an_order_that_was_lost_in_between_is_confirmed_once_more() {
        let mut confirmation = ReplicaConfirmation::new(1);
        assert_eq!(confirmation.accept(granted(Some(7))), None);
        assert_eq!(confirmation.accept(granted(Some(1))), None);
        assert!(confirmation.accept(granted(None)).is_some());
    }

    #[test]
    fn without_replicas_every_decision_is_final() {
        assert!(
            ReplicaConfirmation::new(0)
                .accept(granted(Some(7)))
                .is_some()
        );
    }
}
