//! Variant 4. The lock on a majority of three masters (Redlock): it is held while two of them grant it.
//!
//! It bears one master that is down, or one that has lost its data. Not two: those that have forgotten grant a second
//! majority. And there is no fencing token, because three masters do not agree on one sequence.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use lock::{Locks, MultiGuard, MultiLock};

use super::{SaleLock, TERM, locks_of};

pub(super) struct Majority {
    masters: Vec<Locks>,
}

impl SaleLock for Majority {
    /// A method passes it to those it calls: sharing the guard is re-entering.
    type Held = Arc<MultiGuard>;

    async fn start(masters: &[String]) -> Result<Self> {
        let masters = locks_of(masters).await?;
        Ok(Self { masters })
    }

    async fn acquire(&self, _owner: &str, patience: Duration) -> Result<Option<Self::Held>> {
        let members = self.masters.iter();
        let members = members.map(|locks| locks.mutex("sale").term(TERM));
        let guard = MultiLock::majority(members)?.lock_within(patience).await?;
        Ok(Some(Arc::new(guard)))
    }

    async fn acquire_again(&self, _owner: &str, held: &Self::Held) -> Result<Option<Self::Held>> {
        Ok(Some(held.clone()))
    }

    async fn release(&self, held: Self::Held) -> Result<()> {
        match Arc::into_inner(held) {
            Some(last) => Ok(last.release().await?),
            None => Ok(()),
        }
    }
}
