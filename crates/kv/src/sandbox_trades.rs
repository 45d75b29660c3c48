//! The book of the payment provider that only plays: its trades, by number, so that they outlive a process.
//!
//! The provider defines the content of a trade; here it is text with a version.

use std::time::Duration;

use link::Script;

use crate::{Error, Kv};

static STORE: Script = Script::new(include_str!("lua/store_sandbox_trade.lua"));

/// A month after its last change no refund of play money is expected.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3600);

impl Kv {
    pub async fn load_sandbox_trade(&self, number: &str) -> Result<Option<String>, Error> {
        let key = self.keys.sandbox_trade(number);
        let mut read = redis::cmd("HGET");
        read.arg(key).arg("trade");
        let found = self.link.run(&read).await;
        found.map_err(Error::during("read a sandbox trade"))
    }

    /// Stores a trade over the version just before its own, and returns whether that was the one stored.
    pub async fn store_sandbox_trade(
        &self,
        number: &str,
        version: u64,
        trade: &str,
    ) -> Result<bool, Error> {
        let key = self.keys.sandbox_trade(number);
        let args = (version, trade, KEPT.as_secs());
        let stored = self.link.eval(&STORE, &[&key], args).await;
        stored.map_err(Error::during("store a sandbox trade"))
    }
}
