//! Waits until replicas have what a master has written, so that a failover loses none of it.

use std::time::Duration;

use link::{Link, LinkError, Script};

static WRITE_MARK: Script = Script::new(include_str!("lua/write_mark.lua"));

/// A replica that is in sync answers within a millisecond or two; one that is not should not hold up a sale.
const WAIT: Duration = Duration::from_millis(500);

/// Whether this many replicas have everything that the master of `key` had written at the time of the call.
///
/// `WAIT` counts from the last write of its own connection, and the data in question may have been written on another: by
/// another process, or before a reconnection. So `key`, which has no other use, is written first.
pub(crate) async fn confirm(link: &Link, key: &str, replicas: u32) -> Result<bool, LinkError> {
    let nothing: [&str; 0] = [];
    let _written: i64 = link.eval(&WRITE_MARK, &[key], &nothing[..]).await?;
    let mut wait = redis::cmd("WAIT");
    wait.arg(replicas)
        .arg(u64::try_from(WAIT.as_millis()).unwrap_or(u64::MAX));
    let have: u32 = link.run_on_master_of(key, &wait).await?;
    Ok(have >= replicas)
}
