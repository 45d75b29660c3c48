//! Tables and indexes that a later migration adds to those of the first. Each is made only if it is missing: on MySQL,
//! whose DDL commits by itself, a crash may have left any of them done.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::SchemaManager;

use super::journal::Journal;

/// What stands between the parentheses of `CREATE TABLE` in each dialect.
pub(super) struct NewTable {
    pub(super) name: &'static str,
    pub(super) sqlite: &'static str,
    pub(super) mysql: &'static str,
}

pub(super) struct NewIndex {
    pub(super) table: &'static str,
    pub(super) name: &'static str,
    pub(super) columns: &'static str,
}

impl NewTable {
    pub(super) async fn ensure(
        &self,
        manager: &SchemaManager<'_>,
        journal: &Journal,
    ) -> Result<(), DbErr> {
        if manager.has_table(self.name).await? {
            return Ok(());
        }
        let connection = manager.get_connection();
        let name = self.name;
        let sql = match connection.get_database_backend() {
            DbBackend::MySql => format!(
                "CREATE TABLE {name} ({}) \
                 ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_general_ci",
                self.mysql
            ),
            _ => format!("CREATE TABLE {name} ({}) STRICT", self.sqlite),
        };
        connection.execute_unprepared(&sql).await?;
        journal.note(format!("{name}: created"));
        Ok(())
    }
}

impl NewIndex {
    pub(super) async fn ensure(
        &self,
        manager: &SchemaManager<'_>,
        journal: &Journal,
    ) -> Result<(), DbErr> {
        let Self {
            table,
            name,
            columns,
        } = self;
        if manager.has_index(table, name).await? {
            return Ok(());
        }
        let sql = format!("CREATE INDEX {name} ON {table} ({columns})");
        manager.get_connection().execute_unprepared(&sql).await?;
        journal.note(format!("{table}: key {name} ({columns}) added"));
        Ok(())
    }
}
