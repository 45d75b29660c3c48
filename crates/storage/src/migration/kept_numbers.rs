//! The fifteenth migration: numbers that no rows stand behind are kept as a base, and what the original never counted is
//! counted.
//!
//! The original keeps likes in Redis, has no table of reviews, and its dump says how many units a shop sold. A counter is
//! therefore its base plus its rows. The base is what a number exceeds its rows by: that stays the same while both grow,
//! so filling can be repeated. In a database that this version made it is zero.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::addition::NewColumn;
use super::journal::Journal;
use crate::sql::count;

pub(super) struct KeptNumbers {
    journal: Journal,
}

/// A counter with its base. Literal, because a released migration must not change with the code.
struct CounterBase {
    base: NewColumn,
    counter: &'static str,
    /// The rows behind the counter.
    rows: &'static str,
    /// The same in a database of the original, which lacks some tables and columns.
    original_rows: &'static str,
}

const SOLD: &str = "(SELECT COUNT(*) FROM tb_voucher v \
    JOIN tb_voucher_order o ON o.voucher_id = v.id \
    WHERE v.shop_id = tb_shop.id AND o.status IN (2, 3, 5))";

const BASES: [CounterBase; 5] = [
    CounterBase {
        base: number("tb_blog", "liked_base"),
        counter: "liked",
        rows: "(SELECT COUNT(*) FROM tb_blog_like l WHERE l.blog_id = tb_blog.id)",
        original_rows: "0",
    },
    CounterBase {
        base: number("tb_blog", "comments_base"),
        counter: "comments",
        rows: "(SELECT COUNT(*) FROM tb_blog_comments c WHERE c.blog_id = tb_blog.id)",
        original_rows: "(SELECT COUNT(*) FROM tb_blog_comments c WHERE c.blog_id = tb_blog.id)",
    },
    CounterBase {
        base: number("tb_blog_comments", "liked_base"),
        counter: "liked",
        rows: "(SELECT COUNT(*) FROM tb_blog_comment_like l \
            WHERE l.comment_id = tb_blog_comments.id)",
        original_rows: "0",
    },
    CounterBase {
        base: number("tb_shop", "comments_base"),
        counter: "comments",
        rows: "(SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id)",
        original_rows: "(SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id)",
    },
    CounterBase {
        base: number("tb_shop", "sold_base"),
        counter: "sold",
        rows: "((SELECT COUNT(*) FROM tb_voucher v \
            JOIN tb_voucher_order o ON o.voucher_id = v.id \
            WHERE v.shop_id = tb_shop.id AND o.status IN (2, 3, 5)) + \
            (SELECT COUNT(*) FROM tb_voucher v \
            JOIN tb_voucher_order_archive o ON o.voucher_id = v.id \
            WHERE v.shop_id = tb_shop.id AND o.status = 3))",
        original_rows: SOLD,
    },
];

/// The mean of the stars that the reviews of the base gave.
const SCORE_BASE: NewColumn = number("tb_shop", "score_base");

const fn number(table: &'static str, name: &'static str) -> NewColumn {
    NewColumn {
        table,
        name,
        sqlite: "INTEGER NOT NULL DEFAULT 0",
        mysql: "int NOT NULL DEFAULT 0",
    }
}

/// SQL typed by hand names no initial stock: it is the stock then. SQLite has no such default.
const INITIAL_STOCK: &str =
    "ALTER TABLE tb_seckill_voucher ALTER COLUMN initial_stock SET DEFAULT (stock)";

impl KeptNumbers {
    pub(super) fn new(journal: Journal) -> Self {
        Self { journal }
    }

    /// A hidden row counts as a row here: the counter leaves it out, so the base is rather too small than too large.
    async fn fill_base(
        &self,
        manager: &SchemaManager<'_>,
        base: &CounterBase,
    ) -> Result<(), DbErr> {
        let NewColumn { table, name, .. } = base.base;
        let (counter, rows) = (base.counter, base.rows);
        let filled = if self.journal.is_dry() {
            let rows = match is_current(manager).await? {
                true => rows,
                false => base.original_rows,
            };
            if !manager.has_table(table).await? {
                return Ok(());
            }
            let sql = format!("SELECT COUNT(*) FROM {table} WHERE {counter} > {rows}");
            count(manager.get_connection(), &sql).await?
        } else {
            let sql = format!(
                "UPDATE {table} SET {name} = {counter} - {rows}, update_time = update_time \
                 WHERE {counter} > {rows} AND {name} <> {counter} - {rows}"
            );
            self.journal.execute(manager.get_connection(), &sql).await?
        };
        if filled > 0 {
            self.journal.note_rows(format!(
                "{table}: {counter} is more than the rows behind it in {filled} rows; the rest is kept as {name}"
            ));
        }
        Ok(())
    }

