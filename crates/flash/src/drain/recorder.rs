//! Writes orders to the ledger from a seat, and finds the ones it cannot take.

use std::fmt;
use std::time::{Duration, Instant};

use lock::Guard;
use tokio_util::sync::CancellationToken;

use crate::{Ledger, LedgerError, Order, Piece, Refused, Seat, Written, meter};

/// Orders per transaction at most: more than a reading usually brings, so that it becomes one, and few enough that
/// others need not wait long for theirs.
const TRANSACTION_ORDERS: usize = 4_000;

/// Pause after the ledger was found away; it doubles with each time.
const FIRST_PAUSE: Duration = Duration::from_millis(50);
/// So that a ledger that came back is noticed soon.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Why a shift is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Stopped,
    LeaseLost,
    /// Somebody else took the seat in the ledger.
    Fenced,
}

/// For how long a seat may be used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tenure<'a> {
    pub(super) stop: &'a CancellationToken,
    pub(super) lease: &'a Guard,
}

/// What the ledger says to one order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    Recorded,
    Refused(Refused),
    /// There is no piece for it.
    Short,
    /// It fails even alone, for this reason.
    Failed(String),
}

#[derive(Debug)]
pub(super) struct Recorder<'a, L> {
    ledger: &'a L,
    seat: Seat,
    pub(super) tenure: Tenure<'a>,
    /// When the ledger last took an order: it works, so what fails since is the order's own fault.
    recorded_at: Option<Instant>,
}

impl Tenure<'_> {
    pub(super) fn check(&self) -> Result<(), End> {
        match () {
            () if self.lease.lost_reason().is_some() => Err(End::LeaseLost),
            () if self.stop.is_cancelled() => Err(End::Stopped),
            () => Ok(()),
        }
    }

    /// Waits for something, but not beyond the tenure.
    pub(super) async fn wait<T>(&self, for_what: impl Future<Output = T>) -> Result<T, End> {
        tokio::select! {
            biased;
            () = self.lease.lost().cancelled() => Err(End::LeaseLost),
            () = self.stop.cancelled() => Err(End::Stopped),
            output = for_what => Ok(output),
        }
    }
}

impl<'a, L: Ledger> Recorder<'a, L> {
    pub(super) fn new(ledger: &'a L, seat: Seat, tenure: Tenure<'a>) -> Self {
        Self {
            ledger,
            seat,
            tenure,
            recorded_at: None,
        }
    }

    pub(super) fn seat(&self) -> Seat {
        self.seat
    }

    pub(super) fn has_recorded_since(&self, moment: Instant) -> bool {
        self.recorded_at.is_some_and(|at| at >= moment)
    }

    /// Sits down, or makes sure that nobody else has since.
    pub(super) async fn take_seat(&self) -> Result<(), End> {
        let mut pause = Pause::default();
        loop {
            match self.ledger.take_seat(self.seat).await {
                Ok(()) => return Ok(()),
                Err(LedgerError::Fenced) => return Err(End::Fenced),
                Err(error) => pause.after(&error, &self.tenure).await?,
            }
        }
    }

    /// Records orders, in order, and says what became of each. Only those that the ledger does not take even alone are
    /// left out.
    pub(super) async fn record(&mut self, orders: &[Order]) -> Result<Vec<Verdict>, End> {
        let mut verdicts = Vec::with_capacity(orders.len());
        let mut slices = transactions(orders);
        while let Some(slice) = slices.pop() {
            match self.write(slice).await? {
                Ok(written) => verdicts.extend(written),
                Err(verdict) if slice.len() == 1 => verdicts.push(verdict),
                Err(_) => {
                    let (left, right) = slice.split_at(slice.len() / 2);
                    slices.extend([right, left]);
                }
            }
        }
        Ok(verdicts)
    }

