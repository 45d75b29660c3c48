//! Ratings of a shop by aspect, and the dishes that people recommend.
//!
//! A note keeps what its author said. The shop keeps sums and numbers of the ratings, and who recommends what at it is in
//! tables of its own, for the notes that people see. No note of before has any of it, so there is nothing to count.

use sea_orm::DbErr;
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::{NewColumn, NewIndex, NewTable};
use super::journal::Journal;
use super::schema_keys::{SchemaKey, of_table};

pub(super) struct ShopOpinions {
    journal: Journal,
}

const COLUMNS: [NewColumn; 10] = [
    rating("rating_main"),
    rating("rating_surroundings"),
    rating("rating_service"),
    // Five names of twenty characters, and a line break between each two.
    NewColumn {
        table: "tb_blog",
        name: "dishes",
        sqlite: "TEXT NOT NULL DEFAULT '' CHECK (length(dishes) <= 128)",
        mysql: "varchar(128) NOT NULL DEFAULT ''",
    },
    number("rating_main_sum"),
    number("rating_main_count"),
    number("rating_surroundings_sum"),
    number("rating_surroundings_count"),
    number("rating_service_sum"),
    number("rating_service_count"),
];

const TABLES: [NewTable; 2] = [
    // What the notes that people see recommend. `dish` is the name in the form of the search, compared byte by byte on both
    // engines; the key lists the notes of a dish, newest last.
    NewTable {
        name: "tb_blog_dish",
        sqlite: "shop_id INTEGER NOT NULL, dish TEXT NOT NULL CHECK (length(dish) <= 40), \
            blog_id INTEGER NOT NULL, user_id INTEGER NOT NULL, \
            name TEXT NOT NULL CHECK (length(name) <= 20), PRIMARY KEY (shop_id, dish, blog_id)",
        mysql: "shop_id bigint NOT NULL, dish varchar(40) COLLATE utf8mb4_bin NOT NULL, \
            blog_id bigint NOT NULL, user_id bigint NOT NULL, name varchar(20) NOT NULL, \
            PRIMARY KEY (shop_id, dish, blog_id)",
    },
    // How many people recommend it.
    NewTable {
        name: "tb_shop_dish",
        sqlite: "shop_id INTEGER NOT NULL, dish TEXT NOT NULL CHECK (length(dish) <= 40), \
            people INTEGER NOT NULL, PRIMARY KEY (shop_id, dish)",
        mysql: "shop_id bigint NOT NULL, dish varchar(40) COLLATE utf8mb4_bin NOT NULL, \
            people int NOT NULL, PRIMARY KEY (shop_id, dish)",
    },
];

const INDEXES: [NewIndex; 3] = [
    // Adding the ratings of a shop up reads no note.
    NewIndex {
        table: "tb_blog",
        name: "ix_blog_shop_ratings",
        columns: "shop_id, rating_main, rating_surroundings, rating_service, status",
    },
    // Whether a person recommends it in another note as well.
    NewIndex {
        table: "tb_blog_dish",
        name: "ix_blog_dish_user",
        columns: "shop_id, dish, user_id",
    },
    // The most recommended.
    NewIndex {
        table: "tb_shop_dish",
        name: "ix_shop_dish_people",
        columns: "shop_id, people, dish",
    },
];

const fn rating(name: &'static str) -> NewColumn {
    NewColumn {
        table: "tb_blog",
        name,
        sqlite: "INTEGER",
        mysql: "smallint NULL",
    }
}

const fn number(name: &'static str) -> NewColumn {
    NewColumn {
        table: "tb_shop",
        name,
        sqlite: "INTEGER NOT NULL DEFAULT 0",
        mysql: "int NOT NULL DEFAULT 0",
    }
}

pub(super) fn keys() -> Vec<SchemaKey> {
    let index = |index: &NewIndex| SchemaKey::index(index.table, index.columns);
    let tables = TABLES.iter().flat_map(of_table);
    tables.chain(INDEXES.iter().map(index)).collect()
}

impl ShopOpinions {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }
}

impl MigrationName for ShopOpinions {
    fn name(&self) -> &str {
        "m0029_shop_opinions"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for ShopOpinions {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for column in &COLUMNS {
            column.ensure(manager, &self.journal).await?;
        }
        for table in &TABLES {
            table.ensure(manager, &self.journal).await?;
        }
        for index in &INDEXES {
            index.ensure(manager, &self.journal).await?;
        }
        Ok(())
    }
}
