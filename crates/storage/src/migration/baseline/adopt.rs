//! Makes the difference between the MySQL database that was found and the one that is wanted.
//!
//! DDL commits by itself, so a crash may leave any prefix of these steps done. Each step therefore asks the database
//! what is still missing, and a value is derived from columns that no step changes: running all of it again finishes the
//! work, and on a finished database does nothing.

use sea_orm::{ConnectionTrait, DbErr};

use super::begun;
use super::differences::{missing_columns, missing_keys, present_columns, wanted_type};
use super::fills::{Fill, fill, is_derived, zero_date_fill};
use super::found::{FoundColumn, FoundTable, find_table};
use super::schema::{Column, ColumnType, Dialect, Table, quoted};
use super::tables::TABLES;
use super::zones::{TimeShift, has_original_times, is_original_datetime};
use crate::migration::journal::Journal;
use crate::sql::count;

/// All tables are there before the first is changed: some values come from other tables.
pub(super) async fn adopt(
    connection: &impl ConnectionTrait,
    journal: &Journal,
    shift: TimeShift,
) -> Result<(), DbErr> {
    if has_original_times(connection).await? {
        begun::begin(connection, journal, shift).await?;
    }
    let mut adopted = Vec::new();
    for table in TABLES {
        match find_table(connection, table.name).await? {
            Some(_) => adopted.push(table),
            None => create(connection, table, journal).await?,
        }
    }
    for table in adopted {
        let step = TableAdoption {
            connection,
            table,
            journal,
            shift,
        };
        step.run().await?;
    }
    begun::end(connection, journal).await
}

async fn create(
    connection: &impl ConnectionTrait,
    table: &Table,
    journal: &Journal,
) -> Result<(), DbErr> {
    for statement in table.create(Dialect::MySql) {
        journal.execute(connection, &statement).await?;
    }
    journal.note(format!("{}: created", table.name));
    Ok(())
}

struct TableAdoption<'a, C> {
    connection: &'a C,
    table: &'a Table,
    journal: &'a Journal,
    shift: TimeShift,
}

