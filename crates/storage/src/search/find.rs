//! Finds candidates: ids, the newest first, of rows that have the needle's rarest grams.
//!
//! What a query reads is bounded by constants, whatever is typed and however many rows there are: weighing reads
//! [`GRAMS_WEIGHED`] × [`WEIGHT_MAX`] rows of the index, a window twice [`WINDOW_ROWS`] and as many look-ups for each of the
//! joined grams.

use std::collections::BTreeSet;

use domain::Needle;
use sea_orm::{FromQueryResult, Value};

use super::SearchKind;
use crate::sql::statement;
use crate::{Backend, Db, Error};

/// Rows of the rarest gram that one window looks at.
pub const WINDOW_ROWS: usize = 300;

/// Grams of the needle whose frequency is compared: enough for any typed word.
const GRAMS_WEIGHED: usize = 12;

/// Counting stops here: anything more frequent is common.
const WEIGHT_MAX: usize = 300;

/// The rarest of them that are joined: few candidates remain by then, and each join costs.
const GRAMS_JOINED: usize = 3;

/// The grams by which a needle is looked up, the rarest first.
#[derive(Clone, Debug)]
pub struct SearchPlan {
    kind: SearchKind,
    grams: Vec<String>,
}

/// Some of the candidates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The newest first.
    pub ids: Vec<i64>,
    /// The upper bound of the next window; `None` after the last one.
    pub next: Option<i64>,
}

/// Weighs the grams of a needle; `whole` looks for names that are the needle. May lag.
pub async fn plan(
    db: &Db,
    kind: SearchKind,
    needle: &Needle,
    whole: bool,
) -> Result<SearchPlan, Error> {
    let grams = match whole {
        true => needle.whole_grams(),
        false => needle.grams(),
    };
    let grams = rarest(db, kind, grams).await?;
    Ok(SearchPlan { kind, grams })
}

/// The candidates below `before`; begin with `i64::MAX`. May lag.
pub async fn find_window(db: &Db, plan: &SearchPlan, before: i64) -> Result<Window, Error> {
    if plan.grams.is_empty() {
        return Ok(Window {
            ids: Vec::new(),
            next: None,
        });
    }
    let next = last_of_window(db, plan, before).await?;
    let sql = window_sql(db.backend(), plan.grams.len());
    let mut values = vec![Value::from(plan.kind.code())];
    values.extend(plan.grams.iter().map(|gram| Value::from(gram.as_str())));
    values.extend([before.into(), next.unwrap_or(i64::MIN).into()]);
    let ids = ids(db, "search", sql, values).await?;
    Ok(Window { ids, next })
}

/// The last row that the window looks at, if there may be more behind it.
async fn last_of_window(db: &Db, plan: &SearchPlan, before: i64) -> Result<Option<i64>, Error> {
    let rarest = plan.grams.first().map(String::as_str);
    let values = vec![plan.kind.code().into(), rarest.into(), before.into()];
    Ok(ids(db, "end of a search window", end_sql(), values)
        .await?
        .pop())
}

fn end_sql() -> String {
    let offset = WINDOW_ROWS - 1;
    format!(
        "SELECT row_id AS id FROM tb_search_gram WHERE kind = ? AND gram = ? AND row_id < ? \
         ORDER BY row_id DESC LIMIT 1 OFFSET {offset}"
    )
}

/// The order of the joins is ours, because the first index bounds what is read.
fn window_sql(backend: Backend, grams: usize) -> String {
    let join = match backend {
        Backend::MySql => " STRAIGHT_JOIN ",
        Backend::Sqlite => " CROSS JOIN ",
    };
    let tables: Vec<String> = (0..grams).map(|n| format!("tb_search_gram g{n}")).collect();
    let same_row = |n| format!(" AND g{n}.kind = g0.kind AND g{n}.row_id = g0.row_id");
    let has_gram = |n| format!(" AND g{n}.gram = ?");
    let conditions: String = (0..grams)
        .map(has_gram)
        .chain((1..grams).map(same_row))
        .collect();
    format!(
        "SELECT g0.row_id AS id FROM {} WHERE g0.kind = ?{conditions} \
         AND g0.row_id < ? AND g0.row_id >= ? ORDER BY g0.row_id DESC",
        tables.join(join)
    )
}

