//! The second migration: what finding shops by name and relaying the outbox need.
//!
//! As everywhere, each step looks first whether it is still needed: on MySQL a crash may have left any of them done.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::{NewColumn, NewIndex};
use super::journal::Journal;
use super::schema_keys::SchemaKey;
use crate::shops::add_grams_above;

pub(super) struct SearchAndRelay {
    journal: Journal,
}

/// WITHOUT ROWID and InnoDB alike keep the rows in the order of the key, so the index is the table.
const SQLITE_GRAMS: &str = "CREATE TABLE tb_shop_gram (\
    gram TEXT NOT NULL CHECK (length(gram) <= 2), shop_id INTEGER NOT NULL, \
    PRIMARY KEY (gram, shop_id)) STRICT, WITHOUT ROWID";
const MYSQL_GRAMS: &str = "CREATE TABLE tb_shop_gram (\
    gram varchar(2) COLLATE utf8mb4_bin NOT NULL, shop_id bigint NOT NULL, \
    PRIMARY KEY (gram, shop_id)) \
    ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci";

const LAST_ERROR: NewColumn = NewColumn {
    table: "tb_outbox",
    name: "last_error",
    sqlite: "TEXT CHECK (length(last_error) <= 255)",
    mysql: "varchar(255) NULL",
};

/// Finds the oldest row of a key.
const OUTBOX_KEY: NewIndex = NewIndex {
    table: "tb_outbox",
    name: "ix_outbox_key",
    columns: "`key`, id",
};

pub(super) fn keys() -> Vec<SchemaKey> {
    vec![
        SchemaKey::primary("tb_shop_gram", "gram, shop_id"),
        SchemaKey::index("tb_outbox", "key, id"),
    ]
}

impl SearchAndRelay {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }

    async fn prepare_relay(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        LAST_ERROR.ensure(manager, &self.journal).await?;
        OUTBOX_KEY.ensure(manager, &self.journal).await
    }

    /// Filling can be repeated, so it is not asked how far it came.
    async fn prepare_search(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if !manager.has_table("tb_shop_gram").await? {
            let sql = in_dialect(connection, SQLITE_GRAMS, MYSQL_GRAMS);
            self.journal.execute(connection, sql).await?;
            self.journal.note("tb_shop_gram: created".to_owned());
        }
        if self.journal.is_dry() {
            return Ok(());
        }
        let mut after = 0;
        while let Some(last) = add_grams_above(connection, after).await? {
            after = last;
        }
        Ok(())
    }
}

impl MigrationName for SearchAndRelay {
    fn name(&self) -> &str {
        "m0002_search_and_relay"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for SearchAndRelay {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        self.prepare_relay(manager).await?;
        self.prepare_search(manager).await
    }
}

fn in_dialect<'s>(connection: &impl ConnectionTrait, sqlite: &'s str, mysql: &'s str) -> &'s str {
    match connection.get_database_backend() {
        DbBackend::MySql => mysql,
        _ => sqlite,
    }
}
