//! The lines a migration leaves for the operator. Each is also logged when it is written: rebuilding a large table takes
//! minutes, and silence looks like a hang.

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
