//! Where the sandbox keeps its trades: in Redis, so that they outlive a process and are the same for all of them.

use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use kv::Kv;
use pay::{OutTradeNo, Trade, TradeStore, TradeStoreError};

#[derive(Debug)]
pub struct TradeBook {
    kv: Kv,
}

impl TradeBook {
    pub fn new(kv: Kv) -> Self {
        Self { kv }
    }
}

impl TradeStore for TradeBook {
    fn load<'a>(
        &'a self,
        out_trade_no: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, TradeStoreError>> {
        async move {
            let found = self.kv.load_sandbox_trade(out_trade_no.as_str()).await?;
            let read = |text: String| serde_json::from_str(&text);
            Ok(found.map(read).transpose()?)
        }
        .boxed()
    }

    fn store<'a>(&'a self, trade: &'a Trade) -> BoxFuture<'a, Result<bool, TradeStoreError>> {
        async move {
            let (number, text) = (
                &trade.link_payload().out_trade_no,
                serde_json::to_string(trade)?,
            );
            let kv = &self.kv;
            let stored = kv.store_sandbox_trade(number.as_str(), trade.version(), &text);
            Ok(stored.await?)
        }
        .boxed()
    }
}
