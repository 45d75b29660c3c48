//! Rows as values of the engine.

use super::database::{SqlRow, number, optional};
use crate::{Audit, BuyerId, Ended, Holding, KeyHash, LedgerError, OrderId, Terms};

/// Of all columns of `flash_sale`.
pub(super) fn terms(row: &SqlRow) -> Result<Terms, LedgerError> {
    Ok(Terms {
        initial: number(row, 1)?,
        stock: number(row, 2)?,
        begin_ms: number(row, 3)?,
        end_ms: number(row, 4)?,
        limit_per_buyer: number(row, 5)?,
        spread: number(row, 6)?,
        on_shelf: number::<i64>(row, 7)? != 0,
        epoch: number(row, 8)?,
    })
}

/// Of all columns of `flash_sale`, and the number of live orders.
pub(super) fn audit(row: &SqlRow) -> Result<Audit, LedgerError> {
    Ok(Audit {
        terms: terms(row)?,
        live_orders: number(row, 9)?,
    })
}

/// Of id, buyer, slot and key.
pub(super) fn holding(row: &SqlRow) -> Result<Holding, LedgerError> {
    let slot = optional(row, 2).map(|_| number(row, 2)).transpose()?;
    let key = optional(row, 3).map(|key| KeyHash(key.cast_unsigned()));
    Ok(Holding {
        order: OrderId(number(row, 0)?),
        buyer: BuyerId(number(row, 1)?),
        slot: slot.unwrap_or(0),
        key,
    })
}

pub(super) fn end(row: &SqlRow) -> Result<Ended, LedgerError> {
    Ok(match number(row, 0)? {
        1_i64 => Ended::DeadLettered,
        _ => Ended::Returned,
    })
}
