//! The handle on the database: pools, limits, and the one place that decides which connection does what.
//!
//! Three invariants hold for every call made through it. It ends: waiting for a connection is bounded by
//! `acquire_timeout` and the whole operation by `query_timeout`. On SQLite there is one writer: writes go through a
//! pool of a single connection, so they queue in the process instead of failing with "database is locked". And what was
//! answered is stored: a connection on which a write failed is never used again (`write_connection.rs`).

mod faults;
mod mysql;
mod options;
mod replicas;
mod sqlite;
mod transaction;
mod write_connection;
mod write_health;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, Statement};

pub use faults::{Fault, Faults};
pub use options::{DbOptions, SqlTls};
pub(crate) use transaction::{DatabaseTransaction, Writer};

use crate::{Error, WriteFault, id_marks};
use replicas::Replicas;
use write_connection::WritePool;

/// A mark that counts nothing.
const WRITE_PROBE: &str = "write-probe";

/// Cheap to clone; all clones share the pools.
#[derive(Clone)]
pub struct Db {
    pools: Arc<Pools>,
}

/// Which database it is; for messages and for `doctor`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Backend {
    Sqlite,
    /// MariaDB, MySQL, TiDB: whatever speaks the protocol.
    MySql,
}

struct Pools {
    backend: Backend,
    options: DbOptions,
    reader: DatabaseConnection,
    /// The same pool as `reader` on MySQL; the single writing connection on SQLite.
    writer: Writer,
    replicas: Replicas,
}

impl Db {
    /// Opens the database and makes sure that it answers, so that a wrong password or an unreachable host is told at
    /// the start with its real reason.
    pub async fn connect(options: &DbOptions) -> Result<Self, Error> {
        let db = Self::connect_lazily(options).await?;
        if db.backend() == Backend::MySql {
            mysql::probe(options).await?;
        }
        Ok(db)
    }

    /// As [`Db::connect`], but a MySQL server that is down is no error: calls fail until it is there.
    pub async fn connect_lazily(options: &DbOptions) -> Result<Self, Error> {
        let backend = Backend::of_url(&options.url)?;
        let replicas = Replicas::open(backend, options)?;
        let (reader, writer) = match backend {
            Backend::Sqlite => sqlite::open(options).await?,
            Backend::MySql => {
                let pool = mysql::open(options)?;
                (mysql::reader(&pool), WritePool::MySql(pool))
            }
        };
        let writer = Writer::new(writer);
        let pools = Pools {
            backend,
            options: options.clone(),
            reader,
            writer,
            replicas,
        };
        Ok(Self {
            pools: Arc::new(pools),
        })
    }

    pub fn backend(&self) -> Backend {
        self.pools.backend
    }

    /// Asks the database for nothing at all: is it there?
    pub async fn ping(&self) -> Result<(), Error> {
        self.run("ping", self.reader().ping()).await
    }

    /// Why a write could not be stored; nothing once [`Db::probe_write`] could. Costs no more than a look.
    pub fn write_fault(&self) -> Option<WriteFault> {
        self.writer().health().fault()
    }

    /// Writes something of no importance, to learn whether the database stores again.
    pub async fn probe_write(&self) -> Result<(), Error> {
        // A row that stays the same is not written.
        let now_ms = jiff::Timestamp::now().as_millisecond();
        id_marks::raise(self, WRITE_PROBE, now_ms).await?;
        self.writer().health().wrote();
        Ok(())
    }

    /// Failures of writing statements, for tests.
    #[doc(hidden)]
    pub fn faults(&self) -> &Faults {
        self.writer().faults()
    }

    /// The version as the server itself tells it, for `doctor`.
    pub async fn version(&self) -> Result<String, Error> {
        let sql = match self.backend() {
            Backend::Sqlite => "SELECT sqlite_version() AS version",
            Backend::MySql => "SELECT VERSION() AS version",
        };
        self.run("read version", async {
            let row = self.reader().query_one_raw(self.statement(sql)).await?;
            row.ok_or_else(|| DbErr::RecordNotFound("version".to_owned()))?
                .try_get("", "version")
        })
        .await
    }

    /// Waits for the connections in use and closes them all; SQLite folds its write-ahead log into the file.
    pub async fn close(&self) -> Result<(), Error> {
        let close = async {
            for replica in self.pools.replicas.connections() {
                replica.close_by_ref().await?;
            }
            self.reader().close_by_ref().await?;
            self.writer().close().await;
            Ok(())
        };
        self.run("close", close).await
    }

    pub(crate) fn options(&self) -> &DbOptions {
        &self.pools.options
    }

    /// For statements that change nothing. It sees every commit; see [`Db::read_lagging`] for those that need not.
    pub(crate) fn reader(&self) -> &DatabaseConnection {
        &self.pools.reader
    }

    /// For single statements that change something; several of them belong in [`Db::begin`].
    pub(crate) fn writer(&self) -> &Writer {
        &self.pools.writer
    }

    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        self.writer().begin().await
    }

    /// A pool of one connection of its own, whose statements may take as long as they need. It is closed after use,
    /// whatever state it is in.
    pub(crate) fn migration_connection(&self) -> Result<DatabaseConnection, Error> {
        match self.backend() {
            Backend::Sqlite => sqlite::open_for_migration(self.options()),
            Backend::MySql => mysql::open_for_migration(self.options()),
        }
    }

    /// Runs one operation within the limit and names it in the error. It is boxed: some operations hold a dozen statements,
    /// and every caller up to the request would hold them too.
    pub(crate) fn run<T>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> impl Future<Output = Result<T, Error>> {
        within(self.options().query_timeout, operation, Box::pin(work))
    }

    pub(crate) fn statement(&self, sql: &str) -> Statement {
        Statement::from_string(self.dialect(), sql)
    }

    pub(crate) fn dialect(&self) -> DbBackend {
        self.writer().get_database_backend()
    }
}

async fn within<T>(
    limit: Duration,
    operation: &'static str,
    work: impl Future<Output = Result<T, DbErr>>,
) -> Result<T, Error> {
    match tokio::time::timeout(limit, work).await {
        Ok(result) => result.map_err(|source| Error::new(operation, source)),
        Err(_) => Err(Error::TimedOut { operation, limit }),
    }
}

impl Backend {
    fn of_url(url: &str) -> Result<Self, Error> {
        if url.starts_with("sqlite:") {
            Ok(Self::Sqlite)
        } else if url.starts_with("mysql://") || url.starts_with("mariadb://") {
            Ok(Self::MySql)
        } else {
            Err(Error::UnknownScheme)
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::MySql => "MySQL",
        })
    }
}

/// The pools hold the password, so they are not shown.
impl fmt::Debug for Db {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Db")
            .field("backend", &self.backend())
            .finish_non_exhaustive()
    }
}
