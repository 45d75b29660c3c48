//! Copies of the demo data's shops and notes under other ids, with the grams that the product made for them.
//!
//! Invariant: a copy has the grams of its original, so it is found by the same words.

use anyhow::{Context, Result, ensure};

use crate::sql::{DatabaseKind, Sql};

/// Of the demo data that is copied: 3,000 shops and 6,000 notes with as many different texts.
pub(super) const SCALE: &str = "10";

/// From the ids of one copy to those of the next: above every id of the originals, and a thousand copies of them are far
/// below the ids that the database chooses.
const STRIDE: u64 = 10_000;

/// Rows of one statement, about; a running log or journal stays small.
const ROWS: u64 = 500_000;

/// A degree and more around each city, so that shops do not stand on top of each other.
const SPREAD: &str = "((c.i % 41) - 20) * 0.01";
const SPREAD_Y: &str = "((c.i % 37) - 18) * 0.01";

/// The grams of the originals, numbered in the order of the index: copies of neighbours go to the same pages.
const ORIGINALS: &str = "bench_gram";

/// What is copied, by its code in the index.
#[derive(Debug)]
struct Kind {
    name: &'static str,
    code: u8,
    table: &'static str,
    columns: &'static str,
    /// The same columns as a copy has them.
    copied: String,
    originals: u64,
    copies: u64,
    bytes: u64,
}

#[derive(Debug)]
pub(super) struct Copies<'s> {
    sql: &'s Sql,
    shops: Kind,
    notes: Kind,
}

impl<'s> Copies<'s> {
    pub(super) async fn prepare(sql: &'s Sql) -> Result<Self> {
        let number = match sql.kind() {
            DatabaseKind::Sqlite => "INTEGER PRIMARY KEY",
            DatabaseKind::MariaDb => "BIGINT AUTO_INCREMENT PRIMARY KEY",
        };
        let text = match sql.kind() {
            DatabaseKind::Sqlite => "TEXT",
            DatabaseKind::MariaDb => "varchar(2) COLLATE utf8mb4_bin",
        };
        sql.execute(format!(
            "CREATE TABLE {ORIGINALS} (n {number}, kind INTEGER, gram {text}, row_id BIGINT)"
        ))
        .await?;
        sql.execute(format!(
            "INSERT INTO {ORIGINALS} (kind, gram, row_id) \
             SELECT kind, gram, row_id FROM tb_search_gram ORDER BY kind, gram, row_id"
        ))
        .await?;
        let shops = Kind {
            name: "shop",
            code: 1,
            table: "tb_shop",
            columns: "id, name, type_id, images, area, address, x, y, avg_price, score, comments, open_hours, owner_id",
            copied: format!(
                "t.id + c.i * {STRIDE}, name, type_id, images, area, address, x + {SPREAD}, y + {SPREAD_Y}, \
                 avg_price, score, comments, open_hours, owner_id"
            ),
            originals: count(sql, "tb_shop").await?,
            copies: 0,
            bytes: 0,
        };
        let notes = Kind {
            name: "note",
            code: 2,
            table: "tb_blog",
            columns: "id, shop_id, user_id, title, images, content, liked, score",
            copied: format!(
                "t.id + c.i * {STRIDE}, shop_id, user_id, title, images, content, liked, score"
            ),
            originals: count(sql, "tb_blog").await?,
            copies: 0,
            bytes: 0,
        };
        Ok(Self { sql, shops, notes })
    }

    /// Adds copies until there are about so many, originals included.
    pub(super) async fn grow_to(&mut self, shops: u64, notes: u64) -> Result<()> {
        grow(self.sql, &mut self.shops, shops).await?;
        grow(self.sql, &mut self.notes, notes).await?;
        if self.sql.kind() == DatabaseKind::MariaDb {
            let analyze = "ANALYZE TABLE tb_shop, tb_blog, tb_search_gram";
            self.sql.execute(analyze.to_owned()).await?;
        }
        Ok(())
    }

    /// What the index takes for each of a kind.
    pub(super) fn index_bytes(&self) -> Vec<(&'static str, f64)> {
        let kinds = [&self.shops, &self.notes].into_iter();
        let copied = kinds.filter(|kind| kind.copies > 0);
        let each = |kind: &Kind| kind.bytes as f64 / (kind.copies * kind.originals) as f64;
        copied.map(|kind| (kind.name, each(kind))).collect()
    }
}

