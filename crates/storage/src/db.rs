//! The handle on the database: pools, limits, and the one place that decides which connection does what.
//!
//! Three invariants hold for every call. It ends: `acquire_timeout` bounds the wait for a connection and
//! `query_timeout` the whole operation. SQLite has one writer: writes go through a pool of one connection, so they
//! queue in the process instead of failing with "database is locked". A reported success is stored: a connection on
//! which a write failed is never reused (`write_connection.rs`).

mod faults;
mod mysql;
mod options;
mod plain_reads;
mod replicas;
mod sqlite;
mod transaction;
mod write_connection;
mod write_health;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::{ConnectionTrait, DatabaseConnection, DbBackend, DbErr, QueryResult, Statement};

pub use faults::{Fault, Faults};
pub use options::{DbOptions, SqlTls};
pub(crate) use transaction::{DatabaseTransaction, Writer};

use crate::{Error, WriteFault, id_marks};
use replicas::Replicas;
use write_connection::WritePool;

/// The id mark that [`Db::probe_write`] writes.
const WRITE_PROBE: &str = "write-probe";

/// Cheap to clone; all clones share the pools.
#[derive(Clone)]
pub struct Db {
    pools: Arc<Pools>,
}

/// Which database it is: for the dialect of statements, for messages and for `doctor`.
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
    /// Opens the database and checks that it answers, so that a wrong password or an unreachable host is reported at
    /// startup with its cause.
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

    /// Checks that the database answers.
    pub async fn ping(&self) -> Result<(), Error> {
        self.run("ping", self.reader().ping()).await
    }

    /// Why writes fail, until [`Db::probe_write`] succeeds. Reads one atomic.
    pub fn write_fault(&self) -> Option<WriteFault> {
        self.writer().health().fault()
    }

    /// Writes a probe row to learn whether the database can write again.
    pub async fn probe_write(&self) -> Result<(), Error> {
        // The value changes each time: an unchanged row would not be written.
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

    /// The database's version, for `doctor`.
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

    /// Waits for connections in use and closes all pools; SQLite checkpoints its write-ahead log.
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

    /// For reads that must see every commit; [`Db::read_from_replica`] is for those that tolerate lag.
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

    /// As [`Db::begin`], with a first query in the same round trip, whose rows come along.
    pub(crate) async fn begin_with(
        &self,
        sql: &str,
    ) -> Result<(DatabaseTransaction, Vec<QueryResult>), DbErr> {
        self.writer().begin_with(sql).await
    }

    /// A separate pool of one connection without a statement timeout. Closed after use, whatever its state.
    pub(crate) fn migration_connection(&self) -> Result<DatabaseConnection, Error> {
        match self.backend() {
            Backend::Sqlite => sqlite::open_for_migration(self.options()),
            Backend::MySql => mysql::open_for_migration(self.options()),
        }
    }

    /// Bounded: on a dead network closing would hang, and dropping the pool closes the connection anyway.
    pub(crate) async fn close_migration_connection(&self, connection: DatabaseConnection) {
        let limit = self.options().acquire_timeout;
        let _closed = tokio::time::timeout(limit, connection.close()).await;
    }

    /// Runs one operation within the time limit and names it in the error. The future is boxed: some operations hold
    /// a dozen statements, which would bloat every future up to the request.
    pub(crate) fn run<T>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> impl Future<Output = Result<T, Error>> {
        with_timeout(self.options().query_timeout, operation, Box::pin(work))
    }

    pub(crate) fn statement(&self, sql: &str) -> Statement {
        Statement::from_string(self.dialect(), sql)
    }

    /// For statements that the ORM builds; hand-written ones decide by [`Backend`].
    pub(crate) fn dialect(&self) -> DbBackend {
        self.writer().get_database_backend()
    }
}

async fn with_timeout<T>(
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
    /// Of a connection or transaction.
    pub(crate) fn of(connection: &impl ConnectionTrait) -> Self {
        match connection.get_database_backend() {
            DbBackend::MySql => Self::MySql,
            _ => Self::Sqlite,
        }
    }

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