/// The grams that fewest rows have. SQLite keeps no statistics that could tell.
async fn rarest(db: &Db, kind: SearchKind, grams: BTreeSet<String>) -> Result<Vec<String>, Error> {
    let grams: Vec<String> = grams.into_iter().take(GRAMS_WEIGHED).collect();
    if grams.len() < 2 {
        return Ok(grams);
    }
    let weigh = |n| {
        format!(
            "SELECT {n} AS gram, COUNT(*) AS weight FROM \
             (SELECT 1 FROM tb_search_gram WHERE kind = ? AND gram = ? LIMIT {WEIGHT_MAX}) AS counted"
        )
    };
    let sql: Vec<String> = (0..grams.len()).map(weigh).collect();
    let sql = format!(
        "{} ORDER BY weight, gram LIMIT {GRAMS_JOINED}",
        sql.join(" UNION ALL ")
    );
    let value = |gram: &String| -> [Value; 2] { [kind.code().into(), gram.as_str().into()] };
    let statement = statement(db.reader(), sql, grams.iter().flat_map(value));
    let weights: Vec<Weight> = db.read_from_replica("weigh grams", statement).await?;
    let gram = |weight: Weight| usize::try_from(weight.gram).ok().map(|n| grams[n].clone());
    Ok(weights.into_iter().filter_map(gram).collect())
}

#[derive(FromQueryResult)]
struct Weight {
    /// The place of the gram in what was asked.
    gram: i64,
}

async fn ids(
    db: &Db,
    operation: &'static str,
    sql: String,
    values: Vec<Value>,
) -> Result<Vec<i64>, Error> {
    let statement = statement(db.reader(), sql, values);
    let rows: Vec<IdRow> = db.read_from_replica(operation, statement).await?;
    Ok(rows.into_iter().map(|row| row.id).collect())
}

#[derive(FromQueryResult)]
struct IdRow {
    id: i64,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DbOptions;

    async fn steps(db: &Db, sql: &str, values: Vec<Value>) -> Vec<String> {
        let explain = statement(db.reader(), format!("EXPLAIN QUERY PLAN {sql}"), values);
        let rows = sea_orm::ConnectionTrait::query_all_raw(db.reader(), explain).await;
        let detail = |row: &sea_orm::QueryResult| row.try_get("", "detail").unwrap();
        rows.unwrap().iter().map(detail).collect()
    }

    /// Otherwise a window would read every row that a common word has. MariaDB's rows are counted in `tests/it/found.rs`.
    #[tokio::test]
    async fn sqlite_walks_a_range_of_the_first_gram_and_looks_the_others_up() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("plan.db").display());
        let db = Db::connect(&DbOptions::new(&url)).await.unwrap();
        db.migrate().await.unwrap();
        let values: Vec<Value> = vec![2.into(), "a".into(), "b".into(), 9.into(), 1.into()];
        let window = steps(&db, &window_sql(Backend::Sqlite, 2), values).await;
        let range = "g0 USING PRIMARY KEY (kind=? AND gram=? AND row_id>? AND row_id<?)";
        let look_up = "g1 USING PRIMARY KEY (kind=? AND gram=? AND row_id=?)";
        assert_eq!(window.len(), 2, "{window:#?}");
        assert!(window[0].contains(range), "{window:#?}");
        assert!(window[1].contains(look_up), "{window:#?}");
        let values: Vec<Value> = vec![2.into(), "a".into(), 9.into()];
        let end = steps(&db, &end_sql(), values).await;
        assert_eq!(end.len(), 1, "{end:#?}");
        assert!(
            end[0].contains("(kind=? AND gram=? AND row_id<?)"),
            "{end:#?}"
        );
    }
}
