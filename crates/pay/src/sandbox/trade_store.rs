//! The store of the sandbox's trades. Memory is enough for a test or one process; a site of several processes, or one whose
//! trades must survive a restart, implements [`TradeStore`] over its own database.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;

use super::Trade;
use crate::OutTradeNo;

/// The error of a store.
pub type TradeStoreError = Box<dyn std::error::Error + Send + Sync>;

pub trait TradeStore: Send + Sync + fmt::Debug {
    fn load<'a>(
        &'a self,
        out_trade_no: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, TradeStoreError>>;

    /// Stores the trade if the stored version is the one just before its own (none, for version 1), and returns whether it
    /// did: a compare-and-set.
    fn store<'a>(&'a self, trade: &'a Trade) -> BoxFuture<'a, Result<bool, TradeStoreError>>;
}

/// Some fifty megabytes; the oldest trades are evicted first.
const MAX_TRADES: usize = 50_000;

/// A store in the memory of the process.
#[derive(Debug, Default)]
pub struct MemoryTradeStore {
    trades: Mutex<StoredTrades>,
}

#[derive(Debug, Default)]
struct StoredTrades {
    trades: HashMap<OutTradeNo, Trade>,
    oldest_first: VecDeque<OutTradeNo>,
}

impl StoredTrades {
    fn store(&mut self, trade: &Trade) -> bool {
        let number = &trade.link_payload().out_trade_no;
        let stored_version = self.trades.get(number).map_or(0, Trade::version);
        if stored_version + 1 != trade.version() {
            return false;
        }
        if stored_version == 0 {
            self.evict_oldest();
            self.oldest_first.push_back(number.clone());
        }
        self.trades.insert(number.clone(), trade.clone());
        true
    }

    fn evict_oldest(&mut self) {
        while self.oldest_first.len() >= MAX_TRADES {
            if let Some(oldest) = self.oldest_first.pop_front() {
                self.trades.remove(&oldest);
            }
        }
    }
}

impl MemoryTradeStore {
    /// No code panics while it holds the lock, so poisoning is ignored.
    fn with<R>(&self, work: impl FnOnce(&mut StoredTrades) -> R) -> R {
        work(&mut self.trades.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl TradeStore for MemoryTradeStore {
    fn load<'a>(
        &'a self,
        out_trade_no: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, TradeStoreError>> {
        let found = self.with(|trades| trades.trades.get(out_trade_no).cloned());
        Box::pin(std::future::ready(Ok(found)))
    }

    fn store<'a>(&'a self, trade: &'a Trade) -> BoxFuture<'a, Result<bool, TradeStoreError>> {
        let stored = self.with(|trades| trades.store(trade));
        Box::pin(std::future::ready(Ok(stored)))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::LinkPayload;

    fn trade(number: usize) -> Trade {
        Trade::opened(LinkPayload {
            out_trade_no: OutTradeNo::parse(number.to_string()).unwrap(),
            subject: String::new(),
            amount_cents: 1,
            return_url: String::new(),
            notify_url: String::new(),
            expires_at: Timestamp::UNIX_EPOCH,
        })
    }

    #[test]
    fn only_the_next_version_is_stored() {
        let mut trades = StoredTrades::default();
        let first = trade(1);
        let (second, _) = first.close(Timestamp::UNIX_EPOCH);
        assert!(!trades.store(&second));
        assert!(trades.store(&first));
        assert!(!trades.store(&first));
        assert!(trades.store(&second));
        assert_eq!(trades.trades[&first.link_payload().out_trade_no], second);
    }

    #[test]
    fn the_oldest_trades_are_evicted() {
        let mut trades = StoredTrades::default();
        for number in 0..=MAX_TRADES {
            assert!(trades.store(&trade(number)));
        }
        assert_eq!(trades.trades.len(), MAX_TRADES);
        assert!(
            !trades
                .trades
                .contains_key(&trade(0).link_payload().out_trade_no)
        );
    }
}
