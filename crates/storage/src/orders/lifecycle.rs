//! Order changes that move no money: buying an ordinary voucher, cancelling, expiring.

use std::time::Duration;

use domain::{OrderId, OrderStatus, PayType, UserId, VoucherId, VoucherKind, VoucherStatus};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QueryResult, QuerySelect, Value};
use thiserror::Error;

use super::return_stock::{EndedOrder, return_units};
use super::transition::{OrderRefusal, find, find_of, transition};
use crate::db::DatabaseTransaction;
use crate::entity::{user, voucher};
use crate::notices::{self, NewNotice, NoticeKind};
use crate::sql::{
    commit_or_rollback, execute, for_update, force_primary_key, placeholders, statement,
};
use crate::{Backend, Db, Error, time};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BuyRefusal {
    #[error("there is no such voucher")]
    NoSuchVoucher,
    #[error("the voucher is not on the shelf")]
    OffShelf,
    #[error("the voucher is sold in a flash sale")]
    FlashSale,
    #[error("the order id belongs to another order")]
    IdTaken,
    #[error("the buyer has as many unpaid orders as anybody may")]
    TooManyUnpaid,
}

/// Orders per call of [`expire_due`]: their locks are held for a fraction of a second, and a statement stays small.
pub const EXPIRE_LIMIT: u32 = 1_000;

const CANCEL: (OrderStatus, OrderStatus) = (OrderStatus::Unpaid, OrderStatus::Cancelled);
const NO_SLOT: (&str, Value) = ("slot", Value::SmallInt(None));

/// A new order of an ordinary voucher.
#[derive(Clone, Copy, Debug)]
pub struct NewOrder {
    /// Chosen by the caller, so that a repeated call creates no second order.
    pub id: OrderId,
    pub owner: UserId,
    pub voucher_id: VoucherId,
}

/// The site's rules for [`create`].
#[derive(Clone, Copy, Debug)]
pub struct BuyTerms {
    pub pay_within: Duration,
    /// The most unpaid orders of ordinary vouchers per user.
    pub max_unpaid: u32,
}

/// Buys an ordinary voucher. Its orders have no slot, because stock is unlimited and a user may buy several.
pub async fn create(
    db: &Db,
    order: NewOrder,
    now: Timestamp,
    terms: BuyTerms,
) -> Result<Result<(), BuyRefusal>, Error> {
    let create = async {
        let transaction = db.begin().await?;
        let created = match check_new(&transaction, order).await? {
            Ok(Some(_)) if !has_room(&transaction, order.owner, terms.max_unpaid).await? => {
                Err(BuyRefusal::TooManyUnpaid)
            }
            Ok(Some(shop_id)) => {
                Ok(insert(&transaction, order, shop_id, now, terms.pay_within).await?)
            }
            Ok(None) => Ok(()),
            Err(refusal) => Err(refusal),
        };
        commit_or_rollback(transaction, created).await
    };
    db.run("create order", create).await
}

/// Cancels an unpaid order of its owner.
pub async fn cancel(
    db: &Db,
    owner: UserId,
    id: OrderId,
) -> Result<Result<(), OrderRefusal>, Error> {
    let cancel = async {
        let transaction = db.begin().await?;
        let cancelled = cancel_one(&transaction, owner, id).await?;
        commit_or_rollback(transaction, cancelled).await
    };
    db.run("cancel order", cancel).await
}

/// Cancels at most `limit` (and [`EXPIRE_LIMIT`]) unpaid orders whose deadline is at or before `now`, oldest first,
/// and returns them. Fewer than `limit` does not mean that none is left: some may have been paid meanwhile.
pub async fn expire_due(db: &Db, now: Timestamp, limit: u32) -> Result<Vec<EndedOrder>, Error> {
    let expire = async {
        let due = list_due(db, now, limit.min(EXPIRE_LIMIT)).await?;
        if due.is_empty() {
            return Ok(Vec::new());
        }
        let transaction = db.begin().await?;
        let unpaid = lock_unpaid(db, &transaction, &due).await?;
        end_all(&transaction, &unpaid).await?;
        transaction.commit().await?;
        Ok(unpaid)
    };
    db.run("expire orders", expire).await
}

/// The first payment deadline of all unpaid orders; `None` if none is unpaid.
pub async fn next_pay_deadline(db: &Db) -> Result<Option<Timestamp>, Error> {
    let unpaid = OrderStatus::Unpaid.code();
    let sql =
        format!("SELECT MIN(pay_deadline) AS next FROM tb_voucher_order WHERE status = {unpaid}");
    let find = async {
        let row = db.reader().query_one_raw(db.statement(&sql)).await?;
        let next: Option<chrono::NaiveDateTime> = match row {
            Some(row) => row.try_get("", "next")?,
            None => None,
        };
        Ok(next.map(time::from_sql))
    };
    db.run("find next pay deadline", find).await
}

