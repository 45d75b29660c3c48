//! What an operator wants to know about a database of the original, before and after it is adopted.
//!
//! The adoption itself is the first migration. These queries work on both shapes of the tables, and have no time limit: the
//! original has few keys, so on a large database each of them reads whole tables.

use sea_orm::{ConnectionTrait, DbErr};

use crate::sql::count;
use crate::{Backend, Db, Error};

/// The tables of the original.
const TABLES: [&str; 11] = [
    "tb_user",
    "tb_user_info",
    "tb_shop_type",
    "tb_shop",
    "tb_voucher",
    "tb_seckill_voucher",
    "tb_voucher_order",
    "tb_blog",
    "tb_blog_comments",
    "tb_follow",
    "tb_sign",
];

/// A connection that slept this long is none of ours: a pool of the original keeps its connections.
const IDLE_SECS: u32 = 5;

/// What is in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AdoptionSurvey {
    /// The tables of the original that are there, with their rows.
    pub tables: Vec<TableRows>,
    /// Connections that somebody else keeps to this database, as far as this account may see.
    pub other_connections: u64,
    pub unpaid_orders: u64,
    /// Rows of shops, notes and people whose pictures are on other hosts.
    pub outside_pictures: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableRows {
    pub table: &'static str,
    pub rows: u64,
}

/// Looks and changes nothing. On SQLite there is nothing to adopt.
pub async fn survey(db: &Db) -> Result<AdoptionSurvey, Error> {
    let connection = db.migration_connection()?;
    let survey = survey_tables(&connection).await;
    db.close_migration_connection(connection).await;
    survey.map_err(|source| Error::new("survey the database", source))
}

async fn survey_tables(connection: &impl ConnectionTrait) -> Result<AdoptionSurvey, DbErr> {
    let mut tables = Vec::new();
    for table in TABLES {
        if has_table(connection, table).await? {
            let rows = count(connection, &format!("SELECT COUNT(*) FROM {table}")).await?;
            tables.push(TableRows { table, rows });
        }
    }
    let has = |name: &str| tables.iter().any(|found| found.table == name);
    let unpaid = "SELECT COUNT(*) FROM tb_voucher_order WHERE status = 1";
    let mut outside = 0;
    for (table, column) in [
        ("tb_shop", "images"),
        ("tb_blog", "images"),
        ("tb_user", "icon"),
    ] {
        if has(table) {
            let sql = format!("SELECT COUNT(*) FROM {table} WHERE {column} LIKE '%://%'");
            outside += count(connection, &sql).await?;
        }
    }
    Ok(AdoptionSurvey {
        other_connections: other_connections(connection).await?,
        unpaid_orders: match has("tb_voucher_order") {
            true => count(connection, unpaid).await?,
            false => 0,
        },
        outside_pictures: outside,
        tables,
    })
}

async fn other_connections(connection: &impl ConnectionTrait) -> Result<u64, DbErr> {
    if Backend::of(connection) != Backend::MySql {
        return Ok(0);
    }
    let sql = format!(
        "SELECT COUNT(*) FROM information_schema.PROCESSLIST \
         WHERE DB = DATABASE() AND ID <> CONNECTION_ID() AND COMMAND = 'Sleep' AND TIME >= {IDLE_SECS}"
    );
    count(connection, &sql).await
}

async fn has_table(connection: &impl ConnectionTrait, table: &str) -> Result<bool, DbErr> {
    let sql = match Backend::of(connection) {
        Backend::MySql => format!(
            "SELECT COUNT(*) FROM information_schema.TABLES \
             WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = '{table}'"
        ),
        Backend::Sqlite => {
            format!("SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '{table}'")
        }
    };
    Ok(count(connection, &sql).await? > 0)
}
