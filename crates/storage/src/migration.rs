//! Migrates the database to this version's schema.
//!
//! One process migrates at a time, on one connection: on SQLite in one immediate transaction, so migrations apply all
//! or nothing; on MySQL, whose DDL commits implicitly, under a named lock (`GET_LOCK`) that dies with the connection,
//! and every step checks whether it is still needed, so that the next run finishes what a crash left.

mod account_deletion;
mod addition;
mod baseline;
mod blocks;
mod claim_keys;
mod favourites;
mod flash_sales;
mod journal;
mod kept_numbers;
mod lists;
mod mentions_and_topics;
mod note_drafts;
mod note_edits;
mod note_favourites;
mod note_reports;
mod note_revisions;
mod notice_mutes;
mod order_keys;
mod order_life;
mod outbox_lanes;
mod phone_proofs;
mod refunds_and_privacy;
mod retention;
mod running_sales;
mod schema_keys;
mod search_and_relay;
mod search_index;
mod shop_opinions;
mod shop_phones;
mod shop_stars;
mod site_marks;
mod social;
mod write_keys;

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbErr, EntityTrait, QueryOrder,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};
use sea_orm_migration::{
    IntoSchemaManagerConnection, MigrationTrait, MigratorTraitSelf, SchemaManager, seaql_migrations,
};

use crate::{Backend, Db, Error};
use account_deletion::ACCOUNT_DELETION;
use addition::{Addition, AdditionPlan};
use baseline::{Baseline, TimeShift};
pub use baseline::{SiteClock, StoredTimes, TimeSample, ZoneComparison};
use blocks::BLOCKS;
use claim_keys::ClaimKeys;
use favourites::FAVOURITES;
use flash_sales::FLASH_SALES;
use journal::Journal;
use kept_numbers::KeptNumbers;
use lists::LISTS;
use mentions_and_topics::MENTIONS_AND_TOPICS;
use note_drafts::NOTE_DRAFTS;
use note_edits::NoteEdits;
use note_favourites::NOTE_FAVOURITES;
use note_reports::NOTE_REPORTS;
use note_revisions::NoteRevisions;
use notice_mutes::NOTICE_MUTES;
use order_keys::OrderKeys;
use order_life::ORDER_LIFE;
use outbox_lanes::OutboxLanes;
use phone_proofs::PHONE_PROOFS;
use refunds_and_privacy::REFUNDS_AND_PRIVACY;
use retention::RETENTION;
use running_sales::RUNNING_SALES;
use search_and_relay::SearchAndRelay;
use search_index::SearchIndex;
use shop_opinions::ShopOpinions;
use shop_phones::ShopPhones;
use shop_stars::ShopStars;
use site_marks::SITE_MARKS;
use social::SOCIAL;
use write_keys::WRITE_KEYS;

/// What [`Db::migrate`] changed; empty when the schema was current.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MigrationReport {
    /// Names of the migrations applied, in order.
    pub applied: Vec<String>,
    /// One line for the operator per thing that was changed.
    pub changes: Vec<String>,
    /// Those of the changes that concern what rows hold, not the schema.
    pub row_changes: Vec<String>,
}

impl MigrationReport {
    fn new(applied: Vec<String>, journal: &Journal) -> Self {
        let lines = journal.lines();
        Self {
            applied,
            changes: lines.all,
            row_changes: lines.of_rows,
        }
    }
}

/// Adopting a large database rebuilds its tables; a second process waits for that.
const LOCK_WAIT_SECS: u32 = 600;

/// Lock names are server-wide and at most 64 characters, hence the digest.
const LOCK_NAME: &str = "CONCAT('tandian:', MD5(DATABASE()))";

const MIGRATIONS_TABLE: &str = "seaql_migrations";

impl MigrationReport {
    pub fn is_empty(&self) -> bool {
        self.applied.is_empty() && self.changes.is_empty()
    }
}

impl Db {
    /// Applies pending migrations. Refuses a database of a newer version, and an adopted one whose rows violate a new
    /// key; in both cases nothing was changed. Times of an adopted database are taken in the zone of its server.
    pub async fn migrate(&self) -> Result<MigrationReport, Error> {
        self.migrate_at(None).await
    }

    /// As [`Db::migrate`], and refuses to adopt a database that runs in another zone than the site, until the operator says
    /// what its times are.
    pub async fn migrate_with(&self, clock: SiteClock) -> Result<MigrationReport, Error> {
        self.migrate_at(Some(clock)).await
    }

    async fn migrate_at(&self, clock: Option<SiteClock>) -> Result<MigrationReport, Error> {
        let connection = self.migration_connection()?;
        let result = migrate_alone(self.backend(), &connection, clock).await;
        self.close_migration_connection(connection).await;
        result
    }

    /// What [`Db::migrate_with`] would do, with the number of rows that it would change. Changes nothing and refuses the
    /// same. Without a time limit: it counts in whole tables, before there is a key.
    pub async fn plan_migration(&self, clock: SiteClock) -> Result<MigrationReport, Error> {
        let connection = self.migration_connection()?;
        let plan = plan_pending(self.backend(), &connection, clock).await;
        self.close_migration_connection(connection).await;
        plan
    }

