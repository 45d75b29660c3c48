//! What the times of an adopted database mean.
//!
//! The original writes clock times without a zone. The server takes them in the zone of the session, which is its own
//! unless somebody says otherwise: a `TIMESTAMP` becomes an instant by it, a `DATETIME` stays the bare clock time. If
//! that zone is not the site's, nobody but the operator knows whether the server read the clock times wrongly.

use jiff::SignedDuration;
use sea_orm::{ConnectionTrait, DbErr, Statement};

use super::found::find_table;
use super::schema::ColumnType;
use super::tables::TABLES;

/// The site's offset from UTC, and the operator's decision, if there is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiteClock {
    pub utc_offset: SignedDuration,
    pub stored_times: Option<StoredTimes>,
}

/// What the operator knows about the times of a database that runs in another zone than the site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredTimes {
    /// The database read them in its own zone, and rightly so.
    DatabaseZone,
    /// They are clock times of the site, whatever the database made of them.
    SiteZone,
}

/// How the columns of the original are converted to UTC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::migration) struct TimeShift {
    /// The session's offset while a `TIMESTAMP` becomes a `DATETIME`.
    pub(super) timestamp: SignedDuration,
    /// Subtracted from each `DATETIME`.
    pub(super) datetime: SignedDuration,
}

impl TimeShift {
    /// The session's zone for the conversion of a `TIMESTAMP`, or `None` if that stays UTC.
    pub(super) fn session_zone(self) -> Option<String> {
        (!self.timestamp.is_zero()).then(|| zone_literal(self.timestamp))
    }

    pub(super) fn datetime_secs(self) -> i64 {
        self.datetime.as_secs()
    }
}

/// A database of the original that holds times, compared with the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZoneComparison {
    /// As the server names it: `SYSTEM (UTC)`, `+08:00`.
    pub database_zone: String,
    pub database_offset: SignedDuration,
    /// A time as the database shows it in its own zone, for the operator to judge by.
    pub sample: Option<TimeSample>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeSample {
    /// `tb_seckill_voucher.begin_time`
    pub column: String,
    pub shown: String,
}

/// Columns that people know by heart, most telling first.
const SAMPLES: [(&str, &str); 4] = [
    ("tb_seckill_voucher", "begin_time"),
    ("tb_voucher_order", "create_time"),
    ("tb_blog", "create_time"),
    ("tb_user", "create_time"),
];

/// A session's zone cannot be further from UTC on every server.
const MOST_APART: SignedDuration = SignedDuration::from_hours(12);

/// `None` if no table holds times of the original: this version's are in UTC.
pub(in crate::migration) async fn compare_zones(
    connection: &impl ConnectionTrait,
) -> Result<Option<ZoneComparison>, DbErr> {
    if !has_original_times(connection).await? {
        return Ok(None);
    }
    let sql = "SELECT CAST(CONCAT(@@global.time_zone, IF(@@global.time_zone = 'SYSTEM', \
            CONCAT(' (', @@system_time_zone, ')'), '')) AS CHAR) AS zone, \
        CAST(TIMESTAMPDIFF(SECOND, UTC_TIMESTAMP(), \
            CONVERT_TZ(UTC_TIMESTAMP(), '+00:00', @@global.time_zone)) AS SIGNED) AS offset_secs";
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    let row = connection.query_one_raw(statement).await?;
    let row = row.ok_or_else(|| DbErr::Migration("the server names no time zone".to_owned()))?;
    let offset: Option<i64> = row.try_get("", "offset_secs")?;
    Ok(Some(ZoneComparison {
        database_zone: row.try_get("", "zone")?,
        database_offset: SignedDuration::from_secs(offset.unwrap_or(0)),
        sample: sample(connection).await?,
    }))
}

