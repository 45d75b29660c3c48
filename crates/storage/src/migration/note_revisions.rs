//! The revision of a note: a number that rises with every change of its likes and of who may see it.
//!
//! Views of notes outside of SQL compare it instead of taking a lock: of two writes the one with the higher revision is the
//! newer one. Rows that are there begin at 0.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::NewColumn;
use super::journal::Journal;

pub(super) struct NoteRevisions {
    journal: Journal,
}

const REVISION: NewColumn = NewColumn {
    table: "tb_blog",
    name: "revision",
    sqlite: "INTEGER NOT NULL DEFAULT 0",
    mysql: "bigint NOT NULL DEFAULT 0",
};

impl NoteRevisions {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for NoteRevisions {
    fn name(&self) -> &str {
        "m0017_note_revisions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for NoteRevisions {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        REVISION.ensure(manager, &self.journal).await
    }
}
