//! Orders that the original accepted and had not written to SQL yet: its buyers were given their ids.

use std::collections::HashSet;

use domain::{OrderId, OrderStatus, PayType, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, Value};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::sql::{IDS_PER_QUERY, commit_or_rollback, execute, for_update, placeholders, statement};
use crate::{Backend, Db, Error, time};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AdoptedOrder {
    pub id: OrderId,
    pub user: UserId,
    pub voucher: VoucherId,
    pub accepted_at: Timestamp,
}

/// Why an order cannot become a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum OrderObstacle {
    #[error("there is no user {0}")]
    NoSuchUser(UserId),
    #[error("there is no flash sale {0}")]
    NoSuchSale(VoucherId),
    #[error("the buyer has order {0} of this sale already")]
    AlreadyBought(OrderId),
    #[error("the sale has no unit left in SQL")]
    SoldOut,
}

/// Which of these ids have a row: among orders, archived orders or dead-lettered ones.
pub async fn list_known_orders(db: &Db, ids: &[OrderId]) -> Result<Vec<OrderId>, Error> {
    let mut known = Vec::new();
    for chunk in ids.chunks(IDS_PER_QUERY) {
        for (table, column) in [
            ("tb_voucher_order", "id"),
            ("tb_voucher_order_archive", "id"),
            ("tb_dead_order", "order_id"),
        ] {
            let places = placeholders(chunk.len());
            let sql = format!("SELECT {column} AS id FROM {table} WHERE {column} IN ({places})");
            let values = chunk.iter().map(|id| Value::from(id.get()));
            let found = list_ids(db, "find orders", sql, values).await?;
            known.extend(found.into_iter().map(OrderId::new));
        }
    }
    Ok(known)
}

/// Which of these users have an order of the voucher, of any status.
pub async fn list_buyers(
    db: &Db,
    voucher: VoucherId,
    users: &[UserId],
) -> Result<HashSet<UserId>, Error> {
    let mut buyers = HashSet::new();
    for chunk in users.chunks(IDS_PER_QUERY) {
        for table in ["tb_voucher_order", "tb_voucher_order_archive"] {
            let places = placeholders(chunk.len());
            let sql = format!(
                "SELECT user_id AS id FROM {table} WHERE voucher_id = ? AND user_id IN ({places})"
            );
            let users = chunk.iter().map(|id| Value::from(id.get()));
            let values = [Value::from(voucher.get())].into_iter().chain(users);
            let found = list_ids(db, "find buyers", sql, values).await?;
            buyers.extend(found.into_iter().map(UserId::new));
        }
    }
    Ok(buyers)
}

async fn list_ids(
    db: &Db,
    operation: &'static str,
    sql: String,
    values: impl IntoIterator<Item = Value>,
) -> Result<Vec<i64>, Error> {
    let statement = statement(db.reader(), sql, values);
    let list = async {
        let rows = db.reader().query_all_raw(statement).await?;
        rows.iter().map(|row| row.try_get("", "id")).collect()
    };
    db.run(operation, list).await
}

/// Whether the order could become a row if so many units of the sale were taken before; writes nothing.
pub async fn find_obstacle(
    db: &Db,
    order: &AdoptedOrder,
    taken: u32,
) -> Result<Option<OrderObstacle>, Error> {
    let look = async { Ok(obstacle_or_shop(db.reader(), order, taken, "").await?.err()) };
    db.run("check order", look).await
}

/// Writes the order, unpaid, and takes its unit from the stock. An order that is there already stays as it is.
pub async fn add_order(db: &Db, order: &AdoptedOrder) -> Result<Result<(), OrderObstacle>, Error> {
    let add = async {
        let transaction = db.begin().await?;
        let added = add_within(&transaction, order).await?;
        commit_or_rollback(transaction, added).await
    };
    db.run("add order", add).await
}

async fn add_within(
    transaction: &DatabaseTransaction,
    order: &AdoptedOrder,
) -> Result<Result<(), OrderObstacle>, DbErr> {
    let lock = for_update(Backend::of(transaction));
    let shop = match obstacle_or_shop(transaction, order, 0, lock).await? {
        Ok(shop) => shop,
        Err(OrderObstacle::AlreadyBought(id)) if id == order.id => return Ok(Ok(())),
        Err(obstacle) => return Ok(Err(obstacle)),
    };
    let sql = "INSERT INTO tb_voucher_order (id, user_id, voucher_id, shop_id, slot, pay_deadline, \
        create_time, update_time, pay_type, status) \
        VALUES (?, ?, ?, ?, 1, '9999-01-01 00:00:00', ?, ?, ?, ?)";
    let values: [Value; 8] = [
        order.id.get().into(),
        order.user.get().into(),
        order.voucher.get().into(),
        shop.into(),
        time::to_sql(order.accepted_at).into(),
        time::now().into(),
        PayType::Balance.code().into(),
        OrderStatus::Unpaid.code().into(),
    ];
    execute(transaction, sql, values).await?;
    let sql = "UPDATE tb_seckill_voucher SET stock = stock - 1 WHERE voucher_id = ? AND stock >= 1";
    let taken = execute(transaction, sql, [order.voucher.get().into()]).await?;
    Ok(match taken {
        1 => Ok(()),
        _ => Err(OrderObstacle::SoldOut),
    })
}

/// The voucher's shop, or why the order cannot be written. `lock` is what locks the sale.
async fn obstacle_or_shop(
    connection: &impl ConnectionTrait,
    order: &AdoptedOrder,
    taken: u32,
    lock: &str,
) -> Result<Result<i64, OrderObstacle>, DbErr> {
    let (user, voucher) = (order.user.get(), order.voucher.get());
    let number = async |sql: String, values: Vec<Value>| -> Result<Option<i64>, DbErr> {
        let statement = statement(connection, sql, values);
        let row = connection.query_one_raw(statement).await?;
        row.map(|row| row.try_get("", "n")).transpose()
    };
    let sql = format!("SELECT stock AS n FROM tb_seckill_voucher WHERE voucher_id = ? {lock}");
    let statement_of_stock = statement(connection, sql, [voucher.into()]);
    let row = connection.query_one_raw(statement_of_stock).await?;
    let stock: Option<i32> = row.map(|row| row.try_get("", "n")).transpose()?;
    let sql = "SELECT COALESCE(shop_id, 0) AS n FROM tb_voucher WHERE id = ?".to_owned();
    let shop = number(sql, vec![voucher.into()]).await?;
    let (Some(stock), Some(shop)) = (stock, shop) else {
        return Ok(Err(OrderObstacle::NoSuchSale(order.voucher)));
    };
    let sql = "SELECT id AS n FROM tb_user WHERE id = ?".to_owned();
    if number(sql, vec![user.into()]).await?.is_none() {
        return Ok(Err(OrderObstacle::NoSuchUser(order.user)));
    }
    let sql = "SELECT MIN(id) AS n FROM tb_voucher_order \
        WHERE voucher_id = ? AND user_id = ? AND slot = 1 HAVING MIN(id) IS NOT NULL"
        .to_owned();
    if let Some(live) = number(sql, vec![voucher.into(), user.into()]).await? {
        return Ok(Err(OrderObstacle::AlreadyBought(OrderId::new(live))));
    }
    Ok(match i64::from(stock) - i64::from(taken) {
        ..=0 => Err(OrderObstacle::SoldOut),
        _ => Ok(shop),
    })
}
