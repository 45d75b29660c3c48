//! What an adoption took the times for, from its first change to its last.
//!
//! A run that was cut off has converted some tables. The next one must convert the others alike, so the decision is a row of
//! a table of its own, which the last step removes.

use jiff::SignedDuration;
use sea_orm::{ConnectionTrait, DbErr, Statement};

use super::found::find_table;
use super::zones::TimeShift;
use crate::migration::journal::Journal;

const TABLE: &str = "tandian_adoption";

/// How the adoption that was cut off converts times; `None` if none was.
pub(super) async fn find(connection: &impl ConnectionTrait) -> Result<Option<TimeShift>, DbErr> {
    if find_table(connection, TABLE).await?.is_none() {
        return Ok(None);
    }
    let sql = format!("SELECT timestamp_secs, datetime_secs FROM {TABLE}");
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let Some(row) = connection.query_one_raw(statement).await? else {
        return Ok(None);
    };
    Ok(Some(TimeShift {
        timestamp: SignedDuration::from_secs(row.try_get("", "timestamp_secs")?),
        datetime: SignedDuration::from_secs(row.try_get("", "datetime_secs")?),
    }))
}

/// Comes before the first change of a table that holds times.
pub(super) async fn begin(
    connection: &impl ConnectionTrait,
    journal: &Journal,
    shift: TimeShift,
) -> Result<(), DbErr> {
    let create = format!(
        "CREATE TABLE IF NOT EXISTS {TABLE} (id int NOT NULL PRIMARY KEY, \
         timestamp_secs bigint NOT NULL, datetime_secs bigint NOT NULL) ENGINE=InnoDB"
    );
    journal.execute(connection, &create).await?;
    let (timestamp, datetime) = (shift.timestamp.as_secs(), shift.datetime.as_secs());
    let insert = format!("INSERT IGNORE INTO {TABLE} VALUES (1, {timestamp}, {datetime})");
    journal.execute(connection, &insert).await?;
    Ok(())
}

/// Comes after the last change.
pub(super) async fn end(connection: &impl ConnectionTrait, journal: &Journal) -> Result<(), DbErr> {
    let drop = format!("DROP TABLE IF EXISTS {TABLE}");
    journal.execute(connection, &drop).await?;
    Ok(())
}
