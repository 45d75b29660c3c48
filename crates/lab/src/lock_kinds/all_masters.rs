//! Variant 3. The lock on all of three masters (`MultiLock`): it is held while every one of them grants it.
//!
//! A second holder needs all three as well, so it is kept out as long as one of them remembers the first. The other side of
//! it: one master that is down stops everybody. Three masters are less available than one.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Result;
use lock::{Locks, MultiGuard, MultiLock};

use super::{SaleLock, TERM, locks_of};

pub(super) struct AllMasters {
    masters: Vec<Locks>,
}

impl SaleLock for AllMasters {
    /// A method passes it to those it calls: sharing the guard is re-entering.
    type Held = Arc<MultiGuard>;

    async fn start(masters: &[String]) -> Result<Self> {
        let masters = locks_of(masters).await?;
        Ok(Self { masters })
    }

    async fn acquire(&self, _owner: &str, patience: Duration) -> Result<Option<Self::Held>> {
        let members = self.masters.iter();
        let members = members.map(|locks| locks.mutex("sale").term(TERM));
        let guard = MultiLock::all(members)?.lock_within(patience).await?;
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
