//! Counts the uploads in flight per user in this process, so that one user cannot take all slots.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use domain::UserId;

#[derive(Clone, Debug, Default)]
pub(super) struct UploadsInFlight {
    /// Users without uploads have no entry.
    uploads: Arc<Mutex<HashMap<UserId, usize>>>,
}

/// One upload of a user; dropping it frees the slot.
#[derive(Debug)]
pub(super) struct UploadSlot {
    in_flight: UploadsInFlight,
    user: UserId,
}

impl UploadsInFlight {
    /// Takes a slot for this user, unless `max` are taken.
    pub(super) fn begin(&self, user: UserId, max: usize) -> Option<UploadSlot> {
        let is_free = self.change(user, |count| {
            let is_free = *count < max;
            *count += usize::from(is_free);
            is_free
        });
        is_free.then(|| UploadSlot {
            in_flight: self.clone(),
            user,
        })
    }

    fn change<T>(&self, user: UserId, change: impl FnOnce(&mut usize) -> T) -> T {
        // A count changes in one step, so a panic elsewhere leaves it consistent.
        let mut uploads = self.uploads.lock().unwrap_or_else(PoisonError::into_inner);
        let count = uploads.entry(user).or_default();
        let answer = change(count);
        if *count == 0 {
            uploads.remove(&user);
        }
        answer
    }
}

impl Drop for UploadSlot {
    fn drop(&mut self) {
        self.in_flight.change(self.user, |count| *count -= 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_gets_as_many_turns_as_there_are_and_leaves_nothing_behind() {
        let (in_flight, me, other) = (UploadsInFlight::default(), UserId::new(1), UserId::new(2));
        let held = (in_flight.begin(me, 2), in_flight.begin(me, 2));
        assert!(held.0.is_some() && held.1.is_some());
        assert!(in_flight.begin(me, 2).is_none());
        let others = in_flight.begin(other, 2);
        assert!(others.is_some());
        drop(held.0);
        assert!(in_flight.begin(me, 2).is_some());
        drop((held.1, others));
        assert!(in_flight.uploads.lock().unwrap().is_empty());
    }
}
