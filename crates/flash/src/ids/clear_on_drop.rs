//! A flag that is cleared when its task ends.

use std::sync::atomic::{AtomicBool, Ordering};

/// Clears the flag also after a panic: otherwise no task would ever start again.
pub(super) struct ClearOnDrop<'a>(pub(super) &'a AtomicBool);

impl Drop for ClearOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Release);
    }
}
