//! A migration that only adds tables and indexes, described by a [`AdditionPlan`]. Each is created only if it is missing: on
//! MySQL, whose DDL commits implicitly, a crash may have left any of them done.

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

use super::journal::Journal;

/// Everything the migration adds.
pub(super) struct AdditionPlan {
    pub(super) name: &'static str,
    pub(super) tables: &'static [NewTable],
    pub(super) indexes: &'static [NewIndex],
}

/// Runs a plan.
pub(super) struct Addition {
    plan: &'static AdditionPlan,
    journal: Journal,
}

/// The body of `CREATE TABLE` in each dialect.
pub(super) struct NewTable {
    pub(super) name: &'static str,
    pub(super) sqlite: &'static str,
    pub(super) mysql: &'static str,
}

/// A column at the end of its table, so that neither database rewrites the rows.
pub(super) struct NewColumn {
    pub(super) table: &'static str,
    pub(super) name: &'static str,
    /// Type, nullability and default in each dialect.
    pub(super) sqlite: &'static str,
    pub(super) mysql: &'static str,
}

pub(super) struct NewIndex {
    pub(super) table: &'static str,
    pub(super) name: &'static str,
    pub(super) columns: &'static str,
}

impl Addition {
    pub(super) fn new(plan: &'static AdditionPlan, journal: Journal) -> Self {
        Self { plan, journal }
    }
}

impl MigrationName for Addition {
    fn name(&self) -> &str {
        self.plan.name
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Addition {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        for table in self.plan.tables {
            table.ensure(manager, &self.journal).await?;
        }
        for index in self.plan.indexes {
            index.ensure(manager, &self.journal).await?;
        }
        Ok(())
    }
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
        journal.execute(connection, &sql).await?;
        journal.note(format!("{name}: created"));
        Ok(())
    }
}

impl NewColumn {
    pub(super) async fn ensure(
        &self,
        manager: &SchemaManager<'_>,
        journal: &Journal,
    ) -> Result<(), DbErr> {
        let Self { table, name, .. } = self;
        if manager.has_column(table, name).await? {
            return Ok(());
        }
        let connection = manager.get_connection();
        let definition = match connection.get_database_backend() {
            DbBackend::MySql => self.mysql,
            _ => self.sqlite,
        };
        let sql = format!("ALTER TABLE {table} ADD COLUMN {name} {definition}");
        journal.execute(connection, &sql).await?;
        journal.note(format!("{table}: column {name} added"));
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
        journal.execute(manager.get_connection(), &sql).await?;
        journal.note(format!("{table}: key {name} ({columns}) added"));
        Ok(())
    }
}
