//! Whether the database accepts writes.
//!
//! Any failed write can set the fault; only a probe clears it: a transaction that changed nothing, or that used the
//! last free page, proves nothing.
//!
//! A full disk fails every write of a busy site, so only this module logs it: once when it begins and once when it
//! ends, rate-limited while it flickers.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use sea_orm::DbErr;
use tokio::time::Instant;

use crate::WriteFault;
use crate::error::{Class, class_of};

/// The least time between two log lines that say the same.
const LOG_EVERY: Duration = Duration::from_secs(60);

#[derive(Debug, Default)]
pub(super) struct WriteHealth {
    /// 0, or the 1-based index of the fault in [`FAULTS`]. An atomic because every write reads it.
    fault: AtomicU8,
    log: Mutex<WriteFaultLog>,
}

#[derive(Debug, Default)]
struct WriteFaultLog {
    failed_at: Option<Instant>,
    /// Recovery is logged only for a failure that was logged.
    is_open: bool,
}

const FAULTS: [WriteFault; 3] = [WriteFault::DiskFull, WriteFault::ReadOnly, WriteFault::Io];

impl WriteHealth {
    pub(super) fn fault(&self) -> Option<WriteFault> {
        let place = usize::from(self.fault.load(Ordering::Relaxed));
        place.checked_sub(1).map(|place| FAULTS[place])
    }

    /// A probe was stored.
    pub(super) fn wrote(&self) {
        if self.fault.load(Ordering::Relaxed) != 0 && self.fault.swap(0, Ordering::Relaxed) != 0 {
            self.log_recovery();
        }
    }

    /// Ignores errors that are not write faults.
    pub(super) fn failed(&self, error: &DbErr) {
        let Class::CannotWrite(fault) = class_of(error) else {
            return;
        };
        let place = FAULTS.iter().position(|known| *known == fault);
        let place = place.map_or(0, |place| place + 1);
        let place = u8::try_from(place).unwrap_or_default();
        if self.fault.swap(place, Ordering::Relaxed) != place {
            self.log_failure(fault, error);
        }
    }

    fn log_failure(&self, fault: WriteFault, error: &DbErr) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if log.failed_at.is_some_and(|at| at.elapsed() < LOG_EVERY) {
            return;
        }
        (log.failed_at, log.is_open) = (Some(Instant::now()), true);
        tracing::error!(
            cause = %fault,
            error = error as &dyn std::error::Error,
            "database cannot write, writes are answered 503: free disk space or make it writable"
        );
    }

    fn log_recovery(&self) {
        let mut log = self.log.lock().unwrap_or_else(PoisonError::into_inner);
        if std::mem::take(&mut log.is_open) {
            let failed_for = log.failed_at.map(|at| at.elapsed().as_secs());
            tracing::info!(failed_for_secs = failed_for, "database writes recovered");
        }
    }
}
