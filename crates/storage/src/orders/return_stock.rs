//! Returns units to stock: the order clears its slot, the sale's stock grows, an outbox row updates the gate.
//!
//! It runs in the transaction that ends the order, and only after that transaction's conditional update succeeded: so
//! a unit is returned once, however many callers try.

use std::collections::BTreeMap;

use domain::{OrderId, UserId, VoucherId};
use sea_orm::{DbErr, Value};
use serde::{Deserialize, Serialize};

use crate::db::DatabaseTransaction;
use crate::sql::execute;
use crate::{outbox, time};

/// Outbox payload of a returned unit: the gate must sell it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitReturned {
    pub order: OrderId,
    pub voucher: VoucherId,
    pub user: UserId,
}

/// An order that ended unused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EndedOrder {
    pub id: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
}

impl EndedOrder {
    fn unit(self) -> UnitReturned {
        UnitReturned {
            order: self.id,
            voucher: self.voucher_id,
            user: self.user_id,
        }
    }
}

impl UnitReturned {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "piece_returned";

    /// The outbox key. Not the sale: rows of one key are relayed one at a time.
    pub fn key(&self) -> String {
        format!("order:{}", self.order)
    }
}

/// For orders that just ended and whose slots are cleared. Orders of ordinary vouchers hold no unit.
pub(crate) async fn return_units(
    transaction: &DatabaseTransaction,
    ended: &[EndedOrder],
) -> Result<(), DbErr> {
    let mut by_sale: BTreeMap<VoucherId, Vec<UnitReturned>> = BTreeMap::new();
    for order in ended {
        let unit = order.unit();
        by_sale.entry(unit.voucher).or_default().push(unit);
    }
    let mut returned = Vec::with_capacity(ended.len());
    for (sale, units) in by_sale {
        if restock(transaction, sale, units.len()).await? {
            returned.extend(units.into_iter().map(|unit| (unit.key(), unit)));
        }
    }
    outbox::append_all(transaction, UnitReturned::KIND, &returned).await
}

/// Adds units to a sale's stock; returns whether the sale exists. The epoch rises with every unit, so that a
/// concurrent load of the gate notices.
async fn restock(
    transaction: &DatabaseTransaction,
    sale: VoucherId,
    units: usize,
) -> Result<bool, DbErr> {
    let units = i64::try_from(units).unwrap_or(i64::MAX);
    let sql = "UPDATE tb_seckill_voucher \
        SET stock = stock + ?, epoch = epoch + ?, update_time = ? WHERE voucher_id = ?";
    let values: [Value; 4] = [
        units.into(),
        units.into(),
        time::now().into(),
        sale.get().into(),
    ];
    Ok(execute(transaction, sql, values).await? == 1)
}
