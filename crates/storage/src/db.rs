//! The handle on the database: pools, limits, and the one place that decides which connection does what.
//!
//! Two invariants hold for every call made through it. It ends: waiting for a connection is bounded by
//! `acquire_timeout` and the whole operation by `query_timeout`. And on SQLite there is one writer: writes go through a
//! pool of a single connection, so they queue in the process instead of failing with "database is locked".

mod mysql;
mod options;
mod replicas;
mod sqlite;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use sea_orm::{
    ConnectionTrait, DatabaseConnection, DatabaseTransaction, DbBackend, DbErr,
    SqliteTransactionMode, Statement, TransactionOptions, TransactionTrait,
};

pub use options::{DbOptions, SqlTls};

use crate::Error;
use replicas::Replicas;

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
    writer: DatabaseConnection,
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
                (pool.clone(), pool)
            }
        };
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
            self.writer().close_by_ref().await
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
    pub(crate) fn writer(&self) -> &DatabaseConnection {
        &self.pools.writer
    }

    pub(crate) async fn begin(&self) -> Result<DatabaseTransaction, DbErr> {
        begin_writing(self.writer()).await
    }

    /// A connection whose statements may take as long as they need.
    pub(crate) fn migration_connection(&self) -> Result<DatabaseConnection, Error> {
        match self.backend() {
            Backend::Sqlite => Ok(self.writer().clone()),
            Backend::MySql => mysql::open_for_migration(self.options()),
        }
    }

    /// Runs one operation within the limit and names it in the error.
    pub(crate) async fn run<T>(
        &self,
        operation: &'static str,
        work: impl Future<Output = Result<T, DbErr>>,
    ) -> Result<T, Error> {
        within(self.options().query_timeout, operation, work).await
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

/// A writing transaction. On SQLite it takes the write lock at once: one that began by reading could not get it later if
/// another process wrote in between.
pub(crate) async fn begin_writing(
    connection: &DatabaseConnection,
) -> Result<DatabaseTransaction, DbErr> {
    let options = TransactionOptions {
        sqlite_transaction_mode: Some(SqliteTransactionMode::Immediate),
        ..Default::default()
    };
    connection.begin_with_options(options).await
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