    /// Compares the zone of a database that would be adopted; `None` if there are no times to adopt.
    pub async fn compare_zones(&self) -> Result<Option<ZoneComparison>, Error> {
        if self.backend() != Backend::MySql {
            return Ok(None);
        }
        let compare = baseline::compare_zones(self.reader());
        self.run("compare time zones", compare).await
    }

    /// Whether [`Db::migrate`] would adopt a database of the original, or go on with an adoption that was cut off. Without
    /// rows there is nothing to lose: a first start that was cut off leaves empty tables too.
    pub async fn holds_original_rows(&self) -> Result<bool, Error> {
        let pending = self.pending_migrations().await?;
        if self.backend() != Backend::MySql || !pending.iter().any(|name| name == baseline::NAME) {
            return Ok(false);
        }
        let look = baseline::holds_rows(self.reader());
        self.run("look for rows", look).await
    }

    /// Names of the migrations that [`Db::migrate`] would apply. Changes nothing.
    pub async fn pending_migrations(&self) -> Result<Vec<String>, Error> {
        let applied = self
            .run("read migrations", applied_names(self.reader()))
            .await?;
        pending(&applied)
    }
}

async fn migrate_alone(
    backend: Backend,
    connection: &DatabaseConnection,
    clock: Option<SiteClock>,
) -> Result<MigrationReport, Error> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..Default::default()
    };
    let session = connection.begin_with_options(options);
    let session = session.await.map_err(failed)?;
    if backend == Backend::MySql {
        lock(&session).await?;
    }
    let report = apply_pending(backend, &session, clock).await?;
    session.commit().await.map_err(failed)?;
    Ok(report)
}

async fn apply_pending(
    backend: Backend,
    session: &DatabaseTransaction,
    clock: Option<SiteClock>,
) -> Result<MigrationReport, Error> {
    let pending = pending(&applied_names(session).await.map_err(failed)?)?;
    if pending.is_empty() {
        return Ok(MigrationReport::default());
    }
    let migrator = Migrator {
        journal: Journal::default(),
        shift: check_adoption(backend, session, &pending, clock).await?,
    };
    migrator.up(session, None).await.map_err(failed)?;
    Ok(MigrationReport::new(pending, &migrator.journal))
}

async fn plan_pending(
    backend: Backend,
    connection: &DatabaseConnection,
    clock: SiteClock,
) -> Result<MigrationReport, Error> {
    let pending = pending(&applied_names(connection).await.map_err(failed)?)?;
    let migrator = Migrator {
        journal: Journal::dry(),
        shift: check_adoption(backend, connection, &pending, Some(clock)).await?,
    };
    for migration in migrator.migrations() {
        if pending.iter().any(|name| name == migration.name()) {
            let manager = SchemaManager::new(connection);
            migration.up(&manager).await.map_err(failed)?;
        }
    }
    Ok(MigrationReport::new(pending, &migrator.journal))
}

/// Refuses what cannot be adopted, and otherwise says how the times become UTC.
async fn check_adoption(
    backend: Backend,
    connection: &impl ConnectionTrait,
    pending: &[String],
    clock: Option<SiteClock>,
) -> Result<TimeShift, Error> {
    if backend != Backend::MySql || !pending.iter().any(|name| name == baseline::NAME) {
        return Ok(TimeShift::default());
    }
    let obstacles = baseline::obstacles(connection).await.map_err(failed)?;
    if !obstacles.is_empty() {
        return Err(Error::CannotAdopt { obstacles });
    }
    baseline::time_shift(connection, clock).await
}

/// Released when the connection closes, whatever happens in between.
async fn lock(session: &DatabaseTransaction) -> Result<(), Error> {
    let sql = format!("SELECT GET_LOCK({LOCK_NAME}, {LOCK_WAIT_SECS}) AS locked");
    let statement = Statement::from_string(session.get_database_backend(), sql);
    let row = session.query_one_raw(statement).await.map_err(failed)?;
    let locked: Option<i64> = match row {
        Some(row) => row.try_get("", "locked").map_err(failed)?,
        None => None,
    };
    if locked == Some(1) {
        Ok(())
    } else {
        Err(Error::MigrationBusy)
    }
}

async fn applied_names<'c>(
    connection: impl IntoSchemaManagerConnection<'c>,
) -> Result<Vec<String>, DbErr> {
    let manager = SchemaManager::new(connection);
    if !manager.has_table(MIGRATIONS_TABLE).await? {
        return Ok(Vec::new());
    }
    let rows = seaql_migrations::Entity::find()
        .order_by_asc(seaql_migrations::Column::Version)
        .all(manager.get_connection())
        .await?;
    Ok(rows.into_iter().map(|row| row.version).collect())
}

/// Our pending migrations; an applied one that we do not know comes from a newer version.
fn pending(applied: &[String]) -> Result<Vec<String>, Error> {
    let known: Vec<String> = Migrator::default()
        .migrations()
        .iter()
        .map(|migration| migration.name().to_owned())
        .collect();
    let mut newer = applied.iter().filter(|name| !known.contains(name));
    if let Some(name) = newer.next() {
        return Err(Error::NewerDatabase {
            migration: name.clone(),
        });
    }
    let is_pending = |name: &String| !applied.contains(name);
    Ok(known.into_iter().filter(is_pending).collect())
}

