//! Inserts new orders and takes their units from the stock.
//!
//! The statement holds literal values, not parameters: they are numbers and times of our own, and preparing a
//! statement with thousands of parameters for every batch size costs more than parsing the literals.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::time::Duration;

use chrono::NaiveDateTime;
use domain::{OrderStatus, PayType, VoucherId};
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::OrderOfShop;
use crate::db::DatabaseTransaction;
use crate::sql::execute;
use crate::time;

/// Rows per statement: half a megabyte, far below the longest that a server takes (16 MiB).
const ROWS_PER_STATEMENT: usize = 4_000;
/// About what a row takes.
const ROW_BYTES: usize = 160;

const INSERT: &str = "INSERT INTO tb_voucher_order \
    (id, user_id, voucher_id, shop_id, slot, pay_deadline, create_time, update_time, pay_type, status, \
    claim_key)";

pub(super) async fn insert(
    transaction: &DatabaseTransaction,
    orders: &[OrderOfShop],
    pay_within: Duration,
) -> Result<(), DbErr> {
    let now = time::now();
    for chunk in orders.chunks(ROWS_PER_STATEMENT) {
        let sql = insert_statement(chunk, pay_within, now);
        transaction.execute_unprepared(&sql).await?;
    }
    Ok(())
}

/// Takes the units of new orders from their sales; returns the first sale with too few.
pub(super) async fn take_stock(
    transaction: &DatabaseTransaction,
    orders: &[OrderOfShop],
) -> Result<Option<VoucherId>, DbErr> {
    let mut wanted: BTreeMap<VoucherId, i32> = BTreeMap::new();
    for (order, _) in orders {
        *wanted.entry(order.voucher_id).or_default() += 1;
    }
    for (id, units) in wanted {
        let sql = "UPDATE tb_seckill_voucher SET stock = stock - ?, update_time = ? \
            WHERE voucher_id = ? AND stock >= ?";
        let values: [Value; 4] = [
            units.into(),
            time::now().into(),
            id.get().into(),
            units.into(),
        ];
        if execute(transaction, sql, values).await? == 0 {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

fn insert_statement(orders: &[OrderOfShop], pay_within: Duration, now: NaiveDateTime) -> String {
    let mut sql = String::with_capacity((orders.len() + 1) * ROW_BYTES);
    sql.push_str(INSERT);
    let recorded = time::to_text(now);
    // By balance until the buyer chooses another way.
    let (pay_type, status) = (PayType::Balance.code(), OrderStatus::Unpaid.code());
    let mut separator = " VALUES ";
    for of_moment in orders.chunk_by(|(left, _), (right, _)| left.granted_at == right.granted_at) {
        let (first, _) = of_moment[0];
        let granted_at = time::to_sql(first.granted_at);
        // An order cannot be paid before it is recorded: the payment period starts then at the earliest.
        let payable_at = granted_at.max(now);
        let (created, deadline) = (
            time::to_text(granted_at),
            time::to_text(payable_at + pay_within),
        );
        for (order, shop) in of_moment {
            let (id, user) = (order.id.get(), order.user_id.get());
            let (sale, slot) = (order.voucher_id.get(), order.slot);
            let key = order
                .key
                .map_or("NULL".to_owned(), |key| key.cast_signed().to_string());
            write!(
                sql,
                "{separator}({id},{user},{sale},{shop},{slot},'{deadline}','{created}','{recorded}',{pay_type},{status},{key})"
            )
            .expect("a string takes whatever is written to it");
            separator = ",";
        }
    }
    sql
}