/// Whether a table has rows with times that this version did not write.
pub(super) async fn has_original_times(connection: &impl ConnectionTrait) -> Result<bool, DbErr> {
    for table in TABLES {
        let Some(found) = find_table(connection, table.name).await? else {
            continue;
        };
        let is_original = table.columns.iter().any(|column| {
            let present = found.columns.get(column.name);
            column.kind == ColumnType::Instant
                && present.is_some_and(|present| is_original_time(&present.sql_type))
        });
        if is_original && has_rows(connection, table.name).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether any of the tables has rows.
pub(in crate::migration) async fn holds_rows(
    connection: &impl ConnectionTrait,
) -> Result<bool, DbErr> {
    for table in TABLES {
        let is_there = find_table(connection, table.name).await?.is_some();
        if is_there && has_rows(connection, table.name).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// This version's columns have milliseconds.
pub(super) fn is_original_time(sql_type: &str) -> bool {
    sql_type.starts_with("timestamp") || is_original_datetime(sql_type)
}

pub(super) fn is_original_datetime(sql_type: &str) -> bool {
    sql_type == "datetime"
}

async fn has_rows(connection: &impl ConnectionTrait, table: &str) -> Result<bool, DbErr> {
    let sql = format!("SELECT 1 AS present FROM {table} LIMIT 1");
    let statement = Statement::from_string(connection.get_database_backend(), sql);
    Ok(connection.query_one_raw(statement).await?.is_some())
}

async fn sample(connection: &impl ConnectionTrait) -> Result<Option<TimeSample>, DbErr> {
    for (table, column) in SAMPLES {
        let Some(found) = find_table(connection, table).await? else {
            continue;
        };
        let Some(present) = found.columns.get(column) else {
            continue;
        };
        // The session is in UTC; a bare clock time is shown as it stands.
        let shown = if is_original_datetime(&present.sql_type) {
            column.to_owned()
        } else {
            format!("CONVERT_TZ({column}, '+00:00', @@global.time_zone)")
        };
        let sql = format!(
            "SELECT CAST({shown} AS CHAR) AS shown FROM {table} WHERE {column} > '1971-01-01' LIMIT 1"
        );
        let statement = Statement::from_string(connection.get_database_backend(), sql);
        if let Some(row) = connection.query_one_raw(statement).await? {
            let shown: Option<String> = row.try_get("", "shown")?;
            return Ok(shown.map(|shown| TimeSample {
                column: format!("{table}.{column}"),
                shown,
            }));
        }
    }
    Ok(None)
}

impl ZoneComparison {
    /// How the times are converted; `None` if the operator must decide first.
    pub(super) fn shift(&self, clock: SiteClock) -> Option<TimeShift> {
        let (database, site) = (self.database_offset, clock.utc_offset);
        match clock.stored_times {
            None if database != site => None,
            None | Some(StoredTimes::DatabaseZone) => Some(TimeShift {
                timestamp: SignedDuration::ZERO,
                datetime: database,
            }),
            Some(StoredTimes::SiteZone) if (database - site).abs() > MOST_APART => None,
            Some(StoredTimes::SiteZone) => Some(TimeShift {
                timestamp: database - site,
                datetime: site,
            }),
        }
    }
}

/// `+08:00`
fn zone_literal(offset: SignedDuration) -> String {
    let minutes = offset.as_mins();
    let sign = if minutes < 0 { '-' } else { '+' };
    let minutes = minutes.abs();
    format!("{sign}{:02}:{:02}", minutes / 60, minutes % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hours(hours: i64) -> SignedDuration {
        SignedDuration::from_hours(hours)
    }

    fn database_at(offset: i64) -> ZoneComparison {
        ZoneComparison {
            database_zone: "SYSTEM (UTC)".to_owned(),
            database_offset: hours(offset),
            sample: None,
        }
    }

    #[test]
    fn one_zone_asks_nothing_and_two_ask() {
        let clock = SiteClock {
            utc_offset: hours(8),
            stored_times: None,
        };
        let shift = database_at(8).shift(clock).unwrap();
        assert_eq!((shift.session_zone(), shift.datetime), (None, hours(8)));
        assert_eq!(database_at(0).shift(clock), None);
    }

    #[test]
    fn zones_too_far_apart_for_a_session_are_not_converted() {
        let clock = SiteClock {
            utc_offset: hours(13),
            stored_times: Some(StoredTimes::SiteZone),
        };
        assert_eq!(database_at(0).shift(clock), None);
        assert!(database_at(1).shift(clock).is_some());
    }

    #[test]
    fn each_decision_moves_both_kinds_of_columns() {
        let decided = |stored_times| SiteClock {
            utc_offset: hours(8),
            stored_times: Some(stored_times),
        };
        let site = database_at(0)
            .shift(decided(StoredTimes::SiteZone))
            .unwrap();
        assert_eq!(site.session_zone().as_deref(), Some("-08:00"));
        assert_eq!(site.datetime, hours(8));
        let database = database_at(0)
            .shift(decided(StoredTimes::DatabaseZone))
            .unwrap();
        assert_eq!(database, TimeShift::default());
    }
}
