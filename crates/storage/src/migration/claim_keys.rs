//! The ninth migration: what a buyer called the request that an order was granted to.
//!
//! Rows of versions that do not know the column have none, which is what they know of it.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::NewColumn;
use super::journal::Journal;

pub(super) struct ClaimKeys {
    journal: Journal,
}

const CLAIM_KEY: NewColumn = NewColumn {
    table: "tb_voucher_order",
    name: "claim_key",
    sqlite: "INTEGER",
    mysql: "bigint NULL",
};

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
        CLAIM_KEY.ensure(manager, &self.journal).await
    }
}