/// Notifies the owners of at most `limit` unpaid orders whose deadline is in `window`, once per order. Returns the
/// number of new notices.
pub async fn remind(db: &Db, window: std::ops::Range<Timestamp>, limit: u32) -> Result<u64, Error> {
    let remind = async {
        let kind = NoticeKind::OrderExpiring;
        let subject = match db.backend() {
            Backend::Sqlite => "'order:' || o.id",
            Backend::MySql => "CONCAT('order:', o.id) COLLATE utf8mb4_bin",
        };
        let unpaid = OrderStatus::Unpaid.code();
        let sql = format!(
            "SELECT o.id, o.user_id FROM tb_voucher_order o \
             WHERE o.status = {unpaid} AND o.pay_deadline >= ? AND o.pay_deadline < ? AND NOT EXISTS \
                (SELECT 1 FROM tb_notice n WHERE n.subject = {subject} AND n.kind = ?) \
             ORDER BY o.pay_deadline LIMIT ?"
        );
        let values: [Value; 4] = [
            time::to_sql(window.start).into(),
            time::to_sql(window.end).into(),
            kind.as_str().into(),
            limit.min(EXPIRE_LIMIT).into(),
        ];
        let rows = db
            .reader()
            .query_all_raw(statement(db.reader(), sql, values))
            .await?;
        let notice = |row: &QueryResult| -> Result<NewNotice, DbErr> {
            let user = UserId::new(row.try_get("", "user_id")?);
            Ok(NewNotice::of_order(
                user,
                kind,
                OrderId::new(row.try_get("", "id")?),
            ))
        };
        let reminders: Vec<NewNotice> = rows.iter().map(notice).collect::<Result<_, _>>()?;
        notices::insert(db.writer(), &reminders).await
    };
    db.run("remind of orders", remind).await
}

/// The shop of a voucher that may be bought; `None` if this very order exists already.
async fn check_new(
    transaction: &DatabaseTransaction,
    new: NewOrder,
) -> Result<Result<Option<i64>, BuyRefusal>, DbErr> {
    if let Some(order) = find(transaction, new.id).await? {
        let is_same = order.user_id == new.owner && order.voucher_id == new.voucher_id;
        return Ok(if is_same {
            Ok(None)
        } else {
            Err(BuyRefusal::IdTaken)
        });
    }
    let voucher = voucher::Entity::find_by_id(new.voucher_id.get())
        .one(transaction)
        .await?;
    Ok(match voucher {
        None => Err(BuyRefusal::NoSuchVoucher),
        Some(row) if row.kind != VoucherKind::Ordinary.code() => Err(BuyRefusal::FlashSale),
        Some(row) if row.status != VoucherStatus::OnShelf.code() => Err(BuyRefusal::OffShelf),
        Some(row) => Ok(Some(row.shop_id)),
    })
}

/// Whether the user may have one more unpaid order of an ordinary voucher. Locks the user's row, so that concurrent
/// purchases cannot both take the last one.
async fn has_room(
    transaction: &DatabaseTransaction,
    owner: UserId,
    max_unpaid: u32,
) -> Result<bool, DbErr> {
    user::Entity::find_by_id(owner.get())
        .select_only()
        .column(user::Column::Id)
        .lock_exclusive()
        .into_tuple::<i64>()
        .one(transaction)
        .await?;
    let values: [Value; 3] = [
        owner.get().into(),
        OrderStatus::Unpaid.code().into(),
        max_unpaid.into(),
    ];
    let unpaid = statement(transaction, unpaid_of_owner(transaction), values);
    let unpaid = transaction.query_all_raw(unpaid).await?;
    Ok(unpaid.len() < max_unpaid as usize)
}

/// Without the hint SQLite may pick the index by status and deadline: every unpaid order of the site, thousands during a
/// flash sale. MySQL chooses by statistics.
fn unpaid_of_owner(connection: &impl ConnectionTrait) -> String {
    let index = match Backend::of(connection) {
        Backend::Sqlite => "INDEXED BY ix_voucher_order_status_user",
        Backend::MySql => "",
    };
    format!(
        "SELECT id FROM tb_voucher_order {index} \
         WHERE user_id = ? AND status = ? AND slot IS NULL LIMIT ?"
    )
}

