//! The first migration: all tables of this version, made from nothing or from a database of the original.
//!
//! On SQLite there is nothing to adopt: the tables are created. On MySQL the tables may be there, as hm-dianping made
//! them and with its rows; then every table, column, key and check is compared with what it should be and only the
//! difference is made. An empty database is the case where everything differs.
//!
//! Invariant: no row is lost and no value that means something is changed. What cannot be kept under the new keys is
//! found by [`obstacles`] before the first change.

mod adopt;
mod begun;
mod differences;
mod fills;
mod found;
mod obstacles;
mod schema;
mod tables;
mod zones;

use sea_orm::{ConnectionTrait, DbBackend, DbErr};
use sea_orm_migration::{MigrationName, MigrationTrait, SchemaManager, async_trait};

pub(super) use obstacles::obstacles;
pub use zones::{SiteClock, StoredTimes, TimeSample, ZoneComparison};
pub(super) use zones::{compare_zones, holds_rows};

use super::journal::Journal;
use super::schema_keys::SchemaKey;
use crate::Error;
use schema::{Dialect, Table};
use tables::TABLES;
pub(super) use zones::TimeShift;

pub(super) const NAME: &str = "m0001_baseline";

pub(super) struct Baseline {
    journal: Journal,
    shift: TimeShift,
}

impl Baseline {
    /// `shift` is for the times of a database of the original.
    pub(super) fn new(journal: Journal, shift: TimeShift) -> Self {
        Self { journal, shift }
    }
}

/// How the times of the database become UTC. Refuses if the operator must say what they are, and if an adoption that was cut
/// off took them for something else; without a decision it goes on as it began.
pub(super) async fn time_shift(
    connection: &impl ConnectionTrait,
    clock: Option<SiteClock>,
) -> Result<TimeShift, Error> {
    let failed = |source| Error::new("compare time zones", source);
    let Some(zones) = compare_zones(connection).await.map_err(failed)? else {
        return Ok(TimeShift::default());
    };
    let begun = begun::find(connection).await.map_err(failed)?;
    let is_decided = clock.is_some_and(|clock| clock.stored_times.is_some());
    if let Some(begun) = begun.filter(|_| !is_decided) {
        return Ok(begun);
    }
    let shift = match clock {
        Some(clock) => zones.shift(clock).ok_or(Error::ZoneUnclear { zones })?,
        None => TimeShift::default(),
    };
    match begun.is_some_and(|begun| begun != shift) {
        true => Err(Error::ZoneChanged),
        false => Ok(shift),
    }
}

impl MigrationName for Baseline {
    fn name(&self) -> &str {
        NAME
    }
}

#[async_trait::async_trait]
impl MigrationTrait for Baseline {
    #[expect(
        elided_lifetimes_in_paths,
        reason = "the trait elides it, and `async_trait` takes a written one for another"
    )]
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        let connection = manager.get_connection();
        match connection.get_database_backend() {
            DbBackend::MySql => adopt::adopt(connection, &self.journal, self.shift).await,
            _ => create_all(connection, &self.journal).await,
        }
    }
}

pub(super) fn keys() -> Vec<SchemaKey> {
    let of_table = |table: &'static Table| {
        let primary = SchemaKey::primary(table.name, &table.primary.join(","));
        let others = table.keys.iter().map(|key| {
            let columns = key.columns.join(",");
            match key.is_unique {
                true => SchemaKey::unique(table.name, &columns),
                false => SchemaKey::index(table.name, &columns),
            }
        });
        std::iter::once(primary).chain(others)
    };
    TABLES.iter().flat_map(of_table).collect()
}

async fn create_all(connection: &impl ConnectionTrait, journal: &Journal) -> Result<(), DbErr> {
    for table in TABLES {
        for statement in table.create(Dialect::Sqlite) {
            journal.execute(connection, &statement).await?;
        }
        journal.note(format!("{}: created", table.name));
    }
    Ok(())
}
