//! What changes orders and stock, each within the transaction of its caller.

use super::database::{Open, SqlDatabase, SqlValue, number, numbers};
use crate::{DrainLease, LedgerError, Order, OrderId, Refused, StockUnit, WriteOutcome};

/// Registers the lease; refuses a worker that another one has replaced. The row stays locked until the commit: a newer worker waits
/// for this transaction.
pub(super) async fn register_lease<D: SqlDatabase>(
    transaction: &mut Open<D>,
    lease: DrainLease,
) -> Result<(), LedgerError> {
    let register = "INSERT INTO flash_drain_lease VALUES ($1, $2) ON CONFLICT (part) DO UPDATE SET fence = excluded.fence
        WHERE flash_drain_lease.fence <= excluded.fence RETURNING fence";
    let values = numbers([lease.partition.0.into(), lease.fence]);
    match transaction.run(register, &values).await?.is_empty() {
        true => Err(LedgerError::Fenced),
        false => Ok(()),
    }
}

pub(super) async fn order<D: SqlDatabase>(
    transaction: &mut Open<D>,
    order: &Order,
) -> Result<WriteOutcome, LedgerError> {
    let (id, sale, buyer, slot) = (order.id.0, order.sale.0, order.buyer.0, order.slot.into());
    let known = "SELECT 1 FROM flash_order WHERE id = $1 UNION ALL SELECT 1 FROM flash_dead_letter WHERE id = $1";
    if !transaction.run(known, &numbers([id])).await?.is_empty() {
        return Ok(WriteOutcome::AlreadyRecorded);
    }
    // Changes nothing and locks the row, so that a writer of another partition does not take the slot meanwhile.
    let lock = "UPDATE flash_sale SET stock = stock WHERE id = $1 RETURNING stock";
    if transaction.run(lock, &numbers([sale])).await?.is_empty() {
        return Ok(WriteOutcome::Refused(Refused::NoSuchSale));
    }
    let holder = "SELECT id FROM flash_order WHERE sale = $1 AND buyer = $2 AND slot = $3";
    let holder = transaction
        .run(holder, &numbers([sale, buyer, slot]))
        .await?;
    if let Some(row) = holder.first() {
        let holder = OrderId(number(row, 0)?);
        return Ok(WriteOutcome::Refused(Refused::SlotTaken(holder)));
    }
    let take =
        "UPDATE flash_sale SET stock = stock - 1 WHERE id = $1 AND stock > 0 RETURNING stock";
    if transaction.run(take, &numbers([sale])).await?.is_empty() {
        return Err(LedgerError::OutOfStock(order.sale));
    }
    let insert = "INSERT INTO flash_order VALUES ($1, $2, $3, $4, $5, $6)";
    let [id, sale, buyer, slot, at] = numbers([id, sale, buyer, slot, order.granted_at_ms]);
    let key = SqlValue::Number(order.key.map(|key| key.0.cast_signed()));
    transaction
        .run(insert, &[id, sale, buyer, slot, at, key])
        .await?;
    Ok(WriteOutcome::New)
}

/// Without effect on an order that was recorded after all.
pub(super) async fn dead_letter<D: SqlDatabase>(
    transaction: &mut Open<D>,
    order: &Order,
    reason: &str,
    unit: StockUnit,
) -> Result<(), LedgerError> {
    let recorded = "SELECT 1 FROM flash_order WHERE id = $1";
    let recorded = transaction.run(recorded, &numbers([order.id.0])).await?;
    if !recorded.is_empty() {
        return Ok(());
    }
    let keep =
        "INSERT INTO flash_dead_letter VALUES ($1, $2, $3, $4, $5) ON CONFLICT (id) DO NOTHING";
    let holds_unit = i64::from(unit == StockUnit::Held);
    let [id, sale, buyer, holds_unit] =
        numbers([order.id.0, order.sale.0, order.buyer.0, holds_unit]);
    let values = [id, sale, buyer, SqlValue::Text(reason), holds_unit];
    transaction.run(keep, &values).await.map(drop)
}

pub(super) async fn return_unit<D: SqlDatabase>(
    transaction: &mut Open<D>,
    order: OrderId,
) -> Result<bool, LedgerError> {
    let end =
        "UPDATE flash_order SET slot = NULL WHERE id = $1 AND slot IS NOT NULL RETURNING sale";
    let ended = transaction.run(end, &numbers([order.0])).await?;
    let Some(row) = ended.first() else {
        return Ok(false);
    };
    let restock = "UPDATE flash_sale SET stock = stock + 1, epoch = epoch + 1 WHERE id = $1";
    transaction
        .run(restock, &numbers([number(row, 0)?]))
        .await?;
    Ok(true)
}
