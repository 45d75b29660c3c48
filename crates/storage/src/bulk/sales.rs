//! Flash sales that have sold some of their units, with the orders behind that.
//!
//! Invariant: a sale and its orders are one transaction, so `initial_stock = stock + live orders` at any moment, and no
//! gate was loaded before the orders were there.
//!
//! The orders are used ones without a payment, as those of an adopted database are: no money of this site moved.

use domain::{OrderId, OrderStatus, PayType, ShopId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::{DbErr, Value};

use super::insert::{BulkRow, insert_into};
use super::shops::SeckillVoucherRow;
use crate::sql::{execute, insert_missing, placeholders};
use crate::time::to_sql;
use crate::{Db, Error};

/// A sale, and all orders of its units.
#[derive(Clone, Debug)]
pub struct SoldSale {
    pub sale: SeckillVoucherRow,
    /// One per buyer.
    pub orders: Vec<UsedOrderRow>,
}

/// A unit that its buyer has used at the shop.
#[derive(Clone, Debug)]
pub struct UsedOrderRow {
    pub id: OrderId,
    pub user_id: UserId,
    pub voucher_id: VoucherId,
    pub shop_id: ShopId,
    pub bought_at: Timestamp,
    pub used_at: Timestamp,
}

/// Inserts sales that are not there yet with their orders, each in a transaction, and returns the number of rows. The
/// orders of a sale that is there stay as they are.
pub async fn insert_sold_sales(db: &Db, sales: &[SoldSale]) -> Result<u64, Error> {
    let mut inserted = 0;
    for sale in sales {
        inserted += db.run("insert sold sales", insert_sale(db, sale)).await?;
    }
    Ok(inserted)
}

async fn insert_sale(db: &Db, sold: &SoldSale) -> Result<u64, DbErr> {
    let SoldSale { sale, orders } = sold;
    let transaction = db.begin().await?;
    let (verb, tail) = insert_missing(db.backend());
    let columns = SeckillVoucherRow::COLUMNS;
    let sql = format!(
        "{verb} {} ({}) VALUES ({}){tail}",
        SeckillVoucherRow::TABLE,
        columns.join(", "),
        placeholders(columns.len())
    );
    let is_new = execute(&transaction, sql, sale.values()).await? == 1;
    if !is_new {
        return Ok(0);
    }
    let inserted = insert_into(&transaction, orders).await?;
    // Counted, because a purge that stopped half-way has left some of the orders.
    let sql = "UPDATE tb_seckill_voucher SET update_time = update_time, stock = initial_stock - \
            (SELECT COUNT(*) FROM tb_voucher_order o \
                WHERE o.voucher_id = tb_seckill_voucher.voucher_id AND o.slot IS NOT NULL) \
        WHERE voucher_id = ?";
    execute(&transaction, sql, [sale.voucher_id.get().into()]).await?;
    transaction.commit().await?;
    Ok(1 + inserted)
}

impl BulkRow for UsedOrderRow {
    const OPERATION: &'static str = "insert used orders";
    const TABLE: &'static str = "tb_voucher_order";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "user_id",
        "voucher_id",
        "shop_id",
        "pay_type",
        "status",
        "slot",
        "pay_deadline",
        "pay_time",
        "use_time",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let (bought_at, used_at) = (to_sql(self.bought_at), to_sql(self.used_at));
        vec![
            self.id.get().into(),
            self.user_id.get().into(),
            self.voucher_id.get().into(),
            self.shop_id.get().into(),
            PayType::Balance.code().into(),
            OrderStatus::Used.code().into(),
            1.into(),
            // They were paid at once.
            bought_at.into(),
            bought_at.into(),
            used_at.into(),
            bought_at.into(),
            used_at.into(),
        ]
    }
}
