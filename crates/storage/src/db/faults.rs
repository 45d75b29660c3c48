//! Injects failures at a chosen statement, for tests: every writing function must survive each fault at each
//! statement.
//!
//! A fault includes the database's reaction: a full disk ends SQLite's transaction, a deadlock ends MySQL's, a killed
//! connection is really killed. Release builds inject nothing.

use std::sync::{Mutex, PoisonError};

use sea_orm::sqlx;
use sea_orm::sqlx::error::{DatabaseError, ErrorKind};
use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::Notify;

/// What happens to one statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Disk full; SQLite rolls back the transaction.
    Full,
    /// I/O error; SQLite rolls back the transaction.
    Io,
    /// The statement is refused and the transaction stays open.
    ReadOnly,
    /// The server rolls back the transaction.
    Deadlock,
    /// The server aborts the statement; the transaction stays open.
    Interrupted,
    /// The connection is gone.
    Killed,
    /// The statement runs and its reply is lost.
    ReplyLost,
    /// No reply, ever: the caller's time limit ends it.
    Hang,
    /// From this statement on SQLite's file cannot grow on this connection.
    NoGrowth,
}

/// Disarmed unless a test arms it.
#[derive(Debug, Default)]
pub struct Faults {
    plan: Mutex<FaultPlan>,
    triggers: Notify,
}

#[derive(Clone, Copy, Debug, Default)]
struct FaultPlan {
    fault: Option<Fault>,
    /// Statements that succeed before the one that fails.
    skipped: u32,
    passed: u32,
    has_triggered: bool,
}

impl Faults {
    /// Lets `skipped` statements of the writing connections succeed, then fails one; later ones succeed again.
    pub fn arm(&self, fault: Fault, skipped: u32) {
        *self.plan() = FaultPlan {
            fault: Some(fault),
            skipped,
            ..FaultPlan::default()
        };
    }

    /// Disarms the fault; returns whether it triggered.
    pub fn disarm(&self) -> bool {
        std::mem::take(&mut *self.plan()).has_triggered
    }

    /// Waits until the fault has triggered.
    pub async fn triggered(&self) {
        while !self.plan().has_triggered {
            self.triggers.notified().await;
        }
    }

    pub(super) fn next(&self) -> Option<Fault> {
        if !cfg!(debug_assertions) {
            return None;
        }
        let mut plan = self.plan();
        let fault = plan.fault?;
        if plan.has_triggered {
            return None;
        }
        plan.passed += 1;
        plan.has_triggered = plan.passed > plan.skipped;
        if plan.has_triggered {
            self.triggers.notify_one();
        }
        plan.has_triggered.then_some(fault)
    }

    /// A test that failed elsewhere must not hide behind a poisoned lock.
    fn plan(&self) -> std::sync::MutexGuard<'_, FaultPlan> {
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
