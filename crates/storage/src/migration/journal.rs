//! Runs the statements of a migration and collects its messages for the operator. Each message is also logged
//! immediately, because rebuilding a large table takes minutes.
//!
//! A journal of a dry run executes nothing: migrations look before each step whether it is needed, so what remains of
//! them then is the list of steps.

use std::sync::{Arc, Mutex, PoisonError};

use sea_orm::{ConnectionTrait, DbErr};

#[derive(Clone, Debug, Default)]
pub(super) struct Journal {
    lines: Arc<Mutex<Vec<String>>>,
    is_dry: bool,
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

    pub(super) fn note(&self, line: String) {
        if !self.is_dry {
            tracing::info!("{line}");
        }
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
