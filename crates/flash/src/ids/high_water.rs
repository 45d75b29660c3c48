//! The high-water mark in the ledger: no id above it was given out, whatever Redis loses.
//!
//! Two values, both of which only rise: the *mark*, and the *generation* that may raise it. Two processes use them in
//! opposite order:
//!
//! - a process that **begins** a generation raises the generation first and then reads the mark;
//! - a process that **covers** a number raises the mark first and then reads the generation.
//!
//! So of two concurrent processes one sees the other: either the new generation starts above the covered number, or the
//! other process sees that its generation has ended, and gives out nothing. That needs no lock, and no Redis.

use std::sync::Arc;

use super::IdError;
use crate::Ledger;

#[derive(Debug)]
pub(super) struct HighWater<L> {
    ledger: Arc<L>,
}

/// What [`HighWater::cover`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cover {
    /// Everything up to here may be given out in this generation.
    UpTo(i64),
    /// Another generation has begun: nothing of this one may be given out beyond what was covered before.
    Superseded,
}

impl<L: Ledger> HighWater<L> {
    pub(super) fn new(ledger: Arc<L>) -> Self {
        Self { ledger }
    }

    /// The latest generation under this name; 0 before the first.
    pub(super) async fn generation(&self, name: &str) -> Result<i64, IdError> {
        let mark = self.ledger.mark(&generation_of(name)).await;
        Ok(mark.map_err(IdError::Ledger)?.unwrap_or(0))
    }

    /// Ends all generations below this one and returns the floor: nothing above it was or will be given out by them.
    pub(super) async fn begin(&self, name: &str, generation: i64) -> Result<i64, IdError> {
        let raised = self
            .ledger
            .raise_mark(&generation_of(name), generation)
            .await;
        raised.map_err(IdError::Ledger)?;
        let mark = self.ledger.mark(name).await.map_err(IdError::Ledger)?;
        Ok(mark.unwrap_or(0))
    }

    /// Makes sure that the mark is at least `to`; if not, raises it `ahead` of it.
    pub(super) async fn cover(
        &self,
        name: &str,
        generation: i64,
        to: i64,
        ahead: i64,
    ) -> Result<Cover, IdError> {
        let mark = self.ledger.mark(name).await.map_err(IdError::Ledger)?;
        let mark = match mark {
            Some(mark) if mark >= to => mark,
            _ => {
                let raised = self.ledger.raise_mark(name, to + ahead).await;
                raised.map_err(IdError::Ledger)?;
                to + ahead
            }
        };
        let current = self.generation(name).await?;
        Ok(if current == generation {
            Cover::UpTo(mark)
        } else {
            Cover::Superseded
        })
    }
}

fn generation_of(name: &str) -> String {
    format!("{name}:generation")
}
