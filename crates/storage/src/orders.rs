//! Orders as their owners see them: `tb_voucher_order` with the title and prices of the voucher and the name of the
//! shop.
//!
//! Every status change of an order is one conditional update in one transaction, together with its consequences:
//! money, stock, the outbox row for the gate, the notice. Changes that move money are in [`crate::payments`]; the
//! drain worker inserts orders of flash sales in [`crate::flash_sales`].
//!
//! All reads come from the primary, so a buyer sees a payment at once. Reads of a user's orders take the owner as an
//! argument.

mod dead_letters;
mod deadline;
mod lifecycle;
mod redeem;
mod return_stock;
mod transition;

use domain::harmless::shown_name;
use domain::{OrderId, OrderStatus, PayType, RedeemCode, ShopId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, QueryResult, Value};

pub use dead_letters::{
    DeadLetterState, DeadLetteredOrder, Remedy, abandon_redrive, begin_redrive, get_dead_lettered,
    is_dead_lettered, list_dead_lettered, settle_dead_lettered,
};
pub(crate) use dead_letters::{OPEN as DEAD_LETTER_OPEN, WAITING as DEAD_LETTER_WAITING};
pub use deadline::{count_without_deadline, set_missing_deadlines};
pub use lifecycle::{
    BuyRefusal, BuyTerms, EXPIRE_LIMIT, NewOrder, cancel, create, expire_due, next_pay_deadline,
    remind,
};
pub use redeem::{RedeemRefusal, Redeemed, redeem};
pub use return_stock::{EndedOrder, UnitReturned};
pub use transition::OrderRefusal;

pub(crate) use return_stock::return_units;
pub(crate) use transition::{OrderState, find, find_of, transition};

use crate::sql::IDS_PER_QUERY;
use crate::{Db, Error, MAX_PAGE_ROWS, sql, time};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    pub id: OrderId,
    pub user_id: UserId,
    pub voucher_id: VoucherId,
    pub shop_id: ShopId,
    /// Absent if the shop is gone.
    pub shop_name: Option<String>,
    /// Empty if the voucher is gone.
    pub title: String,
    pub pay_value_cents: i64,
    pub actual_value_cents: i64,
    pub pay_type: PayType,
    pub status: OrderStatus,
    /// From payment on.
    pub redeem_code: Option<RedeemCode>,
    /// Absent for an adopted order: the original set none, so it waits until somebody pays or cancels it.
    pub pay_deadline: Option<Timestamp>,
    pub created_at: Timestamp,
    pub paid_at: Option<Timestamp>,
    pub used_at: Option<Timestamp>,
    pub refunded_at: Option<Timestamp>,
}

/// The hot table, and the archive of orders that ended long ago.
const HOT: &str = "tb_voucher_order";
const ARCHIVE: &str = "tb_voucher_order_archive";

const COLUMNS: &str = "SELECT o.id, o.user_id, o.voucher_id, o.shop_id, o.pay_type, o.status, \
    o.redeem_code, o.pay_deadline, o.pay_time, o.use_time, o.refund_time, o.create_time, \
    v.title, v.pay_value, v.actual_value, s.name AS shop_name";
const JOINS: &str = "LEFT JOIN tb_voucher v ON v.id = o.voucher_id \
    LEFT JOIN tb_shop s ON s.id = o.shop_id ";

/// `None` also for another user's order. Finds archived orders too.
pub async fn get(db: &Db, owner: UserId, id: OrderId) -> Result<Option<Order>, Error> {
    let values: [Value; 2] = [id.get().into(), owner.get().into()];
    let get = async {
        for table in [HOT, ARCHIVE] {
            let condition = "o.id = ? AND o.user_id = ?";
            let found = read(db, table, condition, values.clone()).await?.pop();
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    };
    db.run("get order", get).await
}

/// The orders of a user among `ids` (at most a page of them), archived ones too, in no particular order.
pub async fn list_by_ids(db: &Db, owner: UserId, ids: &[OrderId]) -> Result<Vec<Order>, Error> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let condition = format!(
        "o.id IN ({}) AND o.user_id = ?",
        sql::placeholders(ids.len())
    );
    let ids = ids.iter().map(|id| Value::from(id.get()));
    let values: Vec<Value> = ids.chain([owner.get().into()]).collect();
    let list = async {
        // An order that is archived between the two queries is in both results, as it ended.
        let mut orders = read(db, HOT, &condition, values.clone()).await?;
        if orders.len() + 1 < values.len() {
            orders.extend(read(db, ARCHIVE, &condition, values).await?);
        }
        Ok(orders)
    };
    db.run("list orders", list).await
}

