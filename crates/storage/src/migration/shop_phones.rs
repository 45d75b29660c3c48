//! The phone of a shop.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::NewColumn;
use super::journal::Journal;

pub(super) struct ShopPhones {
    journal: Journal,
}

const PHONE: NewColumn = NewColumn {
    table: "tb_shop",
    name: "phone",
    sqlite: "TEXT CHECK (length(phone) <= 32)",
    mysql: "varchar(32) NULL",
};

impl ShopPhones {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for ShopPhones {
    fn name(&self) -> &str {
        "m0019_shop_phones"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ShopPhones {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        PHONE.ensure(manager, &self.journal).await
    }
}
