//! Holds decisions back until a failover could not undo them.
//!
//! Replicas confirm what *their* master has written, and that need not be the server that decided: another may have
//! taken over in between, without having heard of the decision. So the gate is asked again after they have, and an
//! answer is told if it grants nothing that was not there before.

use crate::gate::Decision;

#[derive(Debug)]
pub(super) struct Caution {
    /// How many of them must have an order before its buyer hears of it.
    replicas: u32,
    is_confirmed: bool,
    /// What was said with the last new order.
    backlog: Option<u64>,
}

impl Caution {
    pub(super) fn new(replicas: u32) -> Self {
        Self {
            replicas,
            is_confirmed: false,
            backlog: None,
        }
    }

    /// The decision if it may be told. Otherwise replicas are to confirm, and the gate is to be asked again.
    pub(super) fn judge(&mut self, mut decision: Decision) -> Option<Decision> {
        if self.replicas == 0 || !decision.hands_out() {
            return Some(decision);
        }
        let is_news = decision.backlog.is_some();
        self.backlog = decision.backlog.or(self.backlog);
        decision.backlog = self.backlog;
        let is_told = self.is_confirmed && !is_news;
        self.is_confirmed = true;
        is_told.then_some(decision)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OrderId;
    use crate::gate::Verdict;

    fn granted(backlog: Option<u64>) -> Decision {
        Decision {
            epoch: 1,
            backlog,
            wait_ms: 0,
            verdicts: vec![Verdict::Granted(OrderId(1))],
        }
    }

    #[test]
    fn an_order_is_told_when_it_was_there_before_the_replicas_confirmed() {
        let mut caution = Caution::new(1);
        assert_eq!(caution.judge(granted(Some(7))), None);
        let told = caution.judge(granted(None)).unwrap();
        assert_eq!(told.backlog, Some(7), "it was new to whoever asked");
    }

    #[test]
    fn an_order_that_was_forgotten_in_between_is_confirmed_once_more() {
        let mut caution = Caution::new(1);
        assert_eq!(caution.judge(granted(Some(7))), None);
        assert_eq!(caution.judge(granted(Some(1))), None);
        assert!(caution.judge(granted(None)).is_some());
    }

    #[test]
    fn without_replicas_everything_is_told_at_once() {
        assert!(Caution::new(0).judge(granted(Some(7))).is_some());
    }
}
