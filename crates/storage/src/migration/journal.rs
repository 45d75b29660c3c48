//! Runs the statements of a migration and collects its messages for the operator. Each message is also logged
//! immediately, because rebuilding a large table takes minutes.
//!
//! A journal of a dry run executes nothing: migrations look before each step whether it is needed, so what remains of
//! them then is the list of steps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sea_orm::{ConnectionTrait, DbErr};

#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    lines: Arc<Mutex<Lines>>,
    is_dry: bool,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Lines {
    /// One per thing that was changed.
    pub(super) all: Vec<String>,
    /// Those of them that changed what rows hold.
    pub(super) of_rows: Vec<String>,
}

impl Journal {
    /// A journal that executes nothing.
    pub(super) fn dry() -> Self {
        Self {
            is_dry: true,
            ..Self::default()
        }
    }

    pub(super) fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// Executes a statement and returns how many rows it changed.
    pub(super) async fn execute(
        &self,
        connection: &impl ConnectionTrait,
        sql: &str,
    ) -> Result<u64, DbErr> {
        if self.is_dry {
            return Ok(0);
        }
        Ok(connection.execute_unprepared(sql).await?.rows_affected())
    }

    /// Notes a change of the schema.
    pub(super) fn note(&self, line: String) {
        if !self.is_dry {
            tracing::info!("{line}");
        }
        self.lock().all.push(line);
    }

    /// Notes a change of what rows hold.
    pub(super) fn note_rows(&self, line: String) {
        self.lock().of_rows.push(line.clone());
        self.note(line);
    }

    pub(super) fn lines(&self) -> Lines {
        self.lock().clone()
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
