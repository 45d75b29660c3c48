//! Recognises the reports of this process' own fills.
//!
//! Redis reports every write of a tracked key to all processes, the author included (`NOLOOP` excludes the connection that
//! wrote, and reports come on another one). The report of a fill would remove from memory the very value that the fill
//! has just put there, so each fill is noted here before it is sent, and one report of its key is not applied.
//!
//! What makes that safe:
//! - An invalidation writes the tombstone as well, and reports of tombstones are always applied. So it does not matter that
//!   Redis reports two writes in one turn of its event loop as one: of a fill and an invalidation that follows it, the
//!   report of the tombstone remains.
//! - Another process fills only with the lease, which it gets after our fill, with a reply, and so in a later turn: its
//!   report comes by itself, after ours.
//! - A note is taken only while the subscription is up, and all are dropped when it is lost: then no report is owed.
//! - A fill that was refused, or whose reply was lost, owes no report that may be passed over. If one was, the key is
//!   invalidated after all.
//! - A report that comes late is applied: [`REPORT_TIMEOUT`]. So is a second fill's while the first one's is owed. Both cost
//!   a read of Redis.
//!
//! The limit: a value that a person deletes by hand (`DEL`, not an invalidation) in the same turn in which this process
//! fills it stays in the memory of this process for its time there.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use crate::{Key, Loader, entry::Stamp, shared::CacheState};

/// Reports arrive with the reply of the fill, usually. A bound, in case that one does not come at all.
const REPORT_TIMEOUT: Duration = Duration::from_secs(2);

/// The fills of this process whose reports are owed, at most one per key.
pub(crate) struct OwnFills<K> {
    by_key: Mutex<HashMap<K, OwnFill>>,
}

/// A fill that was sent.
struct OwnFill {
    token: Stamp,
    sent: Instant,
    progress: Progress,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Progress {
    /// Neither reply nor report has come.
    Sent,
    /// A report came before the reply, which will tell whether it may be passed over.
    Reported,
    /// Redis stored the value, and the report is owed.
    Stored,
}

impl<K: Key> OwnFills<K> {
    pub(crate) fn new() -> Self {
        Self {
            by_key: Mutex::new(HashMap::new()),
        }
    }

    /// Notes a fill before it is sent, and returns whether it did. `is_subscribed` is read under the lock, so a note is
    /// either not taken or dropped when the subscription is lost.
    fn begin(&self, key: &K, token: Stamp, is_subscribed: impl Fn() -> bool) -> bool {
        let mut fills = self.lock();
        if !is_subscribed() || fills.contains_key(key) {
            return false;
        }
        let fill = OwnFill {
            token,
            sent: Instant::now(),
            progress: Progress::Sent,
        };
        fills.insert(key.clone(), fill);
        true
    }

    /// Whether a report of this key is that of an own fill, and need not be applied.
    pub(crate) fn take_report(&self, key: &K) -> bool {
        let mut fills = self.lock();
        let Some(fill) = fills.get_mut(key) else {
            return false;
        };
        match fill.progress {
            Progress::Sent => {
                fill.progress = Progress::Reported;
                true
            }
            // The report before this one was perhaps that of another process; which one cannot be known.
            Progress::Reported => false,
            Progress::Stored => {
                let is_in_time = fill.sent.elapsed() < REPORT_TIMEOUT;
                fills.remove(key);
                is_in_time
            }
        }
    }

    fn stored(&self, key: &K, token: Stamp) {
        let mut fills = self.lock();
        match fills.get_mut(key) {
            Some(fill) if fill.token != token => {}
            Some(fill) if fill.progress == Progress::Sent => fill.progress = Progress::Stored,
            Some(_) => drop(fills.remove(key)),
            None => {}
        }
    }

    /// Redis did not store the value, or it is not known. Returns whether a report was passed over.
    fn failed(&self, key: &K, token: Stamp) -> bool {
        let mut fills = self.lock();
        let is_noted = fills.get(key).is_some_and(|fill| fill.token == token);
        let fill = is_noted.then(|| fills.remove(key)).flatten();
        fill.is_some_and(|fill| fill.progress == Progress::Reported)
    }

    /// No report is owed any more.
    pub(crate) fn clear(&self) {
        self.lock().clear();
    }

