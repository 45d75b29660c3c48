//! Who may record the orders of a partition: `tb_flash_partition`.
//!
//! A seat is held by holding the row of the partition: recording takes its lock first and keeps it until the commit. So
//! whoever sits down with a higher fence waits for a recording that is under way, and every later one with a lower fence
//! finds the row gone ahead of it.

use sea_orm::{ConnectionTrait, DbErr, Statement, Value};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::sql::{execute, insert_ignore};
use crate::{Db, Error};

/// The right to record the orders of a partition. A seat with a higher fence ends those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    pub partition: u16,
    pub fence: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the seat is taken by another")]
pub struct Fenced;

/// The number of partitions this site began with; `count` if it begins here.
pub async fn settle_partitions(db: &Db, count: u16) -> Result<u16, Error> {
    let settle = async {
        let transaction = db.begin().await?;
        // Of several processes that begin at once, the key lets one add the first row; the others wait for its commit.
        if add_partitions(&transaction, 0..1).await? == 1 {
            add_partitions(&transaction, 1..count).await?;
        }
        let settled = count_partitions(&transaction).await?;
        transaction.commit().await?;
        Ok(settled)
    };
    db.run("settle partitions", settle).await
}

/// The number of partitions this site began with; nothing if it has not begun.
pub async fn settled_partitions(db: &Db) -> Result<Option<u16>, Error> {
    let count = count_partitions(db.reader());
    let settled = db.run("count partitions", count).await?;
    Ok((settled > 0).then_some(settled))
}

/// Sits down: from then on whoever has a lower fence is refused. So is this, if somebody with a higher one came first,
/// or if there is no such partition. Repeating it changes nothing.
pub async fn take_seat(db: &Db, seat: Seat) -> Result<Result<(), Fenced>, Error> {
    let take = async {
        let transaction = db.begin().await?;
        let held = hold(&transaction, seat).await?;
        transaction.commit().await?;
        Ok(held)
    };
    db.run("take seat", take).await
}

/// Holds the seat until the end of the transaction.
pub(super) async fn hold(
    transaction: &DatabaseTransaction,
    seat: Seat,
) -> Result<Result<(), Fenced>, DbErr> {
    let sql = "UPDATE tb_flash_partition SET fence = ? WHERE partition_id = ? AND fence <= ?";
    let values: [Value; 3] = [
        seat.fence.into(),
        i32::from(seat.partition).into(),
        seat.fence.into(),
    ];
    let matched = execute(transaction, sql, values).await?;
    Ok(if matched == 1 { Ok(()) } else { Err(Fenced) })
}

/// Passes over those that are there, and tells how many were not.
async fn add_partitions(
    transaction: &DatabaseTransaction,
    partitions: std::ops::Range<u16>,
) -> Result<u64, DbErr> {
    if partitions.is_empty() {
        return Ok(0);
    }
    let verb = insert_ignore(transaction);
    let rows: Vec<String> = partitions.map(|id| format!("({id}, 0)")).collect();
    let rows = rows.join(", ");
    let sql = format!("{verb} tb_flash_partition (partition_id, fence) VALUES {rows}");
    Ok(transaction.execute_unprepared(&sql).await?.rows_affected())
}

async fn count_partitions(connection: &impl ConnectionTrait) -> Result<u16, DbErr> {
    let sql = "SELECT COUNT(*) AS partitions FROM tb_flash_partition";
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await?;
    let row = row.ok_or_else(|| DbErr::RecordNotFound("a count".to_owned()))?;
    let count: i64 = row.try_get("", "partitions")?;
    u16::try_from(count).map_err(|_| DbErr::Custom(format!("{count} partitions are too many")))
}
