//! Drain leases: which drain worker may record the orders of a partition (`tb_flash_partition`).
//!
//! Every recording transaction first locks the partition's row with its fencing token and keeps the lock until the
//! commit. So a new worker with a higher token waits for a recording in progress, and every later attempt with a
//! lower token is refused.

use sea_orm::{ConnectionTrait, DbErr, Statement, Value};
use thiserror::Error;

use crate::db::DatabaseTransaction;
use crate::sql::{execute, insert_ignore};
use crate::{Db, Error};

/// The right to record the orders of a partition. A lease with a higher fencing token ends all earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrainLease {
    pub partition: u16,
    pub fence: i64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the lease is taken by another")]
pub struct Fenced;

/// The site's number of partitions; fixed to `count` by the first caller.
pub async fn settle_partitions(db: &Db, count: u16) -> Result<u16, Error> {
    let settle = async {
        let transaction = db.begin().await?;
        // The primary key lets one of several starting processes insert the first row; the others wait for its
        // commit.
        if add_partitions(&transaction, 0..1).await? == 1 {
            add_partitions(&transaction, 1..count).await?;
        }
        let settled = count_partitions(&transaction).await?;
        transaction.commit().await?;
        Ok(settled)
    };
    db.run("settle partitions", settle).await
}

/// The site's number of partitions; `None` before the first start.
pub async fn settled_partitions(db: &Db) -> Result<Option<u16>, Error> {
    let count = count_partitions(db.reader());
    let settled = db.run("count partitions", count).await?;
    Ok((settled > 0).then_some(settled))
}

/// Takes the lease: lower fencing tokens are refused from then on. Refused itself if a higher token came first or the
/// partition does not exist. Idempotent.
pub async fn take_drain_lease(db: &Db, lease: DrainLease) -> Result<Result<(), Fenced>, Error> {
    let take = async {
        let transaction = db.begin().await?;
        let held = hold(&transaction, lease).await?;
        transaction.commit().await?;
        Ok(held)
    };
    db.run("take lease", take).await
}

/// Locks the lease until the end of the transaction.
pub(super) async fn hold(
    transaction: &DatabaseTransaction,
    lease: DrainLease,
) -> Result<Result<(), Fenced>, DbErr> {
    let sql = "UPDATE tb_flash_partition SET fence = ? WHERE partition_id = ? AND fence <= ?";
    let values: [Value; 3] = [
        lease.fence.into(),
        i32::from(lease.partition).into(),
        lease.fence.into(),
    ];
    let matched = execute(transaction, sql, values).await?;
    Ok(if matched == 1 { Ok(()) } else { Err(Fenced) })
}

/// Inserts missing partitions and returns how many were missing.
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