    /// Drops the notes of stored fills whose reports have not come.
    pub(crate) fn drop_overdue(&self) {
        self.lock().retain(|_, fill| {
            fill.progress != Progress::Stored || fill.sent.elapsed() < REPORT_TIMEOUT
        });
    }

    /// No code panics while it holds this lock, so a poisoned map is consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, OwnFill>> {
        self.by_key.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fill in flight. Dropped without [`FillNote::stored`] it counts as failed, also when its load is cancelled.
pub(crate) struct FillNote<'a, L: Loader> {
    shared: &'a CacheState<L>,
    key: &'a L::Key,
    token: Stamp,
    is_noted: bool,
}

impl<'a, L: Loader> FillNote<'a, L> {
    pub(crate) fn begin(shared: &'a CacheState<L>, key: &'a L::Key, token: Stamp) -> Self {
        let is_subscribed = || shared.memory.is_subscribed();
        Self {
            is_noted: shared.own_fills.begin(key, token, is_subscribed),
            shared,
            key,
            token,
        }
    }

    pub(crate) fn stored(mut self) {
        if std::mem::take(&mut self.is_noted) {
            self.shared.own_fills.stored(self.key, self.token);
        }
    }
}

impl<L: Loader> Drop for FillNote<'_, L> {
    fn drop(&mut self) {
        if self.is_noted && self.shared.own_fills.failed(self.key, self.token) {
            self.shared.invalidate(self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: Stamp = Stamp([1; 8]);
    const SECOND: Stamp = Stamp([2; 8]);

    fn noted() -> OwnFills<u64> {
        let fills = OwnFills::new();
        assert!(fills.begin(&1, FIRST, || true));
        fills
    }

    #[test]
    fn one_report_of_a_stored_fill_is_passed_over_before_or_after_the_reply() {
        let fills = noted();
        assert!(fills.take_report(&1));
        fills.stored(&1, FIRST);
        assert!(!fills.take_report(&1));

        let fills = noted();
        fills.stored(&1, FIRST);
        assert!(fills.take_report(&1));
        assert!(!fills.take_report(&1));
    }

    #[test]
    fn two_reports_before_the_reply_are_not_both_passed_over() {
        let fills = noted();
        assert!(fills.take_report(&1));
        assert!(!fills.take_report(&1));
        fills.stored(&1, FIRST);
        assert!(!fills.take_report(&1));
    }

    #[test]
    fn a_failed_fill_tells_whether_a_report_was_passed_over() {
        let fills = noted();
        assert!(fills.take_report(&1));
        assert!(fills.failed(&1, FIRST));

        let fills = noted();
        assert!(!fills.failed(&1, FIRST));
        assert!(!fills.take_report(&1));
    }

    #[test]
    fn no_report_is_expected_without_a_subscription_or_after_its_loss() {
        let fills = OwnFills::new();
        assert!(!fills.begin(&1, FIRST, || false));
        assert!(!fills.take_report(&1));

        let fills = noted();
        fills.stored(&1, FIRST);
        fills.clear();
        assert!(!fills.take_report(&1));

        // Sent before the loss, stored after it: its report may be lost.
        let fills = noted();
        fills.clear();
        fills.stored(&1, FIRST);
        assert!(!fills.take_report(&1));
    }

    #[test]
    fn a_second_fill_of_a_key_is_not_noted_while_the_report_of_the_first_is_owed() {
        let fills = noted();
        assert!(!fills.begin(&1, SECOND, || true));
        assert!(fills.begin(&2, SECOND, || true));
        fills.stored(&1, FIRST);
        assert!(!fills.begin(&1, SECOND, || true));
        assert!(fills.take_report(&1));
        assert!(fills.begin(&1, SECOND, || true));
    }

    #[test]
    fn the_outcome_of_a_fill_from_before_a_loss_is_not_that_of_a_later_one() {
        let fills = noted();
        fills.clear();
        assert!(fills.begin(&1, SECOND, || true));
        assert!(fills.take_report(&1));
        assert!(!fills.failed(&1, FIRST));
        fills.stored(&1, FIRST);
        assert!(fills.failed(&1, SECOND), "a report was passed over");
    }
}
