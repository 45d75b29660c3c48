//! Variant 5. The `lock` crate on one Redis: waits without polling, re-enters by owner, and every grant has a higher fencing
//! token than those before.
//!
//! A Redis that has lost its data grants the lock a second time. The second holder has the higher token, the row remembers
//! it, and the first one's write is refused: two holders, one sale.

use std::time::Duration;

use anyhow::{Context as _, Result};
use lock::{Guard, Locks};
use tokio::time::timeout;

use super::{SaleLock, TERM, locks_of};

pub(super) struct Fenced {
    locks: Locks,
}

impl SaleLock for Fenced {
    type Held = Guard;

    async fn start(masters: &[String]) -> Result<Self> {
        let locks = locks_of(&masters[..1]).await?.pop();
        let locks = locks.context("there is a first master")?;
        Ok(Self { locks })
    }

    async fn acquire(&self, owner: &str, patience: Duration) -> Result<Option<Guard>> {
        let mutex = self.locks.mutex("sale").term(TERM);
        match timeout(patience, mutex.lock_as(owner)).await {
            Ok(granted) => Ok(Some(granted?)),
            Err(_too_late) => Ok(None),
        }
    }

    async fn release(&self, held: Guard) -> Result<()> {
        Ok(held.release().await?)
    }

    fn fence(held: &Guard) -> Option<i64> {
        Some(held.fence().as_i64())
    }
}
