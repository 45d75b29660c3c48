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
    /// The same in a database of the original, which lacks some tables and columns and has no keys to find the rows of one
    /// owner by. `None` if it never had such rows.
    original: Option<OriginalRows>,
}

/// The rows of the original that are behind a counter, read once for all owners.
struct OriginalRows {
    /// Without all of these there are none.
    tables: &'static [&'static str],
    /// Their number `n` by `owner`.
    by_owner: &'static str,
}

const BASES: [CounterBase; 5] = [
    CounterBase {
        base: number("tb_blog", "liked_base"),
        counter: "liked",
        rows: "(SELECT COUNT(*) FROM tb_blog_like l WHERE l.blog_id = tb_blog.id)",
        original: None,
    },
    CounterBase {
        base: number("tb_blog", "comments_base"),
        counter: "comments",
        rows: "(SELECT COUNT(*) FROM tb_blog_comments c WHERE c.blog_id = tb_blog.id)",
        original: Some(OriginalRows {
            tables: &["tb_blog_comments"],
            by_owner: "SELECT blog_id AS owner, COUNT(*) AS n FROM tb_blog_comments GROUP BY blog_id",
        }),
    },
    CounterBase {
        base: number("tb_blog_comments", "liked_base"),
        counter: "liked",
        rows: "(SELECT COUNT(*) FROM tb_blog_comment_like l \
            WHERE l.comment_id = tb_blog_comments.id)",
        original: None,
    },
    CounterBase {
        base: number("tb_shop", "comments_base"),
        counter: "comments",
        rows: "(SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id)",
        original: Some(OriginalRows {
            tables: &["tb_blog"],
            by_owner: "SELECT shop_id AS owner, COUNT(*) AS n FROM tb_blog GROUP BY shop_id",
        }),
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
        original: Some(OriginalRows {
            tables: &["tb_voucher", "tb_voucher_order"],
            by_owner: "SELECT v.shop_id AS owner, COUNT(*) AS n FROM tb_voucher_order o \
                JOIN tb_voucher v ON v.id = o.voucher_id \
                WHERE o.status IN (2, 3, 5) GROUP BY v.shop_id",
        }),
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
            base.count_surplus(manager).await?
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
        let counted = if self.journal.is_dry() {
            count_wrong_follows(manager).await?
        } else {
            let insert = format!(
                "INSERT INTO tb_user_info (user_id) SELECT p.user_id FROM {PEOPLE} WHERE {WITHOUT_INFO}"
            );
            self.journal.execute(connection, &insert).await?;
            self.journal.execute(connection, CORRECT_FOLLOWS).await?
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

impl CounterBase {
    /// Rows whose counter is more than the rows behind it.
    async fn count_surplus(&self, manager: &SchemaManager<'_>) -> Result<u64, DbErr> {
        let (table, counter, rows) = (self.base.table, self.counter, self.rows);
        if !manager.has_column(table, counter).await? {
            return Ok(0);
        }
        let sql = if is_current(manager).await? {
            format!("SELECT COUNT(*) FROM {table} WHERE {counter} > {rows}")
        } else {
            match &self.original {
                Some(original) if has_tables(manager, original.tables).await? => format!(
                    "SELECT COUNT(*) FROM {table} LEFT JOIN ({}) AS behind \
                     ON behind.owner = {table}.id WHERE {table}.{counter} > COALESCE(behind.n, 0)",
                    original.by_owner
                ),
                _ => format!("SELECT COUNT(*) FROM {table} WHERE {counter} > 0"),
            }
        };
        count(manager.get_connection(), &sql).await
    }
}

/// People who follow or are followed.
const PEOPLE: &str =
    "(SELECT user_id FROM tb_follow UNION SELECT follow_user_id FROM tb_follow) AS p";

const WITHOUT_INFO: &str = "NOT EXISTS (SELECT 1 FROM tb_user_info i WHERE i.user_id = p.user_id)";

const CORRECT_FOLLOWS: &str = "UPDATE tb_user_info SET \
    fans = (SELECT COUNT(*) FROM tb_follow f WHERE f.follow_user_id = tb_user_info.user_id), \
    followee = (SELECT COUNT(*) FROM tb_follow f WHERE f.user_id = tb_user_info.user_id), \
    update_time = update_time \
    WHERE COALESCE(fans, 0) <> (SELECT COUNT(*) FROM tb_follow f \
        WHERE f.follow_user_id = tb_user_info.user_id) \
    OR COALESCE(followee, 0) <> (SELECT COUNT(*) FROM tb_follow f \
        WHERE f.user_id = tb_user_info.user_id)";

/// Counters that differ from the follows. Reads each table once: the original has no key by which the follows of one person
/// are found.
const WRONG_FOLLOWS: &str = "SELECT COUNT(*) FROM tb_user_info i \
    LEFT JOIN (SELECT follow_user_id AS id, COUNT(*) AS n FROM tb_follow \
        GROUP BY follow_user_id) AS followers ON followers.id = i.user_id \
    LEFT JOIN (SELECT user_id AS id, COUNT(*) AS n FROM tb_follow \
        GROUP BY user_id) AS followed ON followed.id = i.user_id \
    WHERE COALESCE(i.fans, 0) <> COALESCE(followers.n, 0) \
    OR COALESCE(i.followee, 0) <> COALESCE(followed.n, 0)";

/// People whose counters [`KeptNumbers::count_follows`] would write.
async fn count_wrong_follows(manager: &SchemaManager<'_>) -> Result<u64, DbErr> {
    let has_follows = manager.has_table("tb_follow").await?;
    let has_infos = manager.has_table("tb_user_info").await?;
    let people = format!("SELECT COUNT(*) FROM {PEOPLE}");
    let newcomers = format!("{people} WHERE {WITHOUT_INFO}");
    let not_zero = "SELECT COUNT(*) FROM tb_user_info \
        WHERE COALESCE(fans, 0) <> 0 OR COALESCE(followee, 0) <> 0";
    let counts: &[&str] = match (has_follows, has_infos) {
        (true, true) => &[&newcomers, WRONG_FOLLOWS],
        (true, false) => &[&people],
        (false, true) => &[not_zero],
        (false, false) => &[],
    };
    let mut wrong = 0;
    for sql in counts {
        wrong += count(manager.get_connection(), sql).await?;
    }
    Ok(wrong)
}

async fn has_tables(manager: &SchemaManager<'_>, tables: &[&str]) -> Result<bool, DbErr> {
    for table in tables {
        if !manager.has_table(table).await? {
            return Ok(false);
        }
    }
    Ok(true)
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
