//! The SQLite file: one connection that writes, several that read.
//!
//! WAL lets readers run beside the writer. `synchronous = FULL` makes a commit survive power loss: an acknowledged
//! order is on disk.

use std::fs::OpenOptions;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

use sea_orm::sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous,
};
use sea_orm::sqlx::{self, ConnectOptions};
use sea_orm::{DatabaseConnection, DbErr, RuntimeErr, SqlxSqliteConnector};

use super::DbOptions;
use super::write_connection::WritePool;
use crate::Error;

/// Only another process can hold the write lock (`tandian migrate` beside a running site), and not for long.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// The file holds phone numbers: nobody but its owner reads it.
const FILE_MODE: u32 = 0o600;

/// The writer's page cache in KiB. Recording an order touches two index pages; with SQLite's default of 2 MiB a large
/// site reads them from disk for every order.
const WRITER_CACHE_KIB: u32 = 16 * 1024;

/// Pages of 4 KiB in the write-ahead log before a checkpoint. A page that many transactions change is written to the
/// file once for all of them; a longer log slows readers down.
const WAL_PAGES: u32 = 4_000;

/// Readers first, then the writer.
pub(super) async fn open(options: &DbOptions) -> Result<(DatabaseConnection, WritePool), Error> {
    let connect_options = parse(&options.url)?;
    ensure_writable(connect_options.get_filename())?;
    let pool = |size: u32| {
        SqlitePoolOptions::new()
            .max_connections(size)
            .acquire_timeout(options.acquire_timeout)
            .test_before_acquire(false)
            .idle_timeout(None)
            .max_lifetime(None)
    };
    let writer_options = connect_options
        .clone()
        .pragma("cache_size", format!("-{WRITER_CACHE_KIB}"))
        .pragma("wal_autocheckpoint", WAL_PAGES.to_string());
    let writer = pool(1)
        .connect_with(writer_options)
        .await
        .map_err(cannot_open)?;
    let reader = pool(options.max_connections)
        .connect_with(connect_options.pragma("query_only", "ON"))
        .await
        .map_err(cannot_open)?;
    Ok((
        SqlxSqliteConnector::from_sqlx_sqlite_pool(reader),
        WritePool::Sqlite(writer),
    ))
}

/// One connection beside the writer's.
pub(super) fn open_for_migration(options: &DbOptions) -> Result<DatabaseConnection, Error> {
    let pool = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(options.acquire_timeout)
        .connect_lazy_with(parse(&options.url)?);
    Ok(SqlxSqliteConnector::from_sqlx_sqlite_pool(pool))
}

fn parse(url: &str) -> Result<SqliteConnectOptions, Error> {
    let bad_url = |reason: String| Error::BadUrl { reason };
    if url.contains(":memory:") || url.contains("mode=memory") {
        let reason = "a database in memory cannot be shared by readers and the writer";
        return Err(bad_url(reason.to_owned()));
    }
    let options: SqliteConnectOptions = url
        .parse()
        .map_err(|error: sqlx::Error| bad_url(error.to_string()))?;
    Ok(options
        .create_if_missing(true)
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY_TIMEOUT)
        .foreign_keys(true)
        .disable_statement_logging())
}

/// SQLite itself would only say "unable to open database file".
fn ensure_writable(path: &Path) -> Result<(), Error> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder(folder.to_owned()));
    }
    let opened = OpenOptions::new()
        .create(true)
        .append(true)
        .mode(FILE_MODE)
        .open(path);
    match opened {
        Ok(_) => Ok(()),
        Err(source) => Err(Error::NotWritable {
            path: path.to_owned(),
            source,
        }),
    }
}

fn cannot_open(error: sqlx::Error) -> Error {
    Error::new("open", DbErr::Conn(RuntimeErr::SqlxError(error.into())))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `synchronous` is a setting of each connection, so the writer's own is read.
    #[tokio::test]
    async fn the_writer_flushes_every_commit_to_the_disk() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}/site.db", folder.path().display());
        let (_, writer) = open(&DbOptions::new(&url)).await.unwrap();
        let WritePool::Sqlite(writer) = writer else {
            panic!("a SQLite URL opens a SQLite pool")
        };
        let pragma = async |name: &'static str| -> String {
            let sql =
                sqlx::AssertSqlSafe(format!("SELECT CAST({name} AS TEXT) FROM pragma_{name}"));
            sqlx::query_scalar(sql).fetch_one(&writer).await.unwrap()
        };
        assert_eq!(pragma("synchronous").await, "2", "FULL");
        assert_eq!(pragma("journal_mode").await, "wal");
    }
}