async fn read(
    db: &Db,
    table: &str,
    condition: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Order>, DbErr> {
    read_from(db, &format!("{table} o {JOINS} WHERE {condition}"), values).await
}

async fn read_from(
    db: &Db,
    source: &str,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<Order>, DbErr> {
    let sql = format!("{COLUMNS} FROM {source}");
    let statement = sql::statement(db.reader(), sql, values);
    let rows = OrderRow::find_by_statement(statement)
        .all(db.reader())
        .await?;
    rows.into_iter().map(Order::from_row).collect()
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) orders of a user below `before`, newest first; optionally of one status.
/// Includes archived orders.
pub async fn list_of_user(
    db: &Db,
    owner: UserId,
    status: Option<OrderStatus>,
    before: Option<OrderId>,
    limit: u32,
) -> Result<Vec<Order>, Error> {
    let page = Page {
        owner,
        before: before.map_or(i64::MAX, OrderId::get),
        limit: limit.min(MAX_PAGE_ROWS),
    };
    let list = async {
        let mut orders = page.read_hot(db, status).await?;
        orders.extend(page.read_archived(db, status).await?);
        orders.sort_unstable_by_key(|order| std::cmp::Reverse(order.id));
        // An order archived between the two queries is in both results.
        orders.dedup_by_key(|order| order.id);
        orders.truncate(page.limit as usize);
        Ok(orders)
    };
    db.run("list orders", list).await
}

/// A page of a user's orders.
#[derive(Clone, Copy, Debug)]
struct Page {
    owner: UserId,
    before: i64,
    limit: u32,
}

impl Page {
    /// The key by buyer has the status first (`migration/order_keys.rs`), so each status is a query of its own, as long as
    /// the page at most, and the rows are read by the ids of the newest.
    async fn read_hot(self, db: &Db, status: Option<OrderStatus>) -> Result<Vec<Order>, DbErr> {
        let statuses = match &status {
            Some(status) => std::slice::from_ref(status),
            None => &OrderStatus::ALL,
        };
        let source = format!(
            "({}) newest JOIN {HOT} o ON o.id = newest.id {JOINS} ORDER BY o.id DESC LIMIT ?",
            newest_of(statuses)
        );
        let (owner, limit) = (self.owner.get(), self.limit);
        let of_status: [Value; 3] = [owner.into(), self.before.into(), limit.into()];
        let values = statuses.iter().flat_map(|_| of_status.clone());
        read_from(db, &source, values.chain([limit.into()])).await
    }

    async fn read_archived(
        self,
        db: &Db,
        status: Option<OrderStatus>,
    ) -> Result<Vec<Order>, DbErr> {
        let mut condition = "o.user_id = ? AND o.id < ?".to_owned();
        let mut values: Vec<Value> = vec![self.owner.get().into(), self.before.into()];
        if let Some(status) = status {
            condition.push_str(" AND o.status = ?");
            values.push(status.code().into());
        }
        condition.push_str(" ORDER BY o.id DESC LIMIT ?");
        values.push(self.limit.into());
        read(db, ARCHIVE, &condition, values).await
    }
}

/// The ids of a buyer's newest orders of each status; its parameters are the buyer, an id and a limit, for every status.
fn newest_of(statuses: &[OrderStatus]) -> String {
    let of_status = |status: &OrderStatus| {
        format!(
            "SELECT id FROM (SELECT id FROM {HOT} WHERE status = {} AND user_id = ? AND id < ? \
             ORDER BY id DESC LIMIT ?) of_{}",
            status.code(),
            status.code()
        )
    };
    let statuses: Vec<String> = statuses.iter().map(of_status).collect();
    statuses.join(" UNION ALL ")
}

/// The orders among `ids` that hold a unit of a flash sale.
pub async fn live_among(db: &Db, ids: &[OrderId]) -> Result<Vec<OrderId>, Error> {
    let mut live = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let placeholders = sql::placeholders(chunk.len());
        let sql = format!(
            "SELECT id FROM tb_voucher_order WHERE id IN ({placeholders}) AND slot IS NOT NULL"
        );
        let values = chunk.iter().map(|id| Value::from(id.get()));
        let statement = sql::statement(db.reader(), sql, values);
        let rows = db
            .run("list live orders", db.reader().query_all_raw(statement))
            .await?;
        let id = |row: &QueryResult| row.try_get("", "id").map(OrderId::new);
        let ids: Result<Vec<OrderId>, DbErr> = rows.iter().map(id).collect();
        live.extend(db.run("list live orders", async { ids }).await?);
    }
    Ok(live)
}

#[derive(FromQueryResult)]
struct OrderRow {
    id: i64,
    user_id: i64,
    voucher_id: i64,
    shop_id: i64,
    pay_type: i16,
    status: i16,
    redeem_code: Option<String>,
    pay_deadline: chrono::NaiveDateTime,
    pay_time: Option<chrono::NaiveDateTime>,
    use_time: Option<chrono::NaiveDateTime>,
    refund_time: Option<chrono::NaiveDateTime>,
    create_time: chrono::NaiveDateTime,
    title: Option<String>,
    shop_name: Option<String>,
    pay_value: Option<i64>,
    actual_value: Option<i64>,
}

/// An unknown status is an error: guessing one would mean guessing who owns the money.
fn status_of(id: i64, code: i16) -> Result<OrderStatus, DbErr> {
    OrderStatus::try_from(code).map_err(|unknown| DbErr::Type(format!("order {id}: {unknown}")))
}

impl Order {
    fn from_row(row: OrderRow) -> Result<Self, DbErr> {
        Ok(Self {
            id: OrderId::new(row.id),
            user_id: UserId::new(row.user_id),
            voucher_id: VoucherId::new(row.voucher_id),
            shop_id: ShopId::new(row.shop_id),
            shop_name: row.shop_name.map(shown_name),
            title: shown_name(row.title.unwrap_or_default()),
            pay_value_cents: row.pay_value.unwrap_or_default(),
            actual_value_cents: row.actual_value.unwrap_or_default(),
            pay_type: PayType::try_from(row.pay_type).unwrap_or(PayType::Balance),
            status: status_of(row.id, row.status)?,
            redeem_code: row.redeem_code.as_deref().and_then(RedeemCode::parse),
            pay_deadline: deadline::from_sql(row.pay_deadline),
            created_at: time::from_sql(row.create_time),
            paid_at: row.pay_time.map(time::from_sql),
            used_at: row.use_time.map(time::from_sql),
            refunded_at: row.refund_time.map(time::from_sql),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DbOptions;

    /// Otherwise a page would read every order of its owner, or of the site.
    #[tokio::test]
    async fn every_status_of_a_page_is_read_newest_first_from_the_key_by_buyer() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("plan.db").display());
        let db = Db::connect(&DbOptions::new(&url)).await.unwrap();
        db.migrate().await.unwrap();
        let sql = format!("EXPLAIN QUERY PLAN {}", newest_of(&OrderStatus::ALL));
        let values = OrderStatus::ALL.iter().flat_map(|_| [1, i64::MAX, 10]);
        let explain = sql::statement(db.reader(), sql, values.map(Value::from));
        let rows = db.reader().query_all_raw(explain).await.unwrap();
        let steps: Vec<String> = rows
            .iter()
            .map(|row| row.try_get("", "detail").unwrap())
            .collect();
        let key = "ix_voucher_order_status_user (status=? AND user_id=? AND id<?)";
        let reads = steps.iter().filter(|step| step.contains(key)).count();
        assert_eq!(reads, OrderStatus::ALL.len(), "{steps:#?}");
        let is_sort = |step: &String| step.contains("TEMP B-TREE");
        assert!(!steps.iter().any(is_sort), "{steps:#?}");
    }
}
