//! Finding shops by a part of their name.
//!
//! The needle is taken literally and without regard to case; the order is by id. Two characters are the usual Chinese
//! needle (火锅, 咖啡), which a trigram index cannot serve and MariaDB's FULLTEXT not at all, so the index is our own and
//! the same on both databases (`grams.rs`): the shops that have the needle's rarest pairs of characters, by id, each
//! checked against its row, until the page is full.
//!
//! What it costs, measured at 300,000 shops: every needle tried, common, rare, absent, of one character or a whole name,
//! took 0.2 to 4 ms on either database, where `LIKE '%…%'` walks all names for a rare needle (200 ms on MariaDB, index or
//! not). The index is about twenty rows per shop (215 MB beside 100 MB of shops on MariaDB, 84 beside 88 on SQLite), and
//! nearly all of the time it takes to insert many shops at once (45 s for all of them, in an unoptimised build). What
//! grows with use is a page far into the answer to a common needle, because it walks there: 2 ms for the hundredth page.

use domain::shop::NAME_MAX_CHARS;
use sea_orm::{FromQueryResult, Value};

use super::Shop;
use super::grams::query_grams;
use crate::entity::shop::Model;
use crate::sql::{offset, statement};
use crate::{Backend, Db, Error};

/// Grams of the needle whose frequency is compared: enough for any typed name.
const GRAMS_WEIGHED: usize = 16;

/// The rarest of them that are joined: few candidates remain by then, and each join costs.
const GRAMS_JOINED: usize = 3;

/// Counting stops here: anything more frequent is common.
const WEIGHT_MAX: usize = 500;

/// Any character that needs no escaping in a literal of either dialect.
const ESCAPE: char = '!';

/// One page of the shops whose name contains `text`, by id; of all shops if it is empty. `page` counts from 1. May lag.
pub async fn search_by_name(db: &Db, text: &str, page: u32, size: u32) -> Result<Vec<Shop>, Error> {
    // No name contains more.
    if text.chars().count() > NAME_MAX_CHARS {
        return Ok(Vec::new());
    }
    let grams = rarest(db, query_grams(text)).await?;
    let sql = search_sql(db.backend(), grams.len());
    let mut values: Vec<Value> = grams.into_iter().map(Value::from).collect();
    values.extend([
        Value::from(pattern(db.backend(), text)),
        u64::from(size).into(),
        offset(page, size).into(),
    ]);
    let statement = statement(db.reader(), sql, values);
    let rows: Vec<Model> = db.read_from_replica("search shops", statement).await?;
    Ok(rows.into_iter().map(Shop::from_row).collect())
}

/// The grams that fewest shops have, the rarest first. SQLite keeps no statistics that could tell.
async fn rarest(db: &Db, mut grams: Vec<String>) -> Result<Vec<String>, Error> {
    if grams.len() < 2 {
        return Ok(grams);
    }
    grams.truncate(GRAMS_WEIGHED);
    let weigh = |n| {
        format!(
            "SELECT {n} AS gram, COUNT(*) AS shops FROM \
             (SELECT 1 FROM tb_shop_gram WHERE gram = ? LIMIT {WEIGHT_MAX}) AS counted"
        )
    };
    let sql: Vec<String> = (0..grams.len()).map(weigh).collect();
    let sql = format!(
        "{} ORDER BY shops, gram LIMIT {GRAMS_JOINED}",
        sql.join(" UNION ALL ")
    );
    let values = grams.iter().map(|gram| Value::from(gram.as_str()));
    let statement = statement(db.reader(), sql, values);
    let weights: Vec<Weight> = db.read_from_replica("weigh grams", statement).await?;
    let gram = |weight: Weight| usize::try_from(weight.gram).ok().map(|n| grams[n].clone());
    Ok(weights.into_iter().filter_map(gram).collect())
}

#[derive(FromQueryResult)]
struct Weight {
    /// The place of the gram in what was asked.
    gram: i64,
}

/// The order of the joins is ours, because the order of the first index is that of the page.
fn search_sql(backend: Backend, grams: usize) -> String {
    let join = match backend {
        Backend::MySql => " STRAIGHT_JOIN ",
        Backend::Sqlite => " CROSS JOIN ",
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
        name_condition(backend)
    )
}

/// Both compare character by character and exactly; the case is dealt with here, because SQLite's own rule knows ASCII
/// alone and MySQL's takes é for e and any emoji for any other.
fn name_condition(backend: Backend) -> String {
    match backend {
        Backend::MySql => {
            format!("LOWER(s.name) COLLATE utf8mb4_bin LIKE ? ESCAPE '{ESCAPE}'")
        }
        Backend::Sqlite => "s.name GLOB ?".to_owned(),
    }
}

fn pattern(backend: Backend, text: &str) -> String {
    match backend {
        Backend::MySql => {
            let folded = text.chars().flat_map(char::to_lowercase);
            format!("%{}%", folded.map(like_literal).collect::<String>())
        }
        Backend::Sqlite => format!(
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
