//! Visitors and views per page and day: `tb_visit`, folded from the counters in Redis.
//!
//! Folding sets the totals of a day instead of adding to them, so it is idempotent. Totals never fall: counters that
//! were lost with Redis and restarted do not lower them.

use jiff::civil::Date;
use sea_orm::{
    ColumnTrait, ConnectionTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, QueryTrait,
    Statement, Value,
};

use crate::entity::visit::{Column, Entity, Model};
use crate::sql::{Merge, statement, upsert};
use crate::{Db, Error, time};

/// The totals of one page on one day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Visit {
    /// In the site's zone.
    pub day: Date,
    pub page: String,
    /// Different visitors.
    pub uv: u64,
    /// Views.
    pub pv: u64,
}

/// Rows per statement: six values each, below SQLite's 32,766 parameters and quick to parse.
const ROWS_PER_STATEMENT: usize = 1_000;

/// More than a year of one page or a day of ten thousand pages.
pub const LIST_LIMIT: u64 = 10_000;

/// Idempotent.
pub async fn fold(db: &Db, visits: &[Visit]) -> Result<(), Error> {
    for chunk in visits.chunks(ROWS_PER_STATEMENT) {
        let fold = db.writer().execute_raw(fold_statement(db, chunk));
        db.run("fold visits", fold).await?;
    }
    Ok(())
}

/// The days `from..=to`, of one page or of all, by day and page; at most [`LIST_LIMIT`] rows. May lag.
pub async fn list(db: &Db, from: Date, to: Date, page: Option<&str>) -> Result<Vec<Visit>, Error> {
    let mut select = Entity::find()
        .filter(Column::Day.between(time::date_to_sql(from), time::date_to_sql(to)))
        .order_by_asc(Column::Day)
        .order_by_asc(Column::Page)
        .limit(LIST_LIMIT);
    if let Some(page) = page {
        select = select.filter(Column::Page.eq(page));
    }
    let statement = select.build(db.dialect());
    let rows: Vec<Model> = db.read_from_replica("list visits", statement).await?;
    Ok(rows.into_iter().filter_map(Visit::from_row).collect())
}

fn fold_statement(db: &Db, visits: &[Visit]) -> Statement {
    let columns = [
        ("uv", Merge::Max),
        ("pv", Merge::Max),
        ("update_time", Merge::Replace),
    ];
    let tail = upsert(db.backend(), "day, page", &columns);
    let rows = vec!["(?, ?, ?, ?, ?, ?)"; visits.len()].join(", ");
    let sql = format!(
        "INSERT INTO tb_visit (day, page, uv, pv, create_time, update_time) VALUES {rows} {tail}"
    );
    let now = time::now();
    let values = visits.iter().flat_map(|visit| -> [Value; 6] {
        [
            time::date_to_sql(visit.day).into(),
            visit.page.as_str().into(),
            to_sql(visit.uv).into(),
            to_sql(visit.pv).into(),
            now.into(),
            now.into(),
        ]
    });
    statement(db.reader(), sql, values)
}

/// Saturates at the column's maximum.
fn to_sql(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

impl Visit {
    /// `None` for a day outside the range of `jiff`.
    fn from_row(row: Model) -> Option<Self> {
        Some(Self {
            day: time::date_from_sql(row.day)?,
            page: row.page,
            uv: u64::try_from(row.uv).unwrap_or(0),
            pv: u64::try_from(row.pv).unwrap_or(0),
        })
    }
}
