//! A number in the ledger that nothing given out is above, whatever Redis forgets.
//!
//! Two marks, both of which only rise: the *water*, and the *generation* that may raise it. They are used in opposite
//! order by those who may meet:
//!
//! - who **begins** a generation raises the generation first and reads the water then;
//! - who **covers** a number raises the water first and reads the generation then.
//!
//! So of two that meet, one sees the other: either the newcomer's floor includes what the other covered, or the other
//! learns that its generation has ended, and gives out nothing. That needs no lock, and no Redis.

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
    /// In this generation everything up to here may be given out, without asking again.
    UpTo(i64),
    /// Another generation has begun: nothing of this one may be given out beyond what was covered before.
    Superseded,
}

impl<L: Ledger> HighWater<L> {
    pub(super) fn new(ledger: Arc<L>) -> Self {
        Self { ledger }
    }

    /// The generation that was begun last under this name; 0 before the first.
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
        let water = self.ledger.mark(name).await.map_err(IdError::Ledger)?;
        Ok(water.unwrap_or(0))
    }

    /// Makes sure that the water is at `to`, and raises it `ahead` of it if it is not.
    pub(super) async fn cover(
        &self,
        name: &str,
        generation: i64,
        to: i64,
        ahead: i64,
    ) -> Result<Cover, IdError> {
        let water = self.ledger.mark(name).await.map_err(IdError::Ledger)?;
        let water = match water {
            Some(water) if water >= to => water,
            _ => {
                let raised = self.ledger.raise_mark(name, to + ahead).await;
                raised.map_err(IdError::Ledger)?;
                to + ahead
            }
        };
        let current = self.generation(name).await?;
        Ok(if current == generation {
            Cover::UpTo(water)
        } else {
            Cover::Superseded
        })
    }
}

fn generation_of(name: &str) -> String {
    format!("{name}:generation")
}
