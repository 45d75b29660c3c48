//! The messages of a migration for the operator. Each is also logged immediately, because rebuilding a large table
//! takes minutes.

use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    lines: Arc<Mutex<Vec<String>>>,
}

impl Journal {
    pub(super) fn note(&self, line: String) {
        tracing::info!("{line}");
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(line);
    }

    pub(super) fn lines(&self) -> Vec<String> {
        self.lines
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}
