//! How many notes gave a shop each number of stars, and the index that lists those notes.
//!
//! The numbers are counted with the other counters of a shop. Shops that have notes already are counted here.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::{NewColumn, NewIndex};
use super::journal::Journal;
use super::schema_keys::SchemaKey;
use crate::sql::count;

pub(super) struct ShopStars {
    journal: Journal,
}

const COLUMNS: [NewColumn; 5] = [
    number("stars_1"),
    number("stars_2"),
    number("stars_3"),
    number("stars_4"),
    number("stars_5"),
];

/// The notes of a shop with so many stars, newest last; with their status, so that counting them reads no note.
const INDEX: NewIndex = NewIndex {
    table: "tb_blog",
    name: "ix_blog_shop_stars",
    columns: "shop_id, score, id, status",
};

/// Shops with a note that counts. Literal, because a released migration must not change with the code.
const RATED: &str = "EXISTS (SELECT 1 FROM tb_blog b WHERE b.shop_id = tb_shop.id \
    AND b.score BETWEEN 1 AND 5 AND b.status <> 2)";

const fn number(name: &'static str) -> NewColumn {
    NewColumn {
        table: "tb_shop",
        name,
        sqlite: "INTEGER NOT NULL DEFAULT 0",
        mysql: "int NOT NULL DEFAULT 0",
    }
}

pub(super) fn keys() -> Vec<SchemaKey> {
    vec![SchemaKey::index(INDEX.table, INDEX.columns)]
}

impl ShopStars {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }

    async fn fill(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        let filled = if !self.journal.is_dry() {
            let number = |stars: usize| {
                format!(
                    "stars_{stars} = (SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id \
                     AND b.score = {stars} AND b.status <> 2)"
                )
            };
            let numbers: Vec<String> = (1..=COLUMNS.len()).map(number).collect();
            let numbers = numbers.join(", ");
            let sql =
                format!("UPDATE tb_shop SET {numbers}, update_time = update_time WHERE {RATED}");
            self.journal.execute(connection, &sql).await?
        } else if manager.has_column("tb_blog", "score").await? {
            count(
                connection,
                &format!("SELECT COUNT(*) FROM tb_shop WHERE {RATED}"),
            )
            .await?
        } else {
            // The original has no stars.
            0
        };
        if filled > 0 {
            let line = format!("tb_shop: stars of notes counted for {filled} shops");
            self.journal.note_rows(line);
        }
        Ok(())
    }
}

impl MigrationName for ShopStars {
    fn name(&self) -> &str {
        "m0018_shop_stars"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ShopStars {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in &COLUMNS {
            column.ensure(manager, &self.journal).await?;
        }
        INDEX.ensure(manager, &self.journal).await?;
        self.fill(manager).await
    }
}
