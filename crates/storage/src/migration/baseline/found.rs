//! What a MySQL database holds already, read from `information_schema`.
//!
//! Everything is fetched as text: the types of those columns differ between MariaDB and MySQL.

use std::collections::{BTreeMap, BTreeSet};

use sea_orm::{ConnectionTrait, DbErr, QueryResult, Statement};

#[derive(Debug, Default)]
pub(super) struct FoundTable {
    /// In lower case, with the row format: `innodb dynamic`.
    pub(super) engine: String,
    pub(super) columns: BTreeMap<String, FoundColumn>,
    /// By name; the primary key is called `PRIMARY`.
    pub(super) keys: BTreeMap<String, FoundKey>,
    pub(super) checks: BTreeSet<String>,
    pub(super) foreign_keys: BTreeSet<String>,
}

#[derive(Debug)]
pub(super) struct FoundColumn {
    /// As in `SHOW CREATE TABLE`, in lower case: `bigint(20) unsigned`.
    pub(super) sql_type: String,
    pub(super) is_nullable: bool,
    pub(super) has_default: bool,
    pub(super) is_auto: bool,
    /// Empty for columns that are no text.
    pub(super) charset: String,
    /// As a literal.
    pub(super) comment: String,
}

#[derive(Debug, Default)]
pub(super) struct FoundKey {
    pub(super) is_unique: bool,
    pub(super) columns: Vec<String>,
}

/// The table as it is, or nothing.
pub(super) async fn find_table(
    connection: &impl ConnectionTrait,
    table: &str,
) -> Result<Option<FoundTable>, DbErr> {
    let rows = query(
        connection,
        table,
        "SELECT CAST(LOWER(CONCAT_WS(' ', ENGINE, ROW_FORMAT)) AS CHAR) AS engine \
         FROM information_schema.TABLES \
         WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? AND TABLE_TYPE = 'BASE TABLE'",
    )
    .await?;
    let Some(row) = rows.first() else {
        return Ok(None);
    };
    let mut found = FoundTable {
        engine: row.try_get("", "engine")?,
        columns: columns(connection, table).await?,
        keys: keys(connection, table).await?,
        ..Default::default()
    };
    constraints(connection, table, &mut found).await?;
    Ok(Some(found))
}

async fn columns(
    connection: &impl ConnectionTrait,
    table: &str,
) -> Result<BTreeMap<String, FoundColumn>, DbErr> {
    let rows = query(
        connection,
        table,
        "SELECT CAST(COLUMN_NAME AS CHAR) AS name, CAST(LOWER(COLUMN_TYPE) AS CHAR) AS sql_type, \
         CAST(IS_NULLABLE AS CHAR) AS nullable, CAST(LOWER(EXTRA) AS CHAR) AS extra, \
         CAST(COLUMN_DEFAULT IS NOT NULL AS CHAR) AS has_default, \
         CAST(COALESCE(CHARACTER_SET_NAME, '') AS CHAR) AS charset, \
         CAST(QUOTE(COLUMN_COMMENT) AS CHAR) AS comment \
         FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?",
    )
    .await?;
    rows.iter()
        .map(|row| Ok((row.try_get("", "name")?, FoundColumn::read(row)?)))
        .collect()
}

impl FoundColumn {
    fn read(row: &QueryResult) -> Result<Self, DbErr> {
        let text = |name: &str| row.try_get::<String>("", name);
        Ok(Self {
            sql_type: text("sql_type")?,
            is_nullable: text("nullable")? == "YES",
            has_default: text("has_default")? == "1",
            is_auto: text("extra")?.contains("auto_increment"),
            charset: text("charset")?,
            comment: text("comment")?,
        })
    }
}

/// A column of which only the first characters are in the key (`SUB_PART`) gets a name that matches none of ours: such a
/// key neither finds nor forbids the same.
async fn keys(
    connection: &impl ConnectionTrait,
    table: &str,
) -> Result<BTreeMap<String, FoundKey>, DbErr> {
    let rows = query(
        connection,
        table,
        "SELECT CAST(INDEX_NAME AS CHAR) AS name, CAST(NON_UNIQUE AS CHAR) AS non_unique, \
         CAST(CONCAT(COALESCE(COLUMN_NAME, ''), COALESCE(SUB_PART, '')) AS CHAR) AS column_name \
         FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ? \
         ORDER BY INDEX_NAME, SEQ_IN_INDEX",
    )
    .await?;
    let mut keys: BTreeMap<String, FoundKey> = BTreeMap::new();
    for row in &rows {
        let key = keys.entry(row.try_get("", "name")?).or_default();
        key.is_unique = row.try_get::<String>("", "non_unique")? == "0";
        key.columns.push(row.try_get("", "column_name")?);
    }
    Ok(keys)
}

async fn constraints(
    connection: &impl ConnectionTrait,
    table: &str,
    found: &mut FoundTable,
) -> Result<(), DbErr> {
    let rows = query(
        connection,
        table,
        "SELECT CAST(CONSTRAINT_NAME AS CHAR) AS name, CAST(CONSTRAINT_TYPE AS CHAR) AS kind \
         FROM information_schema.TABLE_CONSTRAINTS \
         WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = ?",
    )
    .await?;
    for row in &rows {
        let name: String = row.try_get("", "name")?;
        match row.try_get::<String>("", "kind")?.as_str() {
            "CHECK" => found.checks.insert(name),
            "FOREIGN KEY" => found.foreign_keys.insert(name),
            _ => continue,
        };
    }
    Ok(())
}

async fn query(
    connection: &impl ConnectionTrait,
    table: &str,
    sql: &str,
) -> Result<Vec<QueryResult>, DbErr> {
    let backend = connection.get_database_backend();
    let statement = Statement::from_sql_and_values(backend, sql, [table.into()]);
    connection.query_all_raw(statement).await
}