async fn insert(
    transaction: &DatabaseTransaction,
    order: NewOrder,
    shop_id: i64,
    now: Timestamp,
    pay_within: Duration,
) -> Result<(), DbErr> {
    let sql = "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, pay_type, status, \
        pay_deadline, create_time, update_time) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)";
    let now = time::to_sql(now);
    let values: [Value; 9] = [
        order.id.get().into(),
        order.owner.get().into(),
        order.voucher_id.get().into(),
        shop_id.into(),
        PayType::Balance.code().into(),
        OrderStatus::Unpaid.code().into(),
        (now + pay_within).into(),
        now.into(),
        now.into(),
    ];
    execute(transaction, sql, values).await?;
    Ok(())
}

async fn cancel_one(
    transaction: &DatabaseTransaction,
    owner: UserId,
    id: OrderId,
) -> Result<Result<(), OrderRefusal>, DbErr> {
    let Some(order) = find_of(transaction, owner, id).await? else {
        return Ok(Err(OrderRefusal::NoSuchOrder));
    };
    if let Err(refusal) = transition(transaction, id, CANCEL, &[NO_SLOT]).await? {
        return Ok(Err(refusal));
    }
    return_units(transaction, &[order.ended()]).await?;
    let notice = NewNotice::of_order(owner, NoticeKind::OrderCancelled, id);
    notices::insert(transaction, &[notice]).await?;
    Ok(Ok(()))
}

/// Reads without a lock; the locking query drops orders that were paid in between.
async fn list_due(db: &Db, now: Timestamp, limit: u32) -> Result<Vec<i64>, DbErr> {
    let unpaid = OrderStatus::Unpaid.code();
    let sql = format!(
        "SELECT id FROM tb_voucher_order WHERE status = {unpaid} AND pay_deadline <= ? \
         ORDER BY pay_deadline LIMIT ?"
    );
    let values: [Value; 2] = [time::to_sql(now).into(), limit.into()];
    let rows = db
        .reader()
        .query_all_raw(statement(db.reader(), sql, values))
        .await?;
    rows.iter().map(|row| row.try_get("", "id")).collect()
}

/// Locks the orders that are still unpaid until the end of the transaction.
async fn lock_unpaid(
    db: &Db,
    transaction: &DatabaseTransaction,
    ids: &[i64],
) -> Result<Vec<EndedOrder>, DbErr> {
    let (unpaid, lock) = (OrderStatus::Unpaid.code(), for_update(db.backend()));
    let (index, placeholders) = (force_primary_key(transaction), placeholders(ids.len()));
    let sql = format!(
        "SELECT id, user_id, voucher_id FROM tb_voucher_order {index} \
         WHERE id IN ({placeholders}) AND status = {unpaid} ORDER BY id {lock}"
    );
    let values = ids.iter().map(|id| Value::from(*id));
    let rows = transaction
        .query_all_raw(statement(transaction, sql, values))
        .await?;
    let order = |row: &QueryResult| {
        Ok(EndedOrder {
            id: OrderId::new(row.try_get("", "id")?),
            voucher_id: VoucherId::new(row.try_get("", "voucher_id")?),
            user_id: UserId::new(row.try_get("", "user_id")?),
        })
    };
    rows.iter().map(order).collect()
}

/// The orders must be locked and unpaid.
async fn end_all(transaction: &DatabaseTransaction, orders: &[EndedOrder]) -> Result<(), DbErr> {
    if orders.is_empty() {
        return Ok(());
    }
    let (index, placeholders) = (force_primary_key(transaction), placeholders(orders.len()));
    let sql = format!(
        "UPDATE tb_voucher_order {index} SET status = {}, slot = NULL, update_time = ? \
         WHERE id IN ({placeholders}) AND status = {}",
        OrderStatus::Cancelled.code(),
        OrderStatus::Unpaid.code()
    );
    let ids = orders.iter().map(|order| order.id.get().into());
    let values = std::iter::once(Value::from(time::now())).chain(ids);
    execute(transaction, sql, values).await?;
    return_units(transaction, orders).await?;
    let notice =
        |order: &EndedOrder| NewNotice::of_order(order.user_id, NoticeKind::OrderExpired, order.id);
    let expired: Vec<NewNotice> = orders.iter().map(notice).collect();
    notices::insert(transaction, &expired).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DbOptions;

    #[tokio::test]
    async fn unpaid_orders_of_a_buyer_are_found_by_the_buyer() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("plan.db").display());
        let db = Db::connect(&DbOptions::new(&url)).await.unwrap();
        db.migrate().await.unwrap();
        let writer = db.writer();
        let sql = format!("EXPLAIN QUERY PLAN {}", unpaid_of_owner(writer));
        let explain = statement(writer, sql, [1_i64.into(), 1_i64.into(), 20_i64.into()]);
        let plan = writer.query_one_raw(explain).await.unwrap().unwrap();
        let plan: String = plan.try_get("", "detail").unwrap();
        let expected = "ix_voucher_order_status_user (status=? AND user_id=?)";
        assert!(plan.contains(expected), "{plan}");
    }
}
