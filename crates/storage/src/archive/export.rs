//! Exports the archive by month, for operators who keep copies elsewhere.

use domain::OrderId;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use serde::Serialize;

use crate::sql::{placeholders, statement};
use crate::{Db, Error, time};

/// A month of orders, as `202611`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchivedMonth {
    pub month: i32,
    pub orders: u64,
}

/// An archived order with its payments and entries: one line of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedOrder {
    pub id: i64,
    pub user_id: i64,
    pub voucher_id: i64,
    pub shop_id: i64,
    pub status: i16,
    pub created_at: String,
    pub ended_at: String,
    pub payments: Vec<ArchivedPayment>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedPayment {
    pub id: i64,
    pub provider: String,
    pub provider_ref: Option<String>,
    pub amount_cents: i64,
    pub state: i16,
    pub entries: Vec<ArchivedEntry>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ArchivedEntry {
    pub id: i64,
    pub kind: String,
    pub account: String,
    pub amount_cents: i64,
}

/// Orders per page: three statements of as many parameters.
const PAGE_LIMIT: u32 = 500;

/// The months that have archived orders, oldest first.
pub async fn months(db: &Db) -> Result<Vec<ArchivedMonth>, Error> {
    let sql = "SELECT month, COUNT(*) AS orders FROM tb_voucher_order_archive \
        GROUP BY month ORDER BY month";
    let list = async {
        let rows = db.reader().query_all_raw(db.statement(sql)).await?;
        let month = |row: &sea_orm::QueryResult| -> Result<ArchivedMonth, DbErr> {
            let orders: i64 = row.try_get("", "orders")?;
            Ok(ArchivedMonth {
                month: row.try_get("", "month")?,
                orders: u64::try_from(orders).unwrap_or(0),
            })
        };
        rows.iter().map(month).collect()
    };
    db.run("list archived months", list).await
}

/// The next page of a month's orders above `after`, by id, each with its payments and entries.
pub async fn list_month(db: &Db, month: i32, after: OrderId) -> Result<Vec<ArchivedOrder>, Error> {
    let list = async {
        let sql = "SELECT id, user_id, voucher_id, shop_id, status, create_time, update_time \
            FROM tb_voucher_order_archive WHERE month = ? AND id > ? ORDER BY id LIMIT ?";
        let values: [Value; 3] = [month.into(), after.get().into(), PAGE_LIMIT.into()];
        let orders = ArchivedOrderRow::find_by_statement(statement(db.reader(), sql, values))
            .all(db.reader())
            .await?;
        let ids: Vec<i64> = orders.iter().map(|order| order.id).collect();
        let mut payments = payments_of(db, &ids).await?;
        Ok(orders
            .into_iter()
            .map(|order| order.with(&mut payments))
            .collect())
    };
    db.run("read archived month", list).await
}

async fn payments_of(db: &Db, orders: &[i64]) -> Result<Vec<(i64, ArchivedPayment)>, DbErr> {
    if orders.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT id, order_id, provider, provider_ref, amount_cents, state \
         FROM tb_payment_archive WHERE order_id IN ({}) ORDER BY id",
        placeholders(orders.len())
    );
    let values = orders.iter().map(|id| Value::from(*id));
    let payments = ArchivedPaymentRow::find_by_statement(statement(db.reader(), sql, values))
        .all(db.reader())
        .await?;
    let ids: Vec<i64> = payments.iter().map(|payment| payment.id).collect();
    let entries = entries_of(db, &ids).await?;
    let with_entries = |payment: ArchivedPaymentRow| {
        let of_it = entries
            .iter()
            .filter(|entry| entry.payment_id == payment.id)
            .map(EntryRow::plain);
        let plain = ArchivedPayment {
            id: payment.id,
            provider: payment.provider,
            provider_ref: payment.provider_ref,
            amount_cents: payment.amount_cents,
            state: payment.state,
            entries: of_it.collect(),
        };
        (payment.order_id, plain)
    };
    Ok(payments.into_iter().map(with_entries).collect())
}

async fn entries_of(db: &Db, payments: &[i64]) -> Result<Vec<EntryRow>, DbErr> {
    if payments.is_empty() {
        return Ok(Vec::new());
    }
    let sql = format!(
        "SELECT id, payment_id, kind, account, amount_cents FROM tb_ledger_entry_archive \
         WHERE payment_id IN ({}) ORDER BY id",
        placeholders(payments.len())
    );
    let values = payments.iter().map(|id| Value::from(*id));
    EntryRow::find_by_statement(statement(db.reader(), sql, values))
        .all(db.reader())
        .await
}

#[derive(FromQueryResult)]
struct ArchivedOrderRow {
    id: i64,
    user_id: i64,
    voucher_id: i64,
    shop_id: i64,
    status: i16,
    create_time: chrono::NaiveDateTime,
    update_time: chrono::NaiveDateTime,
}

#[derive(FromQueryResult)]
struct ArchivedPaymentRow {
    id: i64,
    order_id: i64,
    provider: String,
    provider_ref: Option<String>,
    amount_cents: i64,
    state: i16,
}

#[derive(FromQueryResult)]
struct EntryRow {
    id: i64,
    payment_id: i64,
    kind: String,
    account: String,
    amount_cents: i64,
}

impl ArchivedOrderRow {
    /// Removes this order's payments from the page's list.
    fn with(self, payments: &mut Vec<(i64, ArchivedPayment)>) -> ArchivedOrder {
        let (of_it, others) = std::mem::take(payments)
            .into_iter()
            .partition(|(order, _)| *order == self.id);
        *payments = others;
        let of_it: Vec<(i64, ArchivedPayment)> = of_it;
        ArchivedOrder {
            id: self.id,
            user_id: self.user_id,
            voucher_id: self.voucher_id,
            shop_id: self.shop_id,
            status: self.status,
            created_at: time::from_sql(self.create_time).to_string(),
            ended_at: time::from_sql(self.update_time).to_string(),
            payments: of_it.into_iter().map(|(_, payment)| payment).collect(),
        }
    }
}

impl EntryRow {
    fn plain(&self) -> ArchivedEntry {
        ArchivedEntry {
            id: self.id,
            kind: self.kind.clone(),
            account: self.account.clone(),
            amount_cents: self.amount_cents,
        }
    }
}
