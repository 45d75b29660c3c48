//! What can go wrong below the use cases: which operation failed, and the driver's own error as its source.
//!
//! `Display` never repeats the source and never holds a URL, so a password cannot reach a log through it.

use std::path::PathBuf;
use std::time::Duration;

use domain::UserId;
use sea_orm::sqlx;
use sea_orm::{DbErr, RuntimeErr};
use thiserror::Error;

#[derive(Debug, Error)]
pub enum Error {
    #[error("the database URL must begin with sqlite:// or mysql://")]
    UnknownScheme,
    #[error("the database URL cannot be read: {reason}")]
    BadUrl { reason: String },
    #[error("the folder {0:?} of the database file does not exist")]
    NoFolder(PathBuf),
    #[error("the database file {path:?} cannot be opened for writing")]
    NotWritable {
        path: PathBuf,
        source: std::io::Error,
    },
    /// The database did not answer at all, or said that it cannot serve anyone: worth trying again later.
    #[error("{operation}: the database is not available")]
    Unavailable {
        operation: &'static str,
        source: Cause,
    },
    #[error("{operation}: no answer from the database within {} ms", limit.as_millis())]
    TimedOut {
        operation: &'static str,
        limit: Duration,
    },
    #[error("{operation} failed")]
    Failed {
        operation: &'static str,
        source: Cause,
    },
    #[error("there is no user {0}")]
    NoSuchUser(UserId),
    #[error(
        "the database was made by a newer version (it has the migration {migration}); use that version"
    )]
    NewerDatabase { migration: String },
    #[error("another process is migrating the database")]
    MigrationBusy,
    /// Nothing was changed. Each line says what is in the way.
    #[error("the database cannot be adopted as it is:\n{}", obstacles.join("\n"))]
    CannotAdopt { obstacles: Vec<String> },
}

/// The driver's error, opaque to callers: they log it, they do not match on it.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct Cause(DbErr);

impl Error {
    /// True when nothing is wrong with the request: the caller may answer 503 and the same call may succeed later.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable { .. } | Self::TimedOut { .. })
    }

    pub(crate) fn new(operation: &'static str, source: DbErr) -> Self {
        let is_unavailable = is_outage(&source);
        let source = Cause(source);
        if is_unavailable {
            Self::Unavailable { operation, source }
        } else {
            Self::Failed { operation, source }
        }
    }
}

fn is_outage(error: &DbErr) -> bool {
    match error {
        DbErr::ConnectionAcquire(_) | DbErr::Conn(_) => true,
        DbErr::Exec(RuntimeErr::SqlxError(error)) | DbErr::Query(RuntimeErr::SqlxError(error)) => {
            is_driver_outage(error)
        }
        _ => false,
    }
}

fn is_driver_outage(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        sqlx::Error::Database(error) => {
            if let Some(mysql) = error.try_downcast_ref::<sqlx::mysql::MySqlDatabaseError>() {
                MYSQL_OUTAGES.contains(&mysql.number())
            } else {
                is_sqlite_busy(error.code().as_deref())
            }
        }
        _ => false,
    }
}

/// The server lives but serves nobody just now, or gave this statement up:
/// too many connections (1040, 1203), shutting down (1053), connection killed (1927), lock wait (1205), deadlock (1213),
/// statement time (1969, 3024), read-only after a failover (1290, 1836).
const MYSQL_OUTAGES: [u16; 10] = [1040, 1053, 1203, 1205, 1213, 1290, 1836, 1927, 1969, 3024];

/// `SQLITE_BUSY` and `SQLITE_LOCKED` with all their extended codes, whose low byte is the primary code.
fn is_sqlite_busy(code: Option<&str>) -> bool {
    let extended = code.and_then(|code| code.parse::<i32>().ok());
    extended.is_some_and(|code| matches!(code & 0xff, 5 | 6))
}
