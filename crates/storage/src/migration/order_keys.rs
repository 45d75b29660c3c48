//! Keys of `tb_voucher_order` that cost a new order the same however many orders there are.
//!
//! A key by buyer alone spreads new orders over its whole length: on a large site nearly every order changes a page of its
//! own, which must be read, logged and written. Behind the status, new orders share the few pages of those that are
//! unpaid, and an order moves to the others when it is paid or cancelled, in a transaction that changes its row anyway.
//!
//! An unpaid order has no redeem code. SQLite can leave it out of the key of codes; MySQL has no such keys.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::NewIndex;
use super::journal::Journal;
use super::schema_keys::SchemaKey;
use crate::sql::count;

pub(super) struct OrderKeys {
    journal: Journal,
}

const TABLE: &str = "tb_voucher_order";

/// My orders of a status, newest first.
const BY_BUYER: NewIndex = NewIndex {
    table: TABLE,
    name: "ix_voucher_order_status_user",
    columns: "status, user_id, id",
};

/// The key by buyer alone. An adopted database may have it under another name: then it stays.
const REPLACED: &str = "ix_voucher_order_user";

const CODES: &str = "uk_voucher_order_redeem_code";

pub(super) fn keys() -> Vec<SchemaKey> {
    vec![SchemaKey::index(TABLE, BY_BUYER.columns)]
}

impl OrderKeys {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }

    async fn drop_replaced(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        let has_table = manager.has_table(TABLE).await?;
        if !has_table || !manager.has_index(TABLE, REPLACED).await? {
            return Ok(());
        }
        let connection = manager.get_connection();
        let of_table = match connection.get_database_backend() {
            DbBackend::MySql => format!(" ON {TABLE}"),
            _ => String::new(),
        };
        let sql = format!("DROP INDEX {REPLACED}{of_table}");
        self.journal.execute(connection, &sql).await?;
        self.journal
            .note(format!("{TABLE}: key {REPLACED} removed"));
        Ok(())
    }

    async fn leave_out_orders_without_code(
        &self,
        connection: &impl ConnectionTrait,
    ) -> Result<(), DbErr> {
        if connection.get_database_backend() == DbBackend::MySql {
            return Ok(());
        }
        let whole = format!(
            "SELECT COUNT(*) FROM pragma_index_list('{TABLE}') WHERE name = '{CODES}' AND partial = 0"
        );
        if count(connection, &whole).await? == 0 {
            return Ok(());
        }
        for sql in [
            format!("DROP INDEX {CODES}"),
            format!(
                "CREATE UNIQUE INDEX {CODES} ON {TABLE} (redeem_code) \
                 WHERE redeem_code IS NOT NULL"
            ),
        ] {
            self.journal.execute(connection, &sql).await?;
        }
        self.journal.note(format!(
            "{TABLE}: key {CODES} (redeem_code) without empty codes added"
        ));
        Ok(())
    }
}

impl MigrationName for OrderKeys {
    fn name(&self) -> &str {
        "m0016_order_keys"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for OrderKeys {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        BY_BUYER.ensure(manager, &self.journal).await?;
        self.drop_replaced(manager).await?;
        self.leave_out_orders_without_code(manager.get_connection())
            .await
    }
}
