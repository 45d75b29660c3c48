//! Variant 1. The same `SET NX`, tried again until it succeeds or the patience ends.
//!
//! Nobody is sent away any more. But the lock does not know that its owner asks again: a method that holds it and calls
//! another one that needs it waits for a release that can only come after its own end. Only the lease ends this deadlock.

use std::time::Duration;

use anyhow::Result;
use tokio::time::Instant;

use super::one_try::OneTry;
use super::{SaleLock, pause_before_retry};

pub(super) struct Polling(OneTry);

impl SaleLock for Polling {
    type Held = String;

    async fn start(masters: &[String]) -> Result<Self> {
        Ok(Self(OneTry::start(masters).await?))
    }

    async fn acquire(&self, owner: &str, patience: Duration) -> Result<Option<String>> {
        let until = Instant::now() + patience;
        loop {
            let held = self.0.acquire(owner, patience).await?;
            if held.is_some() || !pause_before_retry(until).await {
                return Ok(held);
            }
        }
    }

    async fn release(&self, me: String) -> Result<()> {
        self.0.release(me).await
    }
}
