//! Orders that wait for their payment without a limit: those of an adopted database, whose makers knew no deadline.
//!
//! The column is mandatory and part of an index, so such an order holds an instant that never comes.

use chrono::{Datelike as _, NaiveDateTime};
use domain::OrderStatus;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::sql::{execute, placeholders, statement};
use crate::{Db, Error, time};

/// The year of the instant that stands for no deadline. The adopting migration writes the first day of it.
const NEVER: i32 = 9_999;

/// Orders per transaction.
const BATCH: u32 = 1_000;

pub(super) fn from_sql(instant: NaiveDateTime) -> Option<Timestamp> {
    (instant.year() < NEVER).then(|| time::from_sql(instant))
}

/// How many unpaid orders have no deadline.
pub async fn count_without_deadline(db: &Db) -> Result<u64, Error> {
    let sql =
        "SELECT COUNT(*) AS orders FROM tb_voucher_order WHERE status = ? AND pay_deadline >= ?";
    let count = async {
        let query = statement(db.reader(), sql, conditions());
        let row = db.reader().query_one_raw(query).await?;
        let orders: i64 = row.map_or(Ok(0), |row| row.try_get("", "orders"))?;
        Ok(u64::try_from(orders).unwrap_or(0))
    };
    db.run("count orders without a deadline", count).await
}

/// Gives a batch of the unpaid orders without a deadline this one; returns how many. Zero means that none is left.
pub async fn set_missing_deadlines(db: &Db, deadline: Timestamp) -> Result<u64, Error> {
    let set = async {
        let sql = "SELECT id FROM tb_voucher_order WHERE status = ? AND pay_deadline >= ? \
            ORDER BY id LIMIT ?";
        let values = conditions().into_iter().chain([BATCH.into()]);
        let query = statement(db.reader(), sql, values);
        let rows = db.reader().query_all_raw(query).await?;
        let ids: Vec<i64> = rows
            .iter()
            .map(|row| row.try_get("", "id"))
            .collect::<Result<_, DbErr>>()?;
        if ids.is_empty() {
            return Ok(0);
        }
        let sql = format!(
            "UPDATE tb_voucher_order SET pay_deadline = ? \
             WHERE status = ? AND pay_deadline >= ? AND id IN ({})",
            placeholders(ids.len())
        );
        let values = std::iter::once(time::to_sql(deadline).into())
            .chain(conditions())
            .chain(ids.into_iter().map(Value::from));
        execute(db.writer(), sql, values).await
    };
    db.run("set deadlines", set).await
}

/// What an update sets when an order stops waiting for its payment, with its values: one without a deadline gets the present
/// instant. Ended orders are archived by it.
pub(super) fn end_waiting() -> (&'static str, [Value; 2]) {
    let sql = ", pay_deadline = CASE WHEN pay_deadline >= ? THEN ? ELSE pay_deadline END";
    (sql, [never().into(), time::now().into()])
}

/// Unpaid, and the deadline never comes.
fn conditions() -> [Value; 2] {
    [OrderStatus::Unpaid.code().into(), never().into()]
}

fn never() -> NaiveDateTime {
    chrono::NaiveDate::from_ymd_opt(NEVER, 1, 1)
        .and_then(|day| day.and_hms_opt(0, 0, 0))
        .expect("the calendar has the day")
}
