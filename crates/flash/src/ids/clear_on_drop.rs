//! The flag of work that is done ahead, by one task at a time.

use std::sync::atomic::{AtomicBool, Ordering};

/// Lowers the flag when the work is over, also if it panicked: otherwise nothing would ever be done ahead again.
pub(super) struct LoweredAfter<'a>(pub(super) &'a AtomicBool);

impl Drop for LoweredAfter<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
