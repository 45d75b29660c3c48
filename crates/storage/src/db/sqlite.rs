//! The SQLite file: one connection that writes, several that read.
//!
//! WAL lets readers go on while the writer works. `synchronous = FULL` makes a commit survive power loss: an order that
//! was acknowledged is on the disk.

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

/// Pages that the writer keeps in memory, in KiB. Recording orders touches two places of indexes for each, so they come
/// from here; with the 2 MiB of SQLite they were read again for every order of a large site.
const WRITER_CACHE_KIB: u32 = 16 * 1024;

/// Pages in the write-ahead log, of 4 KiB each, before it is folded into the file. A page that many transactions change
/// is written to the file once for all of them; more would make readers search longer.
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
