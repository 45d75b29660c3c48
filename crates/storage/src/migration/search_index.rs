//! The index of the search over shops, notes and people. It is filled beside the serving site (`search/backfill.rs`): a
//! migration that read every note would keep the site away for as long.

use sea_orm::{ConnectionTrait as _, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::journal::Journal;
use super::schema_keys::SchemaKey;

pub(super) struct SearchIndex {
    journal: Journal,
}

const TABLE: &str = "tb_search_gram";

/// WITHOUT ROWID and InnoDB alike keep the rows in the order of the key, so the index is the table.
const SQLITE: &str = "CREATE TABLE tb_search_gram (\
    kind INTEGER NOT NULL, gram TEXT NOT NULL CHECK (length(gram) <= 2), row_id INTEGER NOT NULL, \
    PRIMARY KEY (kind, gram, row_id)) STRICT, WITHOUT ROWID";
const MYSQL: &str = "CREATE TABLE tb_search_gram (\
    kind smallint NOT NULL, gram varchar(2) COLLATE utf8mb4_bin NOT NULL, row_id bigint NOT NULL, \
    PRIMARY KEY (kind, gram, row_id)) \
    ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci";

pub(super) fn keys() -> Vec<SchemaKey> {
    vec![SchemaKey::primary(TABLE, "kind, gram, row_id")]
}

impl SearchIndex {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for SearchIndex {
    fn name(&self) -> &str {
        "m0025_search_index"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for SearchIndex {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.has_table(TABLE).await? {
            return Ok(());
        }
        let connection = manager.get_connection();
        let sql = match connection.get_database_backend() {
            DbBackend::MySql => MYSQL,
            _ => SQLITE,
        };
        self.journal.execute(connection, sql).await?;
        self.journal.note(format!("{TABLE}: created"));
        Ok(())
    }
}
