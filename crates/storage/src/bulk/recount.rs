//! Recomputes stored counters from the rows behind them: likes, comments, fans, sales, scores.
//!
//! A counter of an adopted database may be higher than its rows explain: the original kept likes in Redis, and its dump
//! says how many units a shop sold. Such a number is a base that is kept, and the rows are added to it.
//!
//! It runs beside a serving site. Each transaction locks a range of rows first and counts in a second statement,
//! which therefore sees every commit before the lock; later changes of a counter wait for the lock and add to the new
//! value.

use domain::OrderStatus;
use sea_orm::{ConnectionTrait, DbErr, QueryResult};

use super::dishes;
use crate::comments::count_of_shown;
use crate::notes::shop_counts;
use crate::sql::codes;
use crate::{Backend, Db, Error};

/// Ids per transaction: each row costs a few index lookups, so a range takes well under a second.
const IDS_PER_RANGE: i64 = 5_000;

/// A table whose counters can be recounted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedTable {
    Notes,
    Comments,
    People,
    Shops,
}

impl CountedTable {
    pub const ALL: [Self; 4] = [Self::Notes, Self::Comments, Self::People, Self::Shops];
}

/// What becomes of a number that is higher than its base and its rows: somebody wrote it, or deleted rows, by SQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surplus {
    /// It stays: what no rows explain is added to the base.
    Keep,
    /// It is lowered to the base and the rows.
    Drop,
}

/// A counter that differs from what its base and its rows add up to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CounterDifference {
    /// `tb_shop.sold`
    pub counter: &'static str,
    /// Rows whose number is too low.
    pub below: u64,
    /// Rows whose number is higher than rows explain.
    pub above: u64,
    /// Whether [`Surplus`] decides about the latter; otherwise they are always lowered.
    pub has_base: bool,
}

/// What is counted for the rows of one table.
struct Counters {
    operation: &'static str,
    table: &'static str,
    id: &'static str,
    columns: Vec<Counter>,
}

struct Counter {
    column: &'static str,
    /// With the table, for people.
    name: &'static str,
    /// The column of its base, if numbers without rows are possible.
    base: Option<&'static str>,
    /// What the rows behind it add up to.
    rows: String,
    /// What else is set where the base is raised.
    with_base: Option<&'static str>,
}

/// The mean of the reviews that come with the base is the score that the shop has.
const SCORE_BASE: &str = ", score_base = CASE WHEN score_base = 0 THEN score ELSE score_base END";

impl Counter {
    /// What the column is to be.
    fn value(&self) -> String {
        match self.base {
            Some(base) => format!("{base} + {}", self.rows),
            None => self.rows.clone(),
        }
    }
}

fn counters(table: CountedTable) -> Counters {
    match table {
        CountedTable::Notes => notes(),
        CountedTable::Comments => comments(),
        CountedTable::People => people(),
        CountedTable::Shops => shops(),
    }
}

fn notes() -> Counters {
    Counters {
        operation: "recount notes",
        table: "tb_blog",
        id: "id",
        columns: vec![
            Counter {
                column: "liked",
                name: "tb_blog.liked",
                base: Some("liked_base"),
                rows: "(SELECT COUNT(*) FROM tb_blog_like l WHERE l.blog_id = tb_blog.id)"
                    .to_owned(),
                with_base: None,
            },
            Counter {
                column: "comments",
                name: "tb_blog.comments",
                base: Some("comments_base"),
                rows: count_of_shown(),
                with_base: None,
            },
        ],
    }
}

fn comments() -> Counters {
    Counters {
        operation: "recount comments",
        table: "tb_blog_comments",
        id: "id",
        columns: vec![Counter {
            column: "liked",
            name: "tb_blog_comments.liked",
            base: Some("liked_base"),
            rows: "(SELECT COUNT(*) FROM tb_blog_comment_like l \
                WHERE l.comment_id = tb_blog_comments.id)"
                .to_owned(),
            with_base: None,
        }],
    }
}

/// Their rows are all in SQL, so there is no base.
fn people() -> Counters {
    Counters {
        operation: "recount people",
        table: "tb_user_info",
        id: "user_id",
        columns: vec![
            Counter {
                column: "fans",
                name: "tb_user_info.fans",
                base: None,
                rows: "(SELECT COUNT(*) FROM tb_follow f \
                    WHERE f.follow_user_id = tb_user_info.user_id)"
                    .to_owned(),
                with_base: None,
            },
            Counter {
                column: "followee",
                name: "tb_user_info.followee",
                base: None,
                rows: "(SELECT COUNT(*) FROM tb_follow f WHERE f.user_id = tb_user_info.user_id)"
                    .to_owned(),
                with_base: None,
            },
        ],
    }
}

