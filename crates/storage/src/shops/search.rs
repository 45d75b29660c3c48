//! Finding shops by a part of their name.
//!
//! The needle is taken literally and without regard to case; the order is by id. Two characters are the usual Chinese
//! needle (火锅, 咖啡), which a trigram index cannot serve and MariaDB's FULLTEXT not at all, so the index is our own and
//! the same on both databases (`grams.rs`): the shops that have every pair of the needle's characters, by id, each
//! checked against its row, until the page is full.
//!
//! A single character has no pair. It is looked for in the rows themselves, by id until the page is full: quick where it
//! is common, a walk through the table where it is rare.

use sea_orm::{DbBackend, Statement, Value};

use super::grams::pairs;
use super::{Shop, offset};
use crate::entity::shop::Model;
use crate::{Db, Error};

/// Pairs that are looked up; by then hardly any row is left to check, and a join is not free.
const PAIRS_PER_SEARCH: usize = 8;

/// The width of the column: no name contains more.
const NAME_MAX_CHARS: usize = 128;

/// Any character that needs no escaping in a literal of either dialect.
const ESCAPE: char = '!';

/// One page of the shops whose name contains `text`, by id; of all shops if it is empty. `page` counts from 1. May lag.
pub async fn search_by_name(db: &Db, text: &str, page: u32, size: u32) -> Result<Vec<Shop>, Error> {
    if text.chars().count() > NAME_MAX_CHARS {
        return Ok(Vec::new());
    }
    let grams = pairs(text).into_iter().take(PAIRS_PER_SEARCH);
    let mut values: Vec<Value> = grams.map(Value::from).collect();
    let sql = search_sql(db.dialect(), values.len());
    values.extend([
        Value::from(pattern(text)),
        u64::from(size).into(),
        offset(page, size).into(),
    ]);
    let statement = Statement::from_sql_and_values(db.dialect(), sql, values);
    let rows: Vec<Model> = db.read_lagging("search shops", statement).await?;
    Ok(rows.into_iter().map(Shop::from_row).collect())
}

/// The order of the joins is ours, because the order of the first index is that of the page.
fn search_sql(dialect: DbBackend, grams: usize) -> String {
    let join = match dialect {
        DbBackend::MySql => " STRAIGHT_JOIN ",
        _ => " CROSS JOIN ",
    };
    let mut tables: Vec<String> = (0..grams).map(|n| format!("tb_shop_gram g{n}")).collect();
    tables.push("tb_shop s".to_owned());
    let has_gram = |n| format!("g{n}.gram = ? AND ");
    let is_same_shop = |n| format!("g{n}.shop_id = g0.shop_id AND ");
    let mut conditions: String = (0..grams).map(has_gram).collect();
    conditions.extend((1..grams).map(is_same_shop));
    let mut order = "s.id";
    if grams > 0 {
        conditions.push_str("s.id = g0.shop_id AND ");
        order = "g0.shop_id";
    }
    format!(
        "SELECT s.* FROM {} WHERE {conditions}s.name LIKE ? ESCAPE '{ESCAPE}' \
         ORDER BY {order} LIMIT ? OFFSET ?",
        tables.join(join)
    )
}

/// What `LIKE` is to check. SQLite knows upper and lower case in ASCII alone, so any other letter that has both matches
/// whatever stands there: its pair has already been found in the index.
fn pattern(text: &str) -> String {
    let mut pattern = String::from("%");
    for c in text.chars() {
        if matches!(c, '%' | '_' | ESCAPE) {
            pattern.push(ESCAPE);
        }
        pattern.push(if is_cased_beyond_ascii(c) { '_' } else { c });
    }
    pattern.push('%');
    pattern
}

fn is_cased_beyond_ascii(c: char) -> bool {
    !c.is_ascii() && (c.is_uppercase() || c.is_lowercase())
}
