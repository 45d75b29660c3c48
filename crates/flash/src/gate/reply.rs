//! The reply of the claim script.

use super::GateClaim;
use crate::{ClaimOutcome, OrderId};

/// The reply to a batch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum BatchReply {
    /// There is no open gate on this master: the sale has to be loaded.
    NotLoaded,
    /// The sale is spread over another number of buckets than the call says.
    OtherSpread,
    Decided(BatchDecision),
}

/// An outcome for every claim, and the state of the gate after it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BatchDecision {
    pub(crate) epoch: i64,
    /// Orders of the partition that wait for the ledger, if this call added any.
    pub(crate) backlog: Option<u64>,
    /// Time until the sale begins.
    pub(crate) wait_ms: u64,
    /// One per claim, in order.
    pub(crate) outcomes: Vec<ClaimOutcome>,
}

impl BatchDecision {
    /// Whether any caller gets an order id.
    pub(crate) fn names_orders(&self) -> bool {
        use ClaimOutcome::{AlreadyBought, Granted};
        let has_order = |outcome: &ClaimOutcome| matches!(outcome, Granted(_) | AlreadyBought(_));
        self.outcomes.iter().any(has_order)
    }
}

impl BatchReply {
    /// `None` if this is not a reply of the script.
    pub(super) fn parse(reply: &[u8], claims: &[GateClaim]) -> Option<Self> {
        match reply {
            b"unloaded" => return Some(Self::NotLoaded),
            b"other spread" => return Some(Self::OtherSpread),
            _ => {}
        }
        let bar = reply.iter().position(|byte| *byte == b'|')?;
        let mut head = str::from_utf8(&reply[..bar]).ok()?.split(' ');
        let epoch = head.next()?.parse().ok()?;
        let _stock = head.next()?;
        let backlog = head.next()?.parse().ok();
        let wait_ms = head.next()?.parse().ok()?;
        Some(Self::Decided(BatchDecision {
            epoch,
            backlog,
            wait_ms,
            outcomes: parse_outcomes(&reply[bar + 1..], claims)?,
        }))
    }
}

fn parse_outcomes(mut codes: &[u8], claims: &[GateClaim]) -> Option<Vec<ClaimOutcome>> {
    let mut outcomes = Vec::with_capacity(claims.len());
    for claim in claims {
        let (code, rest) = codes.split_first()?;
        codes = rest;
        outcomes.push(match code {
            b'g' => ClaimOutcome::Granted(claim.order),
            b'r' => ClaimOutcome::Granted(parse_order(&mut codes)?),
            b'a' => ClaimOutcome::AlreadyBought(parse_order(&mut codes)?),
            b's' => ClaimOutcome::SoldOut,
            b'n' => ClaimOutcome::NotStarted,
            b'e' => ClaimOutcome::Ended,
            _ => return None,
        });
    }
    codes.is_empty().then_some(outcomes)
}

/// Takes the leading id with its semicolon.
fn parse_order(codes: &mut &[u8]) -> Option<OrderId> {
    let end = codes.iter().position(|byte| *byte == b';')?;
    let id = str::from_utf8(&codes[..end]).ok()?.parse().ok()?;
    *codes = &codes[end + 1..];
    Some(OrderId(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuyerId;

    fn claims(orders: impl IntoIterator<Item = i64>) -> Vec<GateClaim> {
        let claim = |order| GateClaim {
            buyer: BuyerId(1),
            order: OrderId(order),
            key: None,
        };
        orders.into_iter().map(claim).collect()
    }

    #[test]
    fn every_code_belongs_to_its_claim() {
        let reply = b"1048577 0 -1 250|gr8;a9;sne";
        let parsed = BatchReply::parse(reply, &claims(1..=6));
        let decision = BatchDecision {
            epoch: 1_048_577,
            backlog: None,
            wait_ms: 250,
            outcomes: vec![
                ClaimOutcome::Granted(OrderId(1)),
                ClaimOutcome::Granted(OrderId(8)),
                ClaimOutcome::AlreadyBought(OrderId(9)),
                ClaimOutcome::SoldOut,
                ClaimOutcome::NotStarted,
                ClaimOutcome::Ended,
            ],
        };
        assert_eq!(parsed, Some(BatchReply::Decided(decision)));
    }

    #[test]
    fn a_reply_for_more_or_fewer_claims_is_not_parsed() {
        for reply in [
            &b"1 0 -1 0|gg"[..],
            b"1 0 -1 0|",
            b"1 0 -1 0|x",
            b"1 0 -1 0|a7",
            b"",
        ] {
            assert_eq!(BatchReply::parse(reply, &claims([1])), None);
        }
    }
}