/// `sold` counts orders that are paid, used or being refunded, found through the vouchers, which have the index. The score
/// comes last: it weighs the base of the comments.
fn shops() -> Counters {
    let sold = [OrderStatus::Paid, OrderStatus::Used, OrderStatus::Refunding];
    let (sold, used) = (codes(sold.map(OrderStatus::code)), OrderStatus::Used.code());
    Counters {
        operation: "recount shops",
        table: "tb_shop",
        id: "id",
        columns: [
            Counter {
                column: "sold",
                name: "tb_shop.sold",
                base: Some("sold_base"),
                rows: format!(
                    "((SELECT COUNT(*) FROM tb_voucher v \
                    JOIN tb_voucher_order o ON o.voucher_id = v.id \
                    WHERE v.shop_id = tb_shop.id AND o.status IN ({sold})) + \
                    (SELECT COUNT(*) FROM tb_voucher v \
                    JOIN tb_voucher_order_archive o ON o.voucher_id = v.id \
                    WHERE v.shop_id = tb_shop.id AND o.status = {used}))"
                ),
                with_base: None,
            },
            Counter {
                column: "comments",
                name: "tb_shop.comments",
                base: Some("comments_base"),
                rows: shop_counts::visible_notes(),
                with_base: Some(SCORE_BASE),
            },
            Counter {
                column: "score",
                name: "tb_shop.score",
                base: None,
                rows: shop_counts::score(),
                with_base: None,
            },
        ]
        .into_iter()
        .chain(stars())
        .chain(ratings())
        .collect(),
    }
}

/// Of each number of stars, the notes that gave it: their rows are all in SQL.
fn stars() -> [Counter; 5] {
    let names = [
        "tb_shop.stars_1",
        "tb_shop.stars_2",
        "tb_shop.stars_3",
        "tb_shop.stars_4",
        "tb_shop.stars_5",
    ];
    let mut names = names.into_iter();
    shop_counts::STARS.map(|(column, stars)| Counter {
        column,
        name: names.next().unwrap_or(column),
        base: None,
        rows: shop_counts::notes_with(stars),
        with_base: None,
    })
}

/// The ratings of each aspect: what they add up to, and how many there are. Both are all in SQL.
fn ratings() -> impl Iterator<Item = Counter> {
    let names = [
        ["tb_shop.rating_main_sum", "tb_shop.rating_main_count"],
        [
            "tb_shop.rating_surroundings_sum",
            "tb_shop.rating_surroundings_count",
        ],
        ["tb_shop.rating_service_sum", "tb_shop.rating_service_count"],
    ];
    let aspects = shop_counts::RATINGS.into_array();
    aspects.into_iter().zip(names).flat_map(|(aspect, names)| {
        let [sum, count] = names;
        let counter = |column, name, rows| Counter {
            column,
            name,
            base: None,
            rows,
            with_base: None,
        };
        [
            counter(aspect.sum, sum, aspect.sum_of_rows()),
            counter(aspect.count, count, aspect.count_of_rows()),
        ]
    })
}

/// Sets every counter of these tables to what its base and the rows behind it add up to.
pub async fn recount(db: &Db, tables: &[CountedTable], surplus: Surplus) -> Result<(), Error> {
    for table in tables {
        if *table == CountedTable::People {
            db.run("make missing infos", ensure_infos(db)).await?;
        }
        let counters = counters(*table);
        let mut after = 0;
        while let Some(last) = last_of_range(db, &counters, after).await? {
            let work = recount_range(db, &counters, surplus, after, last);
            db.run(counters.operation, work).await?;
            after = last;
        }
        if *table == CountedTable::Shops {
            dishes::recount(db).await?;
        }
    }
    Ok(())
}

/// What [`recount`] would change. Changes nothing.
pub async fn compare_counters(
    db: &Db,
    tables: &[CountedTable],
) -> Result<Vec<CounterDifference>, Error> {
    let mut differences: Vec<CounterDifference> = Vec::new();
    for table in tables {
        let counters = counters(*table);
        let first = differences.len();
        differences.extend(counters.columns.iter().map(|counter| CounterDifference {
            counter: counter.name,
            below: 0,
            above: 0,
            has_base: counter.base.is_some(),
        }));
        let mut after = 0;
        while let Some(last) = last_of_range(db, &counters, after).await? {
            let found = &mut differences[first..];
            let work = compare_range(db, &counters, found, after, last);
            db.run(counters.operation, work).await?;
            after = last;
        }
    }
    differences.retain(|difference| difference.below + difference.above > 0);
    Ok(differences)
}