    async fn fill_scores(&self, connection: &impl ConnectionTrait) -> Result<(), DbErr> {
        let sql = "UPDATE tb_shop SET score_base = score, update_time = update_time \
            WHERE comments_base > 0 AND score_base = 0";
        self.journal.execute(connection, sql).await?;
        Ok(())
    }

    /// The original has the columns and never writes them.
    async fn count_follows(&self, manager: &SchemaManager<'_>) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        if !manager.has_table("tb_follow").await? {
            return Ok(());
        }
        let people = "(SELECT user_id FROM tb_follow UNION SELECT follow_user_id FROM tb_follow)";
        let missing = format!(
            "FROM {people} AS p WHERE NOT EXISTS \
             (SELECT 1 FROM tb_user_info i WHERE i.user_id = p.user_id)"
        );
        let is_wrong = "COALESCE(fans, 0) <> (SELECT COUNT(*) FROM tb_follow f \
                WHERE f.follow_user_id = tb_user_info.user_id) \
            OR COALESCE(followee, 0) <> (SELECT COUNT(*) FROM tb_follow f \
                WHERE f.user_id = tb_user_info.user_id)";
        let counted = if self.journal.is_dry() {
            let has_infos = manager.has_table("tb_user_info").await?;
            if !has_infos {
                return Ok(());
            }
            count(connection, &format!("SELECT COUNT(*) {missing}")).await?
                + count(
                    connection,
                    &format!("SELECT COUNT(*) FROM tb_user_info WHERE {is_wrong}"),
                )
                .await?
        } else {
            let insert = format!("INSERT INTO tb_user_info (user_id) SELECT p.user_id {missing}");
            self.journal.execute(connection, &insert).await?;
            let update = format!(
                "UPDATE tb_user_info SET \
                 fans = (SELECT COUNT(*) FROM tb_follow f \
                    WHERE f.follow_user_id = tb_user_info.user_id), \
                 followee = (SELECT COUNT(*) FROM tb_follow f \
                    WHERE f.user_id = tb_user_info.user_id), \
                 update_time = update_time WHERE {is_wrong}"
            );
            self.journal.execute(connection, &update).await?
        };
        if counted > 0 {
            self.journal.note_rows(format!(
                "tb_user_info: fans and followees counted for {counted} people"
            ));
        }
        Ok(())
    }

    async fn default_initial_stock(&self, connection: &impl ConnectionTrait) -> Result<(), DbErr> {
        if connection.get_database_backend() != DbBackend::MySql {
            return Ok(());
        }
        let sql = "SELECT COUNT(*) FROM information_schema.COLUMNS \
            WHERE TABLE_SCHEMA = DATABASE() AND TABLE_NAME = 'tb_seckill_voucher' \
            AND COLUMN_NAME = 'initial_stock' AND COLUMN_DEFAULT IS NOT NULL";
        if count(connection, sql).await? > 0 {
            return Ok(());
        }
        self.journal.execute(connection, INITIAL_STOCK).await?;
        self.journal
            .note("tb_seckill_voucher: default (stock) of initial_stock added".to_owned());
        Ok(())
    }
}

/// Whether the earlier migrations are done, which a dry run of them all does not do.
async fn is_current(manager: &SchemaManager<'_>) -> Result<bool, DbErr> {
    manager.has_table("tb_voucher_order_archive").await
}

impl MigrationName for KeptNumbers {
    fn name(&self) -> &str {
        "m0015_kept_numbers"
    }
}

#[async_trait::async_trait]
impl MigrationTrait for KeptNumbers {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        for base in BASES {
            base.base.ensure(manager, &self.journal).await?;
            self.fill_base(manager, &base).await?;
        }
        SCORE_BASE.ensure(manager, &self.journal).await?;
        self.fill_scores(connection).await?;
        self.count_follows(manager).await?;
        self.default_initial_stock(connection).await
    }
}
