//! What the transactions of the ledger do (`storage/src/flash_sales`, `storage/src/orders`).

use super::world::{Fate, Ledger, OrderId, Return};
use super::{Guard, Protocol};

/// What became of one order that was to be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WriteOutcome {
    Fenced,
    /// It failed alone.
    Failed,
    New,
    AlreadyRecorded,
    Refused {
        restock: bool,
    },
}

impl Protocol {
    fn holds_drain_lease(&self, ledger: &Ledger, fence: u8) -> bool {
        fence >= ledger.fence || !self.keeps(Guard::SeatIsFenced)
    }

    /// `write_orders` for one order.
    pub(super) fn write_order(
        &self,
        ledger: &mut Ledger,
        fence: u8,
        order: OrderId,
    ) -> WriteOutcome {
        if !self.holds_drain_lease(ledger, fence) {
            return WriteOutcome::Fenced;
        }
        let row = ledger.rows[usize::from(order)];
        if ledger.is_down || (row.is_poisoned && row.fate == Fate::Absent) {
            return WriteOutcome::Failed;
        }
        let is_known = match row.fate {
            Fate::Absent => false,
            Fate::DeadLettered => self.keeps(Guard::DeadLetterIsFinal),
            Fate::Live | Fate::Cancelled => self.keeps(Guard::LedgerKnowsItsOrders),
        };
        if is_known {
            return WriteOutcome::AlreadyRecorded;
        }
        if row.load < ledger.sealed {
            return WriteOutcome::Refused { restock: false };
        }
        let holders = ledger.rows.iter().enumerate().filter(|(at, other)| {
            *at != usize::from(order) && other.buyer == row.buyer && other.fate == Fate::Live
        });
        if holders.count() >= usize::from(self.scope.limit) {
            return WriteOutcome::Refused { restock: true };
        }
        if ledger.stock == 0 {
            return WriteOutcome::Refused { restock: false };
        }
        ledger.stock -= 1;
        ledger.rows[usize::from(order)].fate = Fate::Live;
        WriteOutcome::New
    }

    /// `dead_letter`; nothing if it is fenced.
    pub(super) fn record_dead_letter(
        &self,
        ledger: &mut Ledger,
        fence: u8,
        given: Return,
    ) -> Option<()> {
        if !self.holds_drain_lease(ledger, fence) {
            return None;
        }
        let row = &mut ledger.rows[usize::from(given.order)];
        if row.fate == Fate::Absent {
            row.fate = Fate::DeadLettered;
            ledger.outbox.push(given);
        }
        Some(())
    }
}

impl Ledger {
    /// `cancel`: the order ends, its unit is in the stock, and the outbox says so.
    pub(super) fn cancel(&mut self, order: OrderId) {
        self.rows[usize::from(order)].fate = Fate::Cancelled;
        self.stock += 1;
        self.outbox.push(Return {
            order,
            restock: true,
        });
    }

    pub(super) fn live(&self) -> impl Iterator<Item = OrderId> {
        let rows = self.rows.iter().enumerate();
        let live = rows.filter(|(_, row)| row.fate == Fate::Live);
        live.map(|(at, _)| OrderId::try_from(at).unwrap())
    }
}