/// Every user who follows or is followed needs a row for the counters.
async fn ensure_infos(db: &Db) -> Result<(), DbErr> {
    let (verb, tail) = match db.backend() {
        Backend::MySql => ("INSERT IGNORE INTO", ""),
        // Without a WHERE, SQLite would read ON as part of a join.
        Backend::Sqlite => ("INSERT INTO", " WHERE true ON CONFLICT DO NOTHING"),
    };
    for column in ["user_id", "follow_user_id"] {
        let sql =
            format!("{verb} tb_user_info (user_id) SELECT DISTINCT {column} FROM tb_follow{tail}");
        db.writer().execute_unprepared(&sql).await?;
    }
    Ok(())
}

async fn compare_range(
    db: &Db,
    counters: &Counters,
    found: &mut [CounterDifference],
    after: i64,
    last: i64,
) -> Result<(), DbErr> {
    let Counters {
        table, id, columns, ..
    } = counters;
    // The sum of a condition is a decimal on MySQL.
    let integer = match db.backend() {
        Backend::MySql => "SIGNED",
        Backend::Sqlite => "INTEGER",
    };
    for (counter, found) in columns.iter().zip(found) {
        let (column, value) = (counter.column, counter.value());
        let sql = format!(
            "SELECT CAST(COALESCE(SUM({column} < {value}), 0) AS {integer}) AS below, \
             CAST(COALESCE(SUM({column} > {value}), 0) AS {integer}) AS above \
             FROM {table} WHERE {id} > {after} AND {id} <= {last}"
        );
        if let Some(row) = db.reader().query_one_raw(db.statement(&sql)).await? {
            found.below += number(&row, "below")?;
            found.above += number(&row, "above")?;
        }
    }
    Ok(())
}

/// The last id of the next range above `after`, or `None` when no rows are left. Ranges count rows because ids may be
/// sparse.
async fn last_of_range(db: &Db, counters: &Counters, after: i64) -> Result<Option<i64>, Error> {
    let Counters { table, id, .. } = counters;
    let sql = format!(
        "SELECT MAX({id}) AS last FROM (SELECT {id} FROM {table} WHERE {id} > {after} \
         ORDER BY {id} LIMIT {IDS_PER_RANGE}) AS next"
    );
    let query = async {
        let row = db.reader().query_one_raw(db.statement(&sql)).await?;
        row.map_or(Ok(None), |row| row.try_get("", "last"))
    };
    db.run(counters.operation, query).await
}

async fn recount_range(
    db: &Db,
    counters: &Counters,
    surplus: Surplus,
    after: i64,
    last: i64,
) -> Result<(), DbErr> {
    let Counters {
        table, id, columns, ..
    } = counters;
    let range = format!("{id} > {after} AND {id} <= {last}");
    let transaction = db.begin().await?;
    if db.backend() == Backend::MySql {
        // Locks by the primary key, as every writer of a counter does: with another index the lock order would differ
        // and deadlock.
        let lock = format!(
            "SELECT {id} FROM {table} FORCE INDEX (PRIMARY) WHERE {range} ORDER BY {id} FOR UPDATE"
        );
        transaction.query_all_raw(db.statement(&lock)).await?;
    }
    if surplus == Surplus::Keep {
        for Counter {
            column,
            base,
            rows,
            with_base,
            ..
        } in columns
        {
            let Some(base) = base else { continue };
            let sql = format!(
                "UPDATE {table} SET {base} = {column} - {rows}{}, update_time = update_time \
                 WHERE {range} AND {column} > {base} + {rows}",
                with_base.unwrap_or_default()
            );
            transaction.execute_unprepared(&sql).await?;
        }
    }
    let assign = |counter: &Counter| format!("{} = {}", counter.column, counter.value());
    let assignments: Vec<String> = columns.iter().map(assign).collect();
    let assignments = assignments.join(", ");
    // A recount is not an edit.
    let sql = format!("UPDATE {table} SET {assignments}, update_time = update_time WHERE {range}");
    transaction.execute_unprepared(&sql).await?;
    transaction.commit().await
}

fn number(row: &QueryResult, name: &str) -> Result<u64, DbErr> {
    let number: i64 = row.try_get("", name)?;
    Ok(u64::try_from(number).unwrap_or(0))
}
