//! The crate's error: the failed operation, with the driver's error as its source.
//!
//! `Display` never repeats the source and never holds a URL, so a password cannot reach a log through it.

mod class;

use std::path::PathBuf;
use std::time::Duration;

use domain::UserId;
use sea_orm::DbErr;
use thiserror::Error;

use crate::ZoneComparison;

pub use class::WriteFault;
pub(crate) use class::{Class, class_of};

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
    /// The database did not answer or cannot serve anyone: retry later.
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
    /// The database answers but cannot write. Nothing was stored.
    #[error("{operation}: the database cannot write: {fault}")]
    CannotWrite {
        operation: &'static str,
        fault: WriteFault,
        source: Cause,
    },
    /// The database rejects these rows: a constraint or a value. A retry fails again.
    #[error("{operation}: the database rejected the data")]
    Rejected {
        operation: &'static str,
        source: Cause,
    },
    /// A bug or a schema of another version: no row is at fault and a retry does not help.
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
    /// Nothing was changed. Each line names one obstacle.
    #[error("the database cannot be adopted as it is:\n{}", obstacles.join("\n"))]
    CannotAdopt { obstacles: Vec<String> },
    /// Nothing was changed.
    #[error(
        "the database runs in the time zone {} and the site in another: somebody must say what its times are",
        zones.database_zone
    )]
    ZoneUnclear { zones: ZoneComparison },
    /// Nothing was changed by this run.
    #[error(
        "an adoption that was cut off took the times of the database for something else, and has converted some: repeat it \
         with the same --times, or without"
    )]
    ZoneChanged,
}

/// The driver's error, opaque to callers: they log it, they do not match on it.
#[derive(Debug, Error)]
#[error(transparent)]
pub struct Cause(DbErr);

impl Error {
    /// True when the request is fine: the caller may answer 503 and the same call may succeed later.
    pub fn is_unavailable(&self) -> bool {
        matches!(
            self,
            Self::Unavailable { .. } | Self::TimedOut { .. } | Self::CannotWrite { .. }
        )
    }

    /// True when the database works and rejects the rows themselves. Neither an outage nor a bug of ours counts.
    pub fn is_rejection(&self) -> bool {
        matches!(self, Self::Rejected { .. })
    }

    pub(crate) fn new(operation: &'static str, source: DbErr) -> Self {
        let class = class_of(&source);
        let source = Cause(source);
        match class {
            Class::Rejected => Self::Rejected { operation, source },
            Class::Defect => Self::Failed { operation, source },
            Class::CannotWrite(fault) => Self::CannotWrite {
                operation,
                fault,
                source,
            },
            Class::Outage => Self::Unavailable { operation, source },
        }
    }
}
