//! Free space on the disk with the site's data: the SQLite file, the private Redis, pictures.
//!
//! A full disk fails writes without losing acknowledged ones. But Redis answers a claim before SQL records it, so
//! claims are refused while there is still space to record the granted ones. They are also refused while SQLite
//! cannot write.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use storage::{Backend, Db};
use tokio_util::sync::CancellationToken;

use crate::{App, Error};

/// A check costs microseconds; a disk fills up within seconds.
const CHECK_EVERY: Duration = Duration::from_secs(1);

/// When a client whose claim was refused may retry.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Free space must exceed a limit by a quarter before the state recovers, so that logs do not flicker.
const HYSTERESIS: (u64, u64) = (5, 4);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskLimits {
    pub folder: PathBuf,
    /// Below it the log and the metrics warn. 0 turns it off.
    pub warn_below_bytes: u64,
    /// Below it claims are refused. 0 turns it off.
    pub refuse_below_bytes: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiskSpace {
    Enough,
    Low,
    Exhausted,
}

#[derive(Debug)]
pub struct Disk {
    limits: DiskLimits,
    /// The result of the last check.
    space: AtomicU64,
}

impl Disk {
    pub fn new(limits: DiskLimits) -> Self {
        Self {
            limits,
            space: AtomicU64::new(0),
        }
    }

    pub fn space(&self) -> DiskSpace {
        match self.space.load(Ordering::Relaxed) {
            0 => DiskSpace::Enough,
            1 => DiskSpace::Low,
            _ => DiskSpace::Exhausted,
        }
    }

    /// Updates the state and logs when it crosses a limit.
    fn update(&self, free_bytes: u64) {
        let before = self.space();
        let space = self.limits.classify(free_bytes, before);
        self.space.store(space as u64, Ordering::Relaxed);
        let folder = self.limits.folder.display();
        let free_mib = free_bytes / (1024 * 1024);
        match space {
            _ if space == before => {}
            DiskSpace::Enough => tracing::info!(%folder, free_mib, "disk space recovered"),
            DiskSpace::Low => tracing::warn!(%folder, free_mib, "disk space low: free some"),
            DiskSpace::Exhausted => tracing::error!(
                %folder,
                free_mib,
                "disk nearly full: claims refused until space is freed"
            ),
        }
    }
}

impl DiskLimits {
    fn classify(&self, free_bytes: u64, before: DiskSpace) -> DiskSpace {
        let is_below = |limit: u64, space: DiskSpace| {
            let (times, over) = HYSTERESIS;
            let limit = if before >= space {
                limit.saturating_mul(times) / over
            } else {
                limit
            };
            free_bytes < limit
        };
        if is_below(self.refuse_below_bytes, DiskSpace::Exhausted) {
            DiskSpace::Exhausted
        } else if is_below(self.warn_below_bytes, DiskSpace::Low) {
            DiskSpace::Low
        } else {
            DiskSpace::Enough
        }
    }
}

/// Refuses a claim that could not be recorded. A MySQL server has its own disk: during its outage orders wait in
/// Redis up to the backlog limit.
pub(crate) fn admit_claim(app: &App) -> Result<(), Error> {
    let cannot_record = is_sqlite_failing(app.db());
    if cannot_record || app.disk().space() == DiskSpace::Exhausted {
        return Err(Error::SaleBusy {
            retry_after: RETRY_AFTER,
        });
    }
    Ok(())
}

fn is_sqlite_failing(db: &Db) -> bool {
    db.backend() == Backend::Sqlite && db.write_fault().is_some()
}

/// Checks the disk until shutdown, and probes the database while it cannot write.
pub async fn run_monitor(app: App, stop: CancellationToken) {
    loop {
        check(&app).await;
        if app.db().write_fault().is_some() {
            // `storage` logs the outcome.
            let _ = app.db().probe_write().await;
        }
        let is_failing = f64::from(u8::from(app.db().write_fault().is_some()));
        metrics::gauge!("tandian_database_cannot_write").set(is_failing);
        tokio::select! {
            () = supervise::next_tick(CHECK_EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// On a blocking thread, because a network file system may hang.
async fn check(app: &App) {
    let folder = app.disk().limits.folder.clone();
    let checked = tokio::task::spawn_blocking(move || free_bytes(&folder)).await;
    if let Ok(Some(free)) = checked {
        app.disk().update(free);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        metrics::gauge!("tandian_disk_free_bytes").set(free as f64);
    }
}

/// Bytes available to unprivileged users.
pub fn free_bytes(folder: &std::path::Path) -> Option<u64> {
    let volume = rustix::fs::statvfs(folder).ok()?;
    Some(volume.f_bavail.saturating_mul(volume.f_frsize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_is_judged_by_the_limits_and_comes_back_with_a_margin() {
        let limits = DiskLimits {
            folder: PathBuf::from("/"),
            warn_below_bytes: 1_000,
            refuse_below_bytes: 100,
        };
        assert_eq!(limits.classify(1_000, DiskSpace::Enough), DiskSpace::Enough);
        assert_eq!(limits.classify(999, DiskSpace::Enough), DiskSpace::Low);
        assert_eq!(limits.classify(99, DiskSpace::Low), DiskSpace::Exhausted);
        assert_eq!(
            limits.classify(110, DiskSpace::Exhausted),
            DiskSpace::Exhausted
        );
        assert_eq!(limits.classify(125, DiskSpace::Exhausted), DiskSpace::Low);
        assert_eq!(limits.classify(1_249, DiskSpace::Low), DiskSpace::Low);
        assert_eq!(limits.classify(1_250, DiskSpace::Low), DiskSpace::Enough);
    }
}
