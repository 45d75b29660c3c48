//! Moves the clock of a Redis forward: [`pass`].
//!
//! Experiments with lifetimes of minutes take seconds, and end the same on a busy machine.

use anyhow::Result;
use testkit::Redis;

/// A negative TTL: the key has none. A TTL that is over deletes the key.
const SHORTEN_ALL: &str = "for _, key in ipairs(redis.call('KEYS', '*')) do
         local left = redis.call('PTTL', key)
         if left >= 0 then redis.call('PEXPIRE', key, left - tonumber(ARGV[1])) end
     end";

/// So many milliseconds pass for every key that expires.
pub(crate) async fn pass(redis: &Redis, ms: u64) -> Result<()> {
    let mut connection = redis.connection().await;
    let mut shorten = redis::cmd("EVAL");
    shorten.arg(SHORTEN_ALL).arg(0).arg(ms);
    Ok(shorten.query_async(&mut connection).await?)
}
