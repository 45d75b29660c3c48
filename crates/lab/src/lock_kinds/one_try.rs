//! Variant 0. `SET lock owner NX PX lease`, tried once (`tryLock()` of the first tutorials).
//!
//! Whoever finds it held is refused at once, though it may be free a millisecond later: buyers are sent away while there is
//! stock. It stores an owner only to delete no lock of another; the owner itself is refused like everybody else.

use std::time::Duration;

use anyhow::Result;
use link::Link;

use super::{LEASE, RELEASE, SaleLock};
use crate::version;

const KEY: &str = "lock:sale";

pub(super) struct OneTry {
    link: Link,
}

impl SaleLock for OneTry {
    /// The value of the lock.
    type Held = String;

    const CAN_WAIT: bool = false;

    async fn start(masters: &[String]) -> Result<Self> {
        let link = version::connect(&masters[0]).await?;
        Ok(Self { link })
    }

    async fn acquire(&self, owner: &str, _patience: Duration) -> Result<Option<String>> {
        let me = format!("{owner} {:032x}", rand::random::<u128>());
        let mut set = redis::cmd("SET");
        set.arg(KEY).arg(&me).arg("NX").arg("PX");
        set.arg(u64::try_from(LEASE.as_millis())?);
        let granted: Option<String> = self.link.run(&set).await?;
        Ok(granted.map(|_ok| me))
    }

    async fn release(&self, me: String) -> Result<()> {
        let _deleted: i64 = self.link.eval(&RELEASE, &[KEY], &me).await?;
        Ok(())
    }
}
