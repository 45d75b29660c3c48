//! Failures at a chosen statement, for tests: every writing function must survive each of them at each of its statements.
//!
//! The database's own reaction is part of a fault: a full disk ends SQLite's transaction, a deadlock ends MySQL's, a killed
//! connection is really killed. Builds for production count nothing and never fail.

use std::sync::{Mutex, PoisonError};

use sea_orm::sqlx;
use sea_orm::sqlx::error::{DatabaseError, ErrorKind};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::Notify;

/// What happens to one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// There is no room; SQLite gives the whole transaction up.
    Full,
    /// A file cannot be read or written; SQLite gives the whole transaction up.
    Io,
    /// The statement is refused and the transaction stays open.
    ReadOnly,
    /// The server gives the whole transaction up.
    Deadlock,
    /// The server gives the statement up and the transaction stays open.
    Interrupted,
    /// The connection is gone.
    Killed,
    /// The statement is done and nobody hears of it.
    ReplyLost,
    /// No reply, ever: the caller's time limit ends it.
    Hang,
    /// From this statement on SQLite's file may not grow on this connection, and the database itself finds out.
    NoGrowth,
}

/// Disarmed unless a test arms it.
#[derive(Debug, Default)]
pub struct Faults {
    plan: Mutex<Plan>,
    strikes: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
struct Plan {
    fault: Option<Fault>,
    /// Statements that go well before the one that fails.
    spared: u32,
    passed: u32,
    has_struck: bool,
}

impl Faults {
    /// After `spared` statements of the writing connections, one fails; those after it are well again.
    pub fn arm(&self, fault: Fault, spared: u32) {
        *self.plan() = Plan {
            fault: Some(fault),
            spared,
            ..Plan::default()
        };
    }

    /// Whether the fault has struck; it never will again.
    pub fn disarm(&self) -> bool {
        std::mem::take(&mut *self.plan()).has_struck
    }

    /// Waits until the fault has struck.
    pub async fn struck(&self) {
        while !self.plan().has_struck {
            self.strikes.notified().await;
        }
    }

    pub(super) fn next(&self) -> Option<Fault> {
        if !cfg!(debug_assertions) {
            return None;
        }
        let mut plan = self.plan();
        let fault = plan.fault?;
        if plan.has_struck {
            return None;
        }
        plan.passed += 1;
        plan.has_struck = plan.passed > plan.spared;
        if plan.has_struck {
            self.strikes.notify_one();
        }
        plan.has_struck.then_some(fault)
    }

    /// A test that failed elsewhere must not hide behind a poisoned lock.
    fn plan(&self) -> std::sync::MutexGuard<'_, Plan> {
        self.plan.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Fault {
    pub(super) fn ends_transaction(self) -> bool {
        matches!(self, Self::Full | Self::Io | Self::Deadlock)
    }

    /// The error that SQLite would give, or its driver.
    pub(super) fn of_sqlite(self) -> DbErr {
        let code = match self {
            Self::Full => "13",
            Self::Io => "778",
            Self::ReadOnly => "8",
            Self::Deadlock => "6",
            Self::Interrupted => "9",
            Self::Killed | Self::ReplyLost | Self::Hang | Self::NoGrowth => {
                return failed(sqlx::Error::WorkerCrashed);
            }
        };
        failed(sqlx::Error::Database(Box::new(Injected { code })))
    }

    /// A statement that makes a MySQL server give the real error.
    pub(super) fn of_mysql(self) -> &'static str {
        match self {
            Self::Full => "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1114",
            Self::Io => "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1030",
            Self::ReadOnly => "SIGNAL SQLSTATE 'HY000' SET MYSQL_ERRNO = 1290",
            Self::Deadlock => "SIGNAL SQLSTATE '40001' SET MYSQL_ERRNO = 1213",
            Self::Interrupted => "SIGNAL SQLSTATE '70100' SET MYSQL_ERRNO = 1317",
            Self::Killed | Self::ReplyLost | Self::Hang | Self::NoGrowth => "KILL CONNECTION_ID()",
        }
    }
}

fn failed(error: sqlx::Error) -> DbErr {
    DbErr::Exec(RuntimeErr::SqlxError(error.into()))
}

/// An error with a code of SQLite, whose own type cannot be made by hand.
#[derive(Debug, thiserror::Error)]
#[error("injected fault, code {code}")]
struct Injected {
    code: &'static str,
}

impl DatabaseError for Injected {
    fn message(&self) -> &str {
        "injected fault"
    }

    fn code(&self) -> Option<std::borrow::Cow<'_, str>> {
        Some(self.code.into())
    }

    fn as_error(&self) -> &(dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn std::error::Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn std::error::Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}
