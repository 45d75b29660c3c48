//! The export of everything the site has about its caller, as the data map says.
//!
//! It is written while it is read, a page of a table at a time, so that an account of any size takes the memory of one page.
//! An export that ends early has no closing brace: half of it is never taken for the whole.

use std::time::Duration;

use domain::{LoginCode, UserId};
use futures_util::stream::{self, Stream};
use jiff::Timestamp;
use kv::{Limit, Session};
use serde_json::json;
use storage::data_map::{self, TableData};
use storage::personal_data::{self, ExportCursor};

use super::confirmation::confirm_unless_recent;
use super::login::admit;
use crate::{App, Caller, Error};

const DAY: Duration = Duration::from_secs(24 * 3600);

/// Pieces of a JSON object: `{"site", "exportedAt", "userId", "tables": {table: [row, …]}}`.
pub async fn export_personal_data(
    app: &App,
    caller: &Caller,
    session: &Session,
    code: Option<&LoginCode>,
) -> Result<impl Stream<Item = Result<Vec<u8>, Error>> + Send + use<>, Error> {
    confirm_unless_recent(app, caller, session, code).await?;
    let user = session.profile.user_id;
    let limit = Limit {
        what: "export",
        burst: app.rules().account.exports_per_day,
        period: DAY,
    };
    admit(app.kv().take_for_user(&limit, user).await?)?;
    tracing::info!(%user, "personal data exported");
    let writer = Writer {
        app: app.clone(),
        user,
        tables: exported_tables(),
    };
    Ok(stream::try_unfold(
        Some((writer, Position::Head)),
        |state| async move {
            let Some((writer, position)) = state else {
                return Ok(None);
            };
            let (piece, next) = writer.write(position).await?;
            Ok(Some((piece, next.map(|next| (writer, next)))))
        },
    ))
}

fn exported_tables() -> Vec<&'static TableData> {
    let tables = data_map::TABLES.iter().copied();
    tables
        .filter(|table| table.exported().next().is_some())
        .collect()
}

struct Writer {
    app: App,
    user: UserId,
    tables: Vec<&'static TableData>,
}

/// What is written next.
enum Position {
    Head,
    /// Rows of the table of this index.
    Rows {
        table: usize,
        after: Option<ExportCursor>,
    },
}

impl Writer {
    async fn write(&self, position: Position) -> Result<(Vec<u8>, Option<Position>), Error> {
        match position {
            Position::Head => Ok((self.head(), Some(self.first_of(0)))),
            Position::Rows { table, after } => self.rows(table, after).await,
        }
    }

    fn head(&self) -> Vec<u8> {
        let site = json!(self.app.rules().site_name);
        let (now, user) = (Timestamp::now(), self.user);
        let mut head =
            format!("{{\"site\":{site},\"exportedAt\":\"{now}\",\"userId\":{user},\"tables\":{{");
        self.open_table(0, &mut head);
        head.into_bytes()
    }

    async fn rows(
        &self,
        table: usize,
        after: Option<ExportCursor>,
    ) -> Result<(Vec<u8>, Option<Position>), Error> {
        let data = self.tables[table];
        let page = personal_data::read_page(self.app.db(), self.user, data, after.as_ref()).await?;
        let mut written = String::new();
        for (index, row) in page.rows.iter().enumerate() {
            if index > 0 || after.is_some() {
                written.push(',');
            }
            written.push_str(&json!(row).to_string());
        }
        if let Some(cursor) = page.next {
            let after = Some(cursor);
            return Ok((written.into_bytes(), Some(Position::Rows { table, after })));
        }
        written.push(']');
        let next = table + 1;
        if next == self.tables.len() {
            written.push_str("}}");
            return Ok((written.into_bytes(), None));
        }
        written.push(',');
        self.open_table(next, &mut written);
        Ok((written.into_bytes(), Some(self.first_of(next))))
    }

    fn open_table(&self, table: usize, written: &mut String) {
        let name = self.tables[table].table;
        written.push_str(&format!("\"{name}\":["));
    }

    fn first_of(&self, table: usize) -> Position {
        Position::Rows { table, after: None }
    }
}
