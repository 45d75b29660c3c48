//! Room on the disk that holds the site's own data: the SQLite file, the private Redis, pictures.
//!
//! A disk without room fails writes; nothing that was answered is lost by that. But a claim is answered by Redis and
//! recorded in SQL afterwards, so claims are refused while there is still room to record those that were granted. They are
//! refused as well while SQLite cannot write, whatever the disk says.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use storage::{Backend, Db};
use tokio_util::sync::CancellationToken;

use crate::{App, Error};

/// Asking the kernel costs microseconds; a disk fills up within seconds.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// When somebody whose claim was refused for lack of room may ask again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Room must come back to a quarter more than a limit before it counts as kept, so that logs do not flicker.
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
pub enum Room {
    Enough,
    Low,
    None,
}

#[derive(Debug)]
pub struct Disk {
    limits: DiskLimits,
    /// What the last look found.
    room: AtomicU64,
}

impl Disk {
    pub fn new(limits: DiskLimits) -> Self {
        Self {
            limits,
            room: AtomicU64::new(0),
        }
    }

    pub fn room(&self) -> Room {
        match self.room.load(Ordering::Relaxed) {
            0 => Room::Enough,
            1 => Room::Low,
            _ => Room::None,
        }
    }

    /// Takes in what is free, and logs when it crosses a limit.
    fn take_in(&self, free_bytes: u64) {
        let before = self.room();
        let room = self.limits.judge(free_bytes, before);
        self.room.store(room as u64, Ordering::Relaxed);
        let folder = self.limits.folder.display();
        let free_mib = free_bytes / (1024 * 1024);
        match room {
            _ if room == before => {}
            Room::Enough => tracing::info!(%folder, free_mib, "disk has room again"),
            Room::Low => tracing::warn!(%folder, free_mib, "disk is low on room: free some"),
            Room::None => tracing::error!(
                %folder,
                free_mib,
                "disk is nearly full: claims are refused until room is freed"
            ),
        }
    }
}

impl DiskLimits {
    fn judge(&self, free_bytes: u64, before: Room) -> Room {
        let is_below = |limit: u64, room: Room| {
            let (times, over) = HYSTERESIS;
            let limit = if before >= room {
                limit.saturating_mul(times) / over
            } else {
                limit
            };
            free_bytes < limit
        };
        if is_below(self.refuse_below_bytes, Room::None) {
            Room::None
        } else if is_below(self.warn_below_bytes, Room::Low) {
            Room::Low
        } else {
            Room::Enough
        }
    }
}

/// Refuses a claim that could not be recorded. An SQL server keeps its files elsewhere: while it is away, orders wait in
/// Redis up to the backlog's limit.
pub(crate) fn admit_claim(app: &App) -> Result<(), Error> {
    let cannot_record = is_sqlite_failing(app.db());
    if cannot_record || app.disk().room() == Room::None {
        return Err(Error::SaleBusy {
            retry_after: RETRY_AFTER,
        });
    }
    Ok(())
}

fn is_sqlite_failing(db: &Db) -> bool {
    db.backend() == Backend::Sqlite && db.write_fault().is_some()
}

/// Looks at the disk for as long as the site runs, and tries to write as long as the database could not.
pub async fn run_watch(app: App, stop: CancellationToken) {
    loop {
        look(&app).await;
        if app.db().write_fault().is_some() {
            // Its outcome is logged where writes are watched.
            let _ = app.db().probe_write().await;
        }
        let is_failing = f64::from(u8::from(app.db().write_fault().is_some()));
        metrics::gauge!("tandian_database_cannot_write").set(is_failing);
        tokio::select! {
            () = tokio::time::sleep(LOOK_EVERY) => {}
            () = stop.cancelled() => return,
        }
    }
}

/// On a thread of its own, because a network file system may hang.
async fn look(app: &App) {
    let folder = app.disk().limits.folder.clone();
    let looked = tokio::task::spawn_blocking(move || free_bytes(&folder)).await;
    if let Ok(Some(free)) = looked {
        app.disk().take_in(free);
        #[expect(clippy::cast_precision_loss, reason = "a gauge is a float")]
        metrics::gauge!("tandian_disk_free_bytes").set(free as f64);
    }
}

/// What an ordinary user may still write.
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
        assert_eq!(limits.judge(1_000, Room::Enough), Room::Enough);
        assert_eq!(limits.judge(999, Room::Enough), Room::Low);
        assert_eq!(limits.judge(99, Room::Low), Room::None);
        assert_eq!(limits.judge(110, Room::None), Room::None);
        assert_eq!(limits.judge(125, Room::None), Room::Low);
        assert_eq!(limits.judge(1_249, Room::Low), Room::Low);
        assert_eq!(limits.judge(1_250, Room::Low), Room::Enough);
    }
}