impl<C: ConnectionTrait> TableAdoption<'_, C> {
    async fn run(&self) -> Result<(), DbErr> {
        self.convert().await?;
        self.add_columns().await?;
        self.fill_rows().await?;
        self.shift_datetimes().await?;
        self.settle().await
    }

    /// Transactions need InnoDB, keys over long texts need its dynamic rows (the original's are compact), emoji need
    /// utf8mb4.
    async fn convert(&self) -> Result<(), DbErr> {
        let found = self.find().await?;
        if found.engine != "innodb dynamic" {
            let clause = "ENGINE = InnoDB, ROW_FORMAT = DYNAMIC";
            self.alter(&[clause.to_owned()]).await?;
            self.note("storage changed to InnoDB with dynamic rows");
        }
        let is_foreign = |charset: &String| !charset.is_empty() && charset != "utf8mb4";
        let mut charsets = found.columns.values().map(|column| &column.charset);
        if charsets.any(is_foreign) {
            let clause = "CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci";
            self.alter(&[clause.to_owned()]).await?;
            self.note("texts converted to utf8mb4");
        }
        Ok(())
    }

    /// Columns whose values are derived come empty; `settle` makes them mandatory once they are filled.
    async fn add_columns(&self) -> Result<(), DbErr> {
        let found = self.find().await?;
        let add = |column: &Column| {
            let column = if is_derived(self.table, column) {
                column.empty()
            } else {
                *column
            };
            format!("ADD COLUMN {}", column.definition(Dialect::MySql))
        };
        let clauses: Vec<String> = missing_columns(self.table, &found).map(add).collect();
        self.alter(&clauses).await?;
        for column in missing_columns(self.table, &found) {
            self.note(&format!("column {} added", column.name));
        }
        Ok(())
    }

    async fn fill_rows(&self) -> Result<(), DbErr> {
        let found = self.find().await?;
        for column in self.table.columns {
            if let Some(fill) = zero_date_fill(column) {
                let what = "had a date that does not exist";
                self.fill_column(&found, column, &fill, what).await?;
            }
        }
        for (column, present) in present_columns(self.table, &found) {
            if let Some(fill) = fill(self.table, column).filter(|_| present.is_nullable) {
                self.fill_column(&found, column, &fill, "filled").await?;
            }
        }
        if self.journal.is_dry() {
            for column in missing_columns(self.table, &found) {
                if let Some(fill) =
                    fill(self.table, column).filter(|_| is_derived(self.table, column))
                {
                    self.fill_column(&found, column, &fill, "filled").await?;
                }
            }
        }
        Ok(())
    }

    async fn fill_column(
        &self,
        found: &FoundTable,
        column: &Column,
        fill: &Fill,
        what: &str,
    ) -> Result<(), DbErr> {
        let rows = if !self.journal.is_dry() {
            let sql = fill.statement(self.table, column, found);
            self.journal.execute(self.connection, &sql).await?
        } else {
            count(self.connection, &fill.count(self.table, column, found)).await?
        };
        if rows > 0 {
            self.note_rows(&format!("{} {what} in {rows} rows", column.name));
        }
        Ok(())
    }

    /// A `DATETIME` has no zone of its own, so its values move. They are written to a second column that then takes the
    /// place of the first in one statement: a run after a crash moves nothing twice.
    async fn shift_datetimes(&self) -> Result<(), DbErr> {
        let secs = self.shift.datetime_secs();
        if secs == 0 {
            return Ok(());
        }
        let found = self.find().await?;
        for (column, present) in present_columns(self.table, &found) {
            if column.kind == ColumnType::Instant && is_original_datetime(&present.sql_type) {
                self.shift_datetime(&found, column, secs).await?;
            }
        }
        Ok(())
    }

    async fn shift_datetime(
        &self,
        found: &FoundTable,
        column: &Column,
        secs: i64,
    ) -> Result<(), DbErr> {
        let moved = format!("{}_utc", column.name);
        if !found.columns.contains_key(&moved) {
            let clause = format!("ADD COLUMN {} datetime(3) NULL", quoted(&moved));
            self.alter(&[clause]).await?;
        }
        let (table, old, new) = (quoted(self.table.name), quoted(column.name), quoted(&moved));
        // `update_time` would change by itself.
        let keep = match found.columns.contains_key("update_time") {
            true => ", update_time = update_time",
            false => "",
        };
        let sql = format!(
            "UPDATE {table} SET {new} = {old} - INTERVAL {secs} SECOND{keep} \
             WHERE {new} IS NULL AND {old} IS NOT NULL"
        );
        self.journal.execute(self.connection, &sql).await?;
        let swap = [
            format!("DROP COLUMN {old}"),
            format!(
                "CHANGE COLUMN {new} {}",
                column.mysql_definition("datetime(3)")
            ),
        ];
        self.alter(&swap).await?;
        self.note_rows(&format!("{} moved by {secs} seconds to UTC", column.name));
        Ok(())
    }

    /// Types, nullability, keys and checks in one statement, so that the table is rebuilt once.
    async fn settle(&self) -> Result<(), DbErr> {
        let found = self.find().await?;
        let mut clauses = Vec::new();
        let mut notes = Vec::new();
        for (column, present) in present_columns(self.table, &found) {
            if let Some(sql_type) = wanted_type(column, present) {
                let definition = column.mysql_definition(&sql_type);
                let comment = &present.comment;
                notes.push(format!("column {definition}, was {}", present.sql_type));
                clauses.push(format!("MODIFY COLUMN {definition} COMMENT {comment}"));
            }
        }
        if !found.keys.contains_key("PRIMARY") {
            notes.push("primary key added".to_owned());
            clauses.push(format!("ADD {}", self.table.primary_key()));
        }
        for key in missing_keys(self.table, &found) {
            notes.push(format!(
                "key {} ({}) added",
                key.name,
                key.columns.join(", ")
            ));
            clauses.push(format!("ADD {}", key.mysql_definition()));
        }
        let missing_check = |name: &str| !found.checks.contains(name);
        if let Some(check) = self.table.check.filter(|check| missing_check(check.name)) {
            notes.push(format!("check {} added", check.condition));
            clauses.push(format!("ADD {}", check.definition()));
        }
        let is_timestamp = |found: &FoundColumn| found.sql_type.starts_with("timestamp");
        let has_timestamps = present_columns(self.table, &found)
            .any(|(column, present)| column.kind == ColumnType::Instant && is_timestamp(present));
        match self.shift.session_zone().filter(|_| has_timestamps) {
            // The type changes and with it the instants, or neither: a run after a crash moves nothing twice.
            Some(zone) => {
                self.set_session_zone(&zone).await?;
                let altered = self.alter(&clauses).await;
                self.set_session_zone("+00:00").await?;
                altered?;
                self.note_rows(&format!(
                    "times converted as clock times of the site, in the session zone {zone}"
                ));
            }
            None => self.alter(&clauses).await?,
        }
        notes.iter().for_each(|note| self.note(note));
        Ok(())
    }

    async fn set_session_zone(&self, zone: &str) -> Result<(), DbErr> {
        let sql = format!("SET time_zone = '{zone}'");
        self.journal.execute(self.connection, &sql).await?;
        Ok(())
    }

    async fn find(&self) -> Result<FoundTable, DbErr> {
        let found = find_table(self.connection, self.table.name).await?;
        found.ok_or_else(|| DbErr::Migration(format!("{} has vanished", self.table.name)))
    }

    async fn alter(&self, clauses: &[String]) -> Result<(), DbErr> {
        if clauses.is_empty() {
            return Ok(());
        }
        let sql = format!(
            "ALTER TABLE {} {}",
            quoted(self.table.name),
            clauses.join(", ")
        );
        self.journal.execute(self.connection, &sql).await?;
        Ok(())
    }

    fn note_rows(&self, what: &str) {
        self.journal
            .note_rows(format!("{}: {what}", self.table.name));
    }

    fn note(&self, what: &str) {
        self.journal.note(format!("{}: {what}", self.table.name));
    }
}
