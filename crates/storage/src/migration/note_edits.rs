//! How often the author of a note changed it, and when last.
//!
//! The number is what a page names that it read: an edit of another state is refused. Rows that are there begin at 0.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::NewColumn;
use super::journal::Journal;

pub(super) struct NoteEdits {
    journal: Journal,
}

const COLUMNS: [NewColumn; 2] = [
    NewColumn {
        table: "tb_blog",
        name: "edits",
        sqlite: "INTEGER NOT NULL DEFAULT 0",
        mysql: "int NOT NULL DEFAULT 0",
    },
    NewColumn {
        table: "tb_blog",
        name: "edited_at",
        sqlite: "TEXT",
        mysql: "datetime(3) NULL",
    },
];

impl NoteEdits {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for NoteEdits {
    fn name(&self) -> &str {
        "m0022_note_edits"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for NoteEdits {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in COLUMNS {
            column.ensure(manager, &self.journal).await?;
        }
        Ok(())
    }
}
