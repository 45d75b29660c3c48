//! The ninth migration: what a buyer called the request that an order was granted to.
//!
//! Rows of versions that do not know the column have none, which is what they know of it.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::journal::Journal;

pub(super) struct ClaimKeys {
    journal: Journal,
}

const TABLE: &str = "tb_voucher_order";
const COLUMN: &str = "claim_key";

impl ClaimKeys {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for ClaimKeys {
    fn name(&self) -> &str {
        "m0009_claim_keys"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ClaimKeys {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        if manager.has_column(TABLE, COLUMN).await? {
            return Ok(());
        }
        let connection = manager.get_connection();
        // At the end of the row and without a value: neither database rewrites the table for it.
        let kind = match connection.get_database_backend() {
            DbBackend::MySql => "bigint NULL",
            _ => "INTEGER",
        };
        let sql = format!("ALTER TABLE {TABLE} ADD COLUMN {COLUMN} {kind}");
        connection.execute_unprepared(&sql).await?;
        self.journal.note(format!("{TABLE}: column {COLUMN} added"));
        Ok(())
    }
}