    /// Buries an order; `false` if the ledger does not even take that at present.
    pub(super) async fn bury(
        &self,
        order: &Order,
        reason: &str,
        piece: Piece,
    ) -> Result<bool, End> {
        let mut pause = Pause::default();
        loop {
            match self.ledger.bury(self.seat, order, reason, piece).await {
                Ok(()) => return Ok(true),
                Err(LedgerError::Fenced) => return Err(End::Fenced),
                Err(error @ LedgerError::Away(_)) => pause.after(&error, &self.tenure).await?,
                Err(error) => {
                    let error: &dyn std::error::Error = &error;
                    tracing::error!(order = %order.id, error, "an order could not be buried");
                    return Ok(false);
                }
            }
        }
    }

    /// One transaction, repeated while the ledger is away. The inner error is what it says to all of the orders.
    async fn write(&mut self, orders: &[Order]) -> Result<Result<Vec<Verdict>, Verdict>, End> {
        let mut pause = Pause::default();
        loop {
            let begun = Instant::now();
            match self.ledger.write_orders(self.seat, orders).await {
                Ok(written) if written.len() == orders.len() => {
                    meter::drained(count_new(&written), begun.elapsed());
                    self.recorded_at = Some(Instant::now());
                    return Ok(Ok(written.into_iter().map(Verdict::of).collect()));
                }
                Ok(_) => return Ok(Err(Verdict::Failed("it was not answered for".to_owned()))),
                Err(LedgerError::Fenced) => return Err(End::Fenced),
                Err(LedgerError::Short(_)) => return Ok(Err(Verdict::Short)),
                Err(LedgerError::Failed(cause)) => {
                    return Ok(Err(Verdict::Failed(cause.to_string())));
                }
                Err(error @ LedgerError::Away(_)) => pause.after(&error, &self.tenure).await?,
            }
        }
    }
}

impl Verdict {
    fn of(written: Written) -> Self {
        match written {
            Written::New | Written::AlreadyThere => Self::Recorded,
            Written::Refused(why) => Self::Refused(why),
        }
    }
}

/// Orders in as few transactions as there may be, of about the same size, the first one last.
fn transactions(orders: &[Order]) -> Vec<&[Order]> {
    let count = orders.len().div_ceil(TRANSACTION_ORDERS).max(1);
    let size = orders.len().div_ceil(count).max(1);
    orders.chunks(size).rev().collect()
}

fn count_new(written: &[Written]) -> usize {
    written.iter().filter(|fate| **fate == Written::New).count()
}

/// Growing pauses between attempts at something that is away.
#[derive(Debug)]
pub(super) struct Pause {
    next: Duration,
}

impl Default for Pause {
    fn default() -> Self {
        Self { next: FIRST_PAUSE }
    }
}

impl Pause {
    /// Says aloud what is the matter the first time, and waits.
    pub(super) async fn after(
        &mut self,
        error: &(dyn std::error::Error + Sync + 'static),
        tenure: &Tenure<'_>,
    ) -> Result<(), End> {
        if self.next == FIRST_PAUSE {
            let error: &dyn std::error::Error = error;
            tracing::warn!(error, "draining pauses");
        }
        tenure.wait(tokio::time::sleep(self.next)).await?;
        self.next = LONGEST_PAUSE.min(self.next * 2);
        Ok(())
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stopped => "told to stop",
            Self::LeaseLost => "the lease was lost",
            Self::Fenced => "somebody else sits there",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuyerId, OrderId, SaleId};

    #[test]
    fn orders_are_shared_out_among_as_few_transactions_as_there_may_be() {
        let order = |id| Order {
            id: OrderId(id),
            sale: SaleId(1),
            buyer: BuyerId(id),
            slot: 1,
            granted_at_ms: 0,
        };
        let orders: Vec<Order> = (0..4_001).map(order).collect();
        let sizes = |count: usize| {
            let shares = transactions(&orders[..count]);
            let sizes: Vec<usize> = shares.iter().map(|share| share.len()).collect();
            sizes
        };
        assert_eq!(sizes(0), [0; 0]);
        assert_eq!(sizes(4_000), [4_000]);
        assert_eq!(sizes(4_001), [2_000, 2_001]);
        let last = transactions(&orders).pop().expect("there are two");
        assert_eq!(last[0], orders[0], "the first comes last");
    }
}
