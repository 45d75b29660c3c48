//! What the site has about one person: the rows and columns that the data map marks for export, a page at a time.
//!
//! Pages are read one after the other, not in one snapshot: an export of a large account holds no connection for long.

use domain::{OrderStatus, UserId};
use sea_orm::{ConnectionTrait, DbErr, QueryResult, Value};
use serde_json::{Map, Value as Json};

use crate::accounts::Account;
use crate::data_map::{Export, Owner, TableData};
use crate::sql::{codes, statement};
use crate::{Db, Error, time};

/// Rows per query: a page of notes with all their text is a few hundred kilobytes.
pub const PAGE_ROWS: u32 = 200;

/// The highest number that JavaScript holds exactly.
const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// One exported row, by the names of its columns. What has no value is absent.
pub type ExportedRow = Map<String, Json>;

/// Where the next page begins.
#[derive(Clone, Debug, PartialEq)]
pub struct ExportCursor(Value);

/// A page of a table, and the place of the next one.
#[derive(Debug)]
pub struct ExportedPage {
    pub rows: Vec<ExportedRow>,
    pub next: Option<ExportCursor>,
}

/// The next [`PAGE_ROWS`] rows of a table that belong to the user. Empty for a table of nobody's.
pub async fn read_page(
    db: &Db,
    user: UserId,
    table: &TableData,
    after: Option<&ExportCursor>,
) -> Result<ExportedPage, Error> {
    let Some(query) = PageQuery::new(user, table) else {
        let (rows, next) = (Vec::new(), None);
        return Ok(ExportedPage { rows, next });
    };
    db.run("export rows", query.read(db, after)).await
}

struct PageQuery<'t> {
    table: &'t TableData,
    key: &'static str,
    condition: String,
    owner: Value,
}

impl<'t> PageQuery<'t> {
    fn new(user: UserId, table: &'t TableData) -> Option<Self> {
        let of_owner = |column| format!("{column} = ?");
        let (key, condition, owner) = match table.owner {
            Owner::Nobody => return None,
            Owner::User { column, key } => (key, of_owner(column), user.get().into()),
            Owner::Buyer { column, key } => {
                let all = codes(OrderStatus::ALL.map(OrderStatus::code));
                let condition = format!("status IN ({all}) AND {column} = ?");
                (key, condition, user.get().into())
            }
            Owner::Ledger { column, key } => {
                let account = Account::User(user).to_string();
                (key, of_owner(column), account.into())
            }
        };
        Some(Self {
            table,
            key,
            condition,
            owner,
        })
    }

    async fn read(self, db: &Db, after: Option<&ExportCursor>) -> Result<ExportedPage, DbErr> {
        let Self {
            table,
            key,
            condition,
            owner,
        } = &self;
        let columns: Vec<&str> = table.exported().map(|column| column.name).collect();
        if columns.is_empty() {
            let (rows, next) = (Vec::new(), None);
            return Ok(ExportedPage { rows, next });
        }
        let after_key = match after {
            Some(_) => format!("AND {key} > ?"),
            None => String::new(),
        };
        let sql = format!(
            "SELECT {key} AS export_key, {} FROM {} WHERE {condition} {after_key} \
             ORDER BY {key} LIMIT {PAGE_ROWS}",
            columns.join(", "),
            table.table,
        );
        let after = after.map(|cursor| cursor.0.clone());
        let values = [owner.clone()].into_iter().chain(after);
        let found = db
            .reader()
            .query_all_raw(statement(db.reader(), sql, values));
        let found = found.await?;
        let is_full = found.len() == PAGE_ROWS as usize;
        let next = match found.last().filter(|_| is_full) {
            Some(last) => Some(self.cursor(last)?),
            None => None,
        };
        let rows: Result<Vec<ExportedRow>, DbErr> =
            found.iter().map(|row| exported(table, row)).collect();
        Ok(ExportedPage { rows: rows?, next })
    }

    fn cursor(&self, row: &QueryResult) -> Result<ExportCursor, DbErr> {
        let is_text = self
            .table
            .column(self.key)
            .is_some_and(|key| key.export == Export::Text);
        Ok(ExportCursor(match is_text {
            true => row.try_get::<String>("", "export_key")?.into(),
            false => row.try_get::<i64>("", "export_key")?.into(),
        }))
    }
}

fn exported(table: &TableData, row: &QueryResult) -> Result<ExportedRow, DbErr> {
    let mut exported = Map::new();
    for column in table.exported() {
        let value = value_of(row, column.name, column.export)?;
        if value != Json::Null {
            exported.insert(column.name.to_owned(), value);
        }
    }
    Ok(exported)
}

/// As the API writes them: what a number of JavaScript cannot hold, such as the id of an order, is a text.
fn number(number: i64) -> Json {
    match number.unsigned_abs() {
        0..=MAX_SAFE_INTEGER => number.into(),
        _ => number.to_string().into(),
    }
}

/// Null for an absent value, and for a day that no calendar has.
fn value_of(row: &QueryResult, name: &str, kind: Export) -> Result<Json, DbErr> {
    Ok(match kind {
        Export::Number => row.try_get::<Option<i64>>("", name)?.map(number).into(),
        Export::Text => row.try_get::<Option<String>>("", name)?.into(),
        Export::Instant => {
            let instant: Option<chrono::NaiveDateTime> = row.try_get("", name)?;
            let instant = instant.map(|instant| time::from_sql(instant).to_string());
            instant.into()
        }
        Export::Date => {
            let date: Option<chrono::NaiveDate> = row.try_get("", name)?;
            let date = date.and_then(time::date_from_sql);
            date.map(|date| date.to_string()).into()
        }
        Export::Omitted(_) => Json::Null,
    })
}
