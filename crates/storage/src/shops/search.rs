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
        Value::from(pattern(db.dialect(), text)),
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
        "SELECT s.* FROM {} WHERE {conditions}{} ORDER BY {order} LIMIT ? OFFSET ?",
        tables.join(join),
        name_condition(dialect)
    )
}

/// Both compare character by character and exactly; the case is dealt with here, because SQLite's own rule knows ASCII
/// alone and MySQL's takes é for e and any emoji for any other.
fn name_condition(dialect: DbBackend) -> String {
    match dialect {
        DbBackend::MySql => {
            format!("LOWER(s.name) COLLATE utf8mb4_bin LIKE ? ESCAPE '{ESCAPE}'")
        }
        _ => "s.name GLOB ?".to_owned(),
    }
}

fn pattern(dialect: DbBackend, text: &str) -> String {
    match dialect {
        DbBackend::MySql => {
            let folded = text.chars().flat_map(char::to_lowercase);
            format!("%{}%", folded.map(like_literal).collect::<String>())
        }
        _ => format!(
            "*{}*",
            text.chars().map(glob_either_case).collect::<String>()
        ),
    }
}

fn like_literal(c: char) -> String {
    match c {
        '%' | '_' | ESCAPE => format!("{ESCAPE}{c}"),
        _ => c.to_string(),
    }
}

/// In brackets a character stands for itself, and two of them for either.
fn glob_either_case(c: char) -> String {
    let other_cases = c
        .to_lowercase()
        .chain(c.to_uppercase())
        .filter(|&other| other != c);
    let cases: String = std::iter::once(c).chain(other_cases).collect();
    if matches!(c, '*' | '?' | '[') || cases.len() > c.len_utf8() {
        format!("[{cases}]")
    } else {
        cases
    }
}
