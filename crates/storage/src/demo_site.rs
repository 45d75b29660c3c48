//! The id range reserved for demo data.
//!
//! Demo rows have fixed ids, all at or below [`LAST_RESERVED_ID`]. Before the first one is inserted, the database's
//! id counters are raised above it, so rows that users add never collide with more demo data.

pub mod purge;

use domain::{Phone, VoucherId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, Statement, Value};

use crate::time::to_sql;
use crate::vouchers::SaleChanged;
use crate::{Backend, Db, Error, outbox, sql};

/// Above every id of the largest demo plan: 10,000 blocks with at most 6,000 comments each, and fewer of all else.
pub const LAST_RESERVED_ID: i64 = 100_000_000;

/// Tables with demo rows to which the site also adds.
const TABLES_WITH_IDS: [&str; 5] = [
    "tb_user",
    "tb_shop",
    "tb_voucher",
    "tb_blog",
    "tb_blog_comments",
];

/// When a flash sale is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SaleWindow {
    pub voucher_id: VoucherId,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
}

/// Whether rows have ids that demo data would use.
pub async fn is_occupied(db: &Db) -> Result<bool, Error> {
    let sql = format!(
        "SELECT EXISTS (SELECT 1 FROM tb_user WHERE id <= {LAST_RESERVED_ID}) \
         OR EXISTS (SELECT 1 FROM tb_shop WHERE id <= {LAST_RESERVED_ID}) AS answer"
    );
    let asked = db.statement(&sql);
    db.run("look for rows", is_true(db, asked)).await
}

/// Users outside the demo range whose phone number is in the given range.
pub async fn count_numbers_taken(db: &Db, first: &Phone, last: &Phone) -> Result<u64, Error> {
    let sql = "SELECT COUNT(*) AS taken FROM tb_user WHERE phone BETWEEN ? AND ? AND id > ?";
    let values: [Value; 3] = [
        first.as_str().into(),
        last.as_str().into(),
        LAST_RESERVED_ID.into(),
    ];
    let count = async {
        let row = db.reader().query_one_raw(bound(db, sql, values)).await?;
        row.map_or(Ok(0_i64), |row| row.try_get("", "taken"))
    };
    let count = db.run("count numbers", count).await?;
    Ok(u64::try_from(count).unwrap_or(0))
}

/// Raises the id counters above the reserved range. Idempotent.
pub async fn reserve_ids(db: &Db) -> Result<(), Error> {
    for table in TABLES_WITH_IDS {
        let reserve = async {
            for sql in reservation(db.backend(), table) {
                db.writer().execute_unprepared(&sql).await?;
            }
            Ok(())
        };
        db.run("reserve ids", reserve).await?;
    }
    Ok(())
}

/// MySQL ignores a lower value. SQLite has a counter row per table only after the first insert.
fn reservation(backend: Backend, table: &str) -> Vec<String> {
    match backend {
        Backend::MySql => vec![format!(
            "ALTER TABLE {table} AUTO_INCREMENT = {}",
            LAST_RESERVED_ID + 1
        )],
        Backend::Sqlite => vec![
            format!(
                "INSERT INTO sqlite_sequence (name, seq) SELECT '{table}', 0 \
                 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = '{table}')"
            ),
            format!(
                "UPDATE sqlite_sequence SET seq = MAX(seq, {LAST_RESERVED_ID}) \
                 WHERE name = '{table}'"
            ),
        ],
    }
}

/// Which windows are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Renewal {
    /// Of every sale that is not upcoming, open or over as the plan says: at the start of a site.
    OutOfPhase,
    /// Only of sales that are over and should not be: while people look at those that are on.
    Over,
}

/// Moves a sale's window so that it is again upcoming, open or over as the plan says; returns whether it did. The outbox
/// brings it to the gate.
///
/// Skips a sale that is already in the right phase, one that was edited (its voucher included), and one that ever had
/// an order besides those of the demo data: buyers rely on its times.
pub async fn renew_window(
    db: &Db,
    window: &SaleWindow,
    renewal: Renewal,
    now: Timestamp,
) -> Result<bool, Error> {
    let only = match renewal {
        Renewal::OutOfPhase => "",
        Renewal::Over => "AND end_time <= ? ",
    };
    let sql = format!(
        "UPDATE tb_seckill_voucher SET begin_time = ?, end_time = ?, epoch = epoch + 1, \
            update_time = update_time \
        WHERE voucher_id = ? AND update_time = create_time \
        AND ((begin_time <= ?) <> ? OR (end_time <= ?) <> ?) {only}\
        AND EXISTS (SELECT 1 FROM tb_voucher v \
            WHERE v.id = tb_seckill_voucher.voucher_id AND v.update_time = v.create_time) \
        AND NOT EXISTS (SELECT 1 FROM tb_voucher_order o \
            WHERE o.voucher_id = tb_seckill_voucher.voucher_id AND o.id > {LAST_RESERVED_ID}) \
        AND NOT EXISTS (SELECT 1 FROM tb_voucher_order_archive o \
            WHERE o.voucher_id = tb_seckill_voucher.voucher_id)"
    );
    let mut values: Vec<Value> = vec![
        to_sql(window.begin_at).into(),
        to_sql(window.end_at).into(),
        window.voucher_id.get().into(),
        to_sql(now).into(),
        i32::from(window.begin_at <= now).into(),
        to_sql(now).into(),
        i32::from(window.end_at <= now).into(),
    ];
    if renewal == Renewal::Over {
        values.push(to_sql(now).into());
    }
    let renew = async {
        let transaction = db.begin().await?;
        let renewed = sql::execute(&transaction, sql, values).await? > 0;
        if renewed {
            let changed = SaleChanged {
                voucher: window.voucher_id,
            };
            outbox::append(&transaction, SaleChanged::KIND, &changed.key(), &changed).await?;
        }
        transaction.commit().await?;
        Ok(renewed)
    };
    db.run("renew sale window", renew).await
}

async fn is_true(db: &Db, asked: Statement) -> Result<bool, DbErr> {
    let row = db.reader().query_one_raw(asked).await?;
    let answer: i64 = row.map_or(Ok(0), |row| row.try_get("", "answer"))?;
    Ok(answer != 0)
}

fn bound<const N: usize>(db: &Db, sql: &str, values: [Value; N]) -> Statement {
    sql::statement(db.reader(), sql, values)
}