/// A note with a word that no other has.
pub(super) async fn add_rare_note(sql: &Sql, word: &str) -> Result<()> {
    // Above all copies, as the newest is.
    const ID: u64 = 99_000_000;
    sql.execute(format!(
        "INSERT INTO tb_blog (id, shop_id, user_id, title, images, content) \
         VALUES ({ID}, 1, 100, '{word}', '/imgs/demo/noodles-01.jpg', '只此一篇。')"
    ))
    .await?;
    let letters: Vec<char> = word.chars().collect();
    for pair in letters.windows(2) {
        let gram: String = pair.iter().collect();
        sql.execute(format!(
            "INSERT INTO tb_search_gram (kind, gram, row_id) VALUES (2, '{gram}', {ID})"
        ))
        .await?;
    }
    Ok(())
}

async fn grow(sql: &Sql, kind: &mut Kind, wanted: u64) -> Result<()> {
    let copies = (wanted / kind.originals).saturating_sub(1).max(kind.copies);
    ensure!(
        copies < 9_000,
        "so many copies would reach the ids of the site"
    );
    let (first, last) = (kind.copies + 1, copies);
    if first > last {
        return Ok(());
    }
    let Kind {
        table,
        columns,
        copied,
        originals,
        code,
        ..
    } = kind;
    for (first, last) in batches(first, last, (ROWS / 10 / *originals).max(1)) {
        let numbers = numbers(sql.kind(), first, last);
        sql.execute(format!(
            "INSERT INTO {table} ({columns}) SELECT {copied} FROM {numbers} c CROSS JOIN {table} t \
             WHERE t.id <= {originals}"
        ))
        .await?;
    }
    let before = index_size(sql).await?;
    let range = format!(
        "SELECT MIN(n) FROM {ORIGINALS} WHERE kind = {code} \
        UNION ALL SELECT MAX(n) FROM {ORIGINALS} WHERE kind = {code}"
    );
    let range = sql.numbers(range).await?;
    let (least, most) = (range[0] as u64, range[1] as u64);
    let every = (ROWS / (last - first + 1)).max(1);
    let numbers = numbers(sql.kind(), first, last);
    let join = match sql.kind() {
        DatabaseKind::Sqlite => "CROSS JOIN",
        DatabaseKind::MariaDb => "STRAIGHT_JOIN",
    };
    for (from, to) in batches(least, most, every) {
        sql.execute(format!(
            "INSERT INTO tb_search_gram (kind, gram, row_id) \
             SELECT g.kind, g.gram, g.row_id + c.i * {STRIDE} FROM {ORIGINALS} g {join} {numbers} c \
             WHERE g.n BETWEEN {from} AND {to}"
        ))
        .await?;
    }
    kind.bytes += index_size(sql).await?.saturating_sub(before);
    kind.copies = copies;
    Ok(())
}

/// Ranges of so many from the first to the last.
fn batches(first: u64, last: u64, size: u64) -> impl Iterator<Item = (u64, u64)> {
    (first..=last)
        .step_by(size as usize)
        .map(move |from| (from, last.min(from + size - 1)))
}

/// A table of numbers `i`.
fn numbers(kind: DatabaseKind, first: u64, last: u64) -> String {
    match kind {
        DatabaseKind::Sqlite => format!(
            "(WITH RECURSIVE n (i) AS (SELECT {first} UNION ALL SELECT i + 1 FROM n WHERE i < {last}) \
             SELECT i FROM n)"
        ),
        DatabaseKind::MariaDb =>
        // Their numbers have no sign, and differences of them may not be negative.
        {
            format!("(SELECT CAST(seq AS SIGNED) AS i FROM seq_{first}_to_{last})")
        }
    }
}

/// Bytes of the file with the index: SQLite's has the tables as well, so it is looked at before and after.
async fn index_size(sql: &Sql) -> Result<u64> {
    let size = match sql.kind() {
        DatabaseKind::Sqlite => {
            "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
        }
        DatabaseKind::MariaDb => {
            "SELECT CAST(file_size AS SIGNED) FROM information_schema.innodb_sys_tablespaces \
             WHERE name = CONCAT(DATABASE(), '/tb_search_gram')"
        }
    };
    let found = sql.numbers(size.to_owned()).await?;
    let bytes = found.first().context("the database says how large it is")?;
    Ok(u64::try_from(*bytes)?)
}

async fn count(sql: &Sql, table: &str) -> Result<u64> {
    let found = sql.numbers(format!("SELECT COUNT(*) FROM {table}")).await?;
    Ok(u64::try_from(found[0])?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_cover_everything_once() {
        let all: Vec<_> = batches(1, 10, 4).collect();
        assert_eq!(all, [(1, 4), (5, 8), (9, 10)]);
        assert_eq!(batches(3, 3, 4).collect::<Vec<_>>(), [(3, 3)]);
    }
}
