//! Recomputes stored counters from the rows behind them: likes, comments, fans, sales, scores.
//!
//! It runs beside a serving site. Each transaction locks a range of rows first and counts in a second statement,
//! which therefore sees every commit before the lock; later changes of a counter wait for the lock and add to the new
//! value.

use domain::OrderStatus;
use sea_orm::{ConnectionTrait, DbErr};

use crate::comments::count_of_shown;
use crate::notes::HIDDEN;
use crate::sql::codes;
use crate::{Backend, Db, Error};

/// Ids per transaction: each row costs a few index lookups, so a range takes well under a second.
const IDS_PER_RANGE: i64 = 5_000;

/// What is counted for the rows of one table.
struct Counters {
    operation: &'static str,
    table: &'static str,
    id: &'static str,
    /// Columns, and what they are to be.
    columns: Vec<(&'static str, String)>,
}

fn notes() -> Counters {
    Counters {
        operation: "recount notes",
        table: "tb_blog",
        id: "id",
        columns: vec![
            (
                "liked",
                "(SELECT COUNT(*) FROM tb_blog_like l WHERE l.blog_id = tb_blog.id)".to_owned(),
            ),
            ("comments", count_of_shown()),
        ],
    }
}

fn people() -> Counters {
    Counters {
        operation: "recount people",
        table: "tb_user_info",
        id: "user_id",
        columns: vec![
            (
                "fans",
                "(SELECT COUNT(*) FROM tb_follow f WHERE f.follow_user_id = tb_user_info.user_id)"
                    .to_owned(),
            ),
            (
                "followee",
                "(SELECT COUNT(*) FROM tb_follow f WHERE f.user_id = tb_user_info.user_id)"
                    .to_owned(),
            ),
        ],
    }
}

/// `sold` counts orders that are paid, used or being refunded, found through the vouchers, which have the index. A
/// shop without scored notes keeps its initial score. Hidden notes do not count.
fn shops() -> Counters {
    let sold = [OrderStatus::Paid, OrderStatus::Used, OrderStatus::Refunding];
    let (sold, used) = (codes(sold.map(OrderStatus::code)), OrderStatus::Used.code());
    Counters {
        operation: "recount shops",
        table: "tb_shop",
        id: "id",
        columns: vec![
            (
                "sold",
                format!(
                    "(SELECT COUNT(*) FROM tb_voucher v JOIN tb_voucher_order o ON o.voucher_id = v.id \
                WHERE v.shop_id = tb_shop.id AND o.status IN ({sold})) + \
             (SELECT COUNT(*) FROM tb_voucher v \
                JOIN tb_voucher_order_archive o ON o.voucher_id = v.id \
                WHERE v.shop_id = tb_shop.id AND o.status = {used})"
                ),
            ),
            (
                "comments",
                format!(
                    "(SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id AND b.status <> {HIDDEN})"
                ),
            ),
            (
                "score",
                format!(
                    "COALESCE((SELECT ROUND(AVG(b.score) * 10) FROM tb_blog b \
                WHERE b.shop_id = tb_shop.id AND b.status <> {HIDDEN}), score)"
                ),
            ),
        ],
    }
}

/// Sets every counter that is kept on a row to what the rows behind it add up to.
pub async fn recount(db: &Db) -> Result<(), Error> {
    db.run("make missing infos", ensure_infos(db)).await?;
    for counters in [notes(), people(), shops()] {
        recount_table(db, &counters).await?;
    }
    Ok(())
}

/// Every user who follows or is followed needs a row for the counters.
async fn ensure_infos(db: &Db) -> Result<(), DbErr> {
    let (verb, tail) = match db.backend() {
        Backend::MySql => ("INSERT IGNORE INTO", ""),
        // Without a WHERE, SQLite would read ON as part of a join.
        Backend::Sqlite => ("INSERT INTO", " WHERE true ON CONFLICT DO NOTHING"),
    };
    for column in ["user_id", "follow_user_id"] {
        let sql =
            format!("{verb} tb_user_info (user_id) SELECT DISTINCT {column} FROM tb_follow{tail}");
        db.writer().execute_unprepared(&sql).await?;
    }
    Ok(())
}

async fn recount_table(db: &Db, counters: &Counters) -> Result<(), Error> {
    let mut after = 0;
    while let Some(last) = db
        .run(counters.operation, last_of_range(db, counters, after))
        .await?
    {
        let work = recount_range(db, counters, after, last);
        db.run(counters.operation, work).await?;
        after = last;
    }
    Ok(())
}

/// The last id of the next range above `after`, or `None` when no rows are left. Ranges count rows because ids may be
/// sparse.
async fn last_of_range(db: &Db, counters: &Counters, after: i64) -> Result<Option<i64>, DbErr> {
    let Counters { table, id, .. } = counters;
    let sql = format!(
        "SELECT MAX({id}) AS last FROM (SELECT {id} FROM {table} WHERE {id} > {after} \
         ORDER BY {id} LIMIT {IDS_PER_RANGE}) AS next"
    );
    let row = db.reader().query_one_raw(db.statement(&sql)).await?;
    row.map_or(Ok(None), |row| row.try_get("", "last"))
}

async fn recount_range(db: &Db, counters: &Counters, after: i64, last: i64) -> Result<(), DbErr> {
    let Counters {
        table, id, columns, ..
    } = counters;
    let range = format!("{id} > {after} AND {id} <= {last}");
    let transaction = db.begin().await?;
    if db.backend() == Backend::MySql {
        // Locks by the primary key, as every writer of a counter does: with another index the lock order would differ
        // and deadlock.
        let lock = format!(
            "SELECT {id} FROM {table} FORCE INDEX (PRIMARY) WHERE {range} ORDER BY {id} FOR UPDATE"
        );
        transaction.query_all_raw(db.statement(&lock)).await?;
    }
    let assign = |(column, count): &(&str, String)| format!("{column} = {count}");
    let assignments: Vec<String> = columns.iter().map(assign).collect();
    let assignments = assignments.join(", ");
    // A recount is not an edit.
    let sql = format!("UPDATE {table} SET {assignments}, update_time = update_time WHERE {range}");
    transaction.execute_unprepared(&sql).await?;
    transaction.commit().await
}
