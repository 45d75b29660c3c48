//! Lanes of the outbox: an effect that waits for one thing holds up no effect that waits for another.
//!
//! Rows that are there, and those that a process of an older version still writes, have lane 0, which the relay works on
//! like any other.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::{NewColumn, NewIndex};
use super::journal::Journal;
use super::schema_keys::SchemaKey;

pub(super) struct OutboxLanes {
    journal: Journal,
}

const TABLE: &str = "tb_outbox";

const COLUMNS: [NewColumn; 2] = [number("lane"), number("state")];

/// Finds what is due in a lane, fresh rows and put-off ones apart.
const INDEX: NewIndex = NewIndex {
    table: TABLE,
    name: "ix_outbox_lane",
    columns: "lane, state, not_before, id",
};

pub(super) fn keys() -> Vec<SchemaKey> {
    vec![SchemaKey::index(TABLE, INDEX.columns)]
}

impl OutboxLanes {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for OutboxLanes {
    fn name(&self) -> &str {
        "m0010_outbox_lanes"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for OutboxLanes {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            column.ensure(manager, &self.journal).await?;
        }
        INDEX.ensure(manager, &self.journal).await
    }
}

const fn number(name: &'static str) -> NewColumn {
    NewColumn {
        table: TABLE,
        name,
        sqlite: "INTEGER NOT NULL DEFAULT 0",
        mysql: "smallint NOT NULL DEFAULT 0",
    }
}
