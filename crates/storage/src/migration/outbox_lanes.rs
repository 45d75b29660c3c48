//! Lanes of the outbox: an effect that waits for one thing holds up no effect that waits for another.
//!
//! Rows that are there, and those that a process of an older version still writes, have lane 0, which the relay works on
//! like any other.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::journal::Journal;
use super::schema_keys::SchemaKey;

pub(super) struct OutboxLanes {
    journal: Journal,
}

const TABLE: &str = "tb_outbox";

const COLUMNS: [&str; 2] = ["lane", "state"];

/// Finds what is due in a lane, fresh rows and put-off ones apart.
const INDEX: (&str, &str) = ("ix_outbox_lane", "lane, state, not_before, id");

pub(super) fn keys() -> Vec<SchemaKey> {
    let (_, columns) = INDEX;
    vec![SchemaKey::index(TABLE, columns)]
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
        let connection = manager.get_connection();
        let number = match connection.get_database_backend() {
            DbBackend::MySql => "smallint",
            _ => "INTEGER",
        };
        for column in COLUMNS {
            if manager.has_column(TABLE, column).await? {
                continue;
            }
            let sql =
                format!("ALTER TABLE {TABLE} ADD COLUMN {column} {number} NOT NULL DEFAULT 0");
            connection.execute_unprepared(&sql).await?;
            self.journal.note(format!("{TABLE}: column {column} added"));
        }
        let (index, columns) = INDEX;
        if !manager.has_index(TABLE, index).await? {
            let sql = format!("CREATE INDEX {index} ON {TABLE} ({columns})");
            connection.execute_unprepared(&sql).await?;
            self.journal
                .note(format!("{TABLE}: key {index} ({columns}) added"));
        }
        Ok(())
    }
}