fn failed(source: DbErr) -> Error {
    Error::new("migrate", source)
}

#[doc(hidden)]
pub use schema_keys::SchemaKey;

/// All migrations in order. Each is frozen once released: a change of the schema is a new one at the end. Their names are
/// stored in existing databases and never change, so two keep the number 6 under which they were written.
const MIGRATIONS: [Migration; 30] = [
    Migration::Baseline,
    Migration::SearchAndRelay,
    Migration::AdditionPlan(&FLASH_SALES),
    Migration::AdditionPlan(&ORDER_LIFE),
    Migration::AdditionPlan(&SOCIAL),
    Migration::AdditionPlan(&RUNNING_SALES),
    Migration::AdditionPlan(&LISTS),
    Migration::ClaimKeys,
    Migration::OutboxLanes,
    Migration::AdditionPlan(&RETENTION),
    Migration::AdditionPlan(&SITE_MARKS),
    Migration::AdditionPlan(&REFUNDS_AND_PRIVACY),
    Migration::KeptNumbers,
    Migration::OrderKeys,
    Migration::NoteRevisions,
    Migration::ShopStars,
    Migration::ShopPhones,
    Migration::AdditionPlan(&FAVOURITES),
    Migration::AdditionPlan(&WRITE_KEYS),
    Migration::NoteEdits,
    Migration::AdditionPlan(&NOTICE_MUTES),
    Migration::AdditionPlan(&NOTE_REPORTS),
    Migration::SearchIndex,
    Migration::AdditionPlan(&ACCOUNT_DELETION),
    Migration::AdditionPlan(&PHONE_PROOFS),
    Migration::ShopOpinions,
    Migration::AdditionPlan(&NOTE_FAVOURITES),
    Migration::AdditionPlan(&BLOCKS),
    Migration::AdditionPlan(&MENTIONS_AND_TOPICS),
    Migration::AdditionPlan(&NOTE_DRAFTS),
];

enum Migration {
    Baseline,
    SearchAndRelay,
    ClaimKeys,
    OutboxLanes,
    KeptNumbers,
    OrderKeys,
    NoteRevisions,
    ShopStars,
    ShopPhones,
    NoteEdits,
    SearchIndex,
    ShopOpinions,
    /// Only adds tables and indexes.
    AdditionPlan(&'static AdditionPlan),
}

impl Migration {
    fn boxed(&self, journal: Journal, shift: TimeShift) -> Box<dyn MigrationTrait> {
        match self {
            Self::Baseline => Box::new(Baseline::new(journal, shift)),
            Self::SearchAndRelay => Box::new(SearchAndRelay::new(journal)),
            Self::ClaimKeys => Box::new(ClaimKeys::new(journal)),
            Self::OutboxLanes => Box::new(OutboxLanes::new(journal)),
            Self::KeptNumbers => Box::new(KeptNumbers::new(journal)),
            Self::OrderKeys => Box::new(OrderKeys::new(journal)),
            Self::NoteRevisions => Box::new(NoteRevisions::new(journal)),
            Self::ShopStars => Box::new(ShopStars::new(journal)),
            Self::ShopPhones => Box::new(ShopPhones::new(journal)),
            Self::NoteEdits => Box::new(NoteEdits::new(journal)),
            Self::SearchIndex => Box::new(SearchIndex::new(journal)),
            Self::ShopOpinions => Box::new(ShopOpinions::new(journal)),
            Self::AdditionPlan(plan) => Box::new(Addition::new(plan, journal)),
        }
    }

    fn keys(&self) -> Vec<SchemaKey> {
        match self {
            Self::Baseline => baseline::keys(),
            Self::SearchAndRelay => search_and_relay::keys(),
            Self::ClaimKeys
            | Self::KeptNumbers
            | Self::NoteRevisions
            | Self::ShopPhones
            | Self::NoteEdits => Vec::new(),
            Self::OutboxLanes => outbox_lanes::keys(),
            Self::OrderKeys => order_keys::keys(),
            Self::ShopStars => shop_stars::keys(),
            Self::SearchIndex => search_index::keys(),
            Self::ShopOpinions => shop_opinions::keys(),
            Self::AdditionPlan(plan) => schema_keys::of_plan(plan),
        }
    }
}

/// Every key that a migrated database has, for tests.
#[doc(hidden)]
pub fn schema_keys() -> Vec<SchemaKey> {
    MIGRATIONS.iter().flat_map(Migration::keys).collect()
}

#[derive(Default)]
struct Migrator {
    journal: Journal,
    shift: TimeShift,
}

impl MigratorTraitSelf for Migrator {
    fn migrations(&self) -> Vec<Box<dyn MigrationTrait>> {
        let boxed = |migration: &Migration| migration.boxed(self.journal.clone(), self.shift);
        MIGRATIONS.iter().map(boxed).collect()
    }
}
