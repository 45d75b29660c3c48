//! The words of the claim script.

use super::Claimant;
use crate::OrderId;

/// What the gate says to a batch.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    /// There is no open gate here: the sale is to be loaded.
    NotLoaded,
    /// The sale is spread over another number of buckets than the asker believes.
    OtherSpread,
    Decided(Decision),
}

/// A decision for every claimant, and the state of the gate after it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decision {
    pub(crate) epoch: i64,
    /// Orders of the partition on their way to the ledger, where any were added.
    pub(crate) backlog: Option<u64>,
    /// Time until the sale begins.
    pub(crate) wait_ms: u64,
    /// One per claimant, in order.
    pub(crate) verdicts: Vec<Verdict>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Granted(OrderId),
    AlreadyBought(OrderId),
    SoldOut,
    NotStarted,
    Ended,
}

impl Decision {
    /// Whether anybody is told of an order.
    pub(crate) fn hands_out(&self) -> bool {
        let named =
            |verdict: &Verdict| matches!(verdict, Verdict::Granted(_) | Verdict::AlreadyBought(_));
        self.verdicts.iter().any(named)
    }
}

impl Reply {
    /// Nothing, if these are not the script's words.
    pub(super) fn read(answer: &[u8], claimants: &[Claimant]) -> Option<Self> {
        match answer {
            b"unloaded" => return Some(Self::NotLoaded),
            b"other spread" => return Some(Self::OtherSpread),
            _ => {}
        }
        let bar = answer.iter().position(|byte| *byte == b'|')?;
        let mut head = str::from_utf8(&answer[..bar]).ok()?.split(' ');
        let epoch = head.next()?.parse().ok()?;
        let _stock = head.next()?;
        let backlog = head.next()?.parse().ok();
        let wait_ms = head.next()?.parse().ok()?;
        Some(Self::Decided(Decision {
            epoch,
            backlog,
            wait_ms,
            verdicts: verdicts(&answer[bar + 1..], claimants)?,
        }))
    }
}

fn verdicts(mut codes: &[u8], claimants: &[Claimant]) -> Option<Vec<Verdict>> {
    let mut verdicts = Vec::with_capacity(claimants.len());
    for claimant in claimants {
        let (code, rest) = codes.split_first()?;
        codes = rest;
        verdicts.push(match code {
            b'g' => Verdict::Granted(claimant.order),
            b'r' => Verdict::Granted(order(&mut codes)?),
            b'a' => Verdict::AlreadyBought(order(&mut codes)?),
            b's' => Verdict::SoldOut,
            b'n' => Verdict::NotStarted,
            b'e' => Verdict::Ended,
            _ => return None,
        });
    }
    codes.is_empty().then_some(verdicts)
}

/// The id in front, up to and with its semicolon.
fn order(codes: &mut &[u8]) -> Option<OrderId> {
    let end = codes.iter().position(|byte| *byte == b';')?;
    let id = str::from_utf8(&codes[..end]).ok()?.parse().ok()?;
    *codes = &codes[end + 1..];
    Some(OrderId(id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::BuyerId;

    fn claimants(orders: impl IntoIterator<Item = i64>) -> Vec<Claimant> {
        let claimant = |order| Claimant {
            buyer: BuyerId(1),
            order: OrderId(order),
            key: None,
        };
        orders.into_iter().map(claimant).collect()
    }

    #[test]
    fn every_code_finds_its_claimant() {
        let answer = b"1048577 0 -1 250|gr8;a9;sne";
        let read = Reply::read(answer, &claimants(1..=6));
        let decision = Decision {
            epoch: 1_048_577,
            backlog: None,
            wait_ms: 250,
            verdicts: vec![
                Verdict::Granted(OrderId(1)),
                Verdict::Granted(OrderId(8)),
                Verdict::AlreadyBought(OrderId(9)),
                Verdict::SoldOut,
                Verdict::NotStarted,
                Verdict::Ended,
            ],
        };
        assert_eq!(read, Some(Reply::Decided(decision)));
    }

    #[test]
    fn an_answer_for_more_or_fewer_claimants_is_none() {
        for answer in [
            &b"1 0 -1 0|gg"[..],
            b"1 0 -1 0|",
            b"1 0 -1 0|x",
            b"1 0 -1 0|a7",
            b"",
        ] {
            assert_eq!(Reply::read(answer, &claimants([1])), None);
        }
    }
}
