//! Where the sandbox keeps its trades. Memory does for a test or one process; a site of several processes, or one that
//! must survive being killed, gives a book of its own over whatever store it has.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::{Mutex, PoisonError};

use futures_util::future::BoxFuture;

use super::Trade;
use crate::OutTradeNo;

/// What went wrong in a store that is not ours to know.
pub type BookError = Box<dyn std::error::Error + Send + Sync>;

pub trait Book: Send + Sync + fmt::Debug {
    fn load<'a>(
        &'a self,
        out_trade_no: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, BookError>>;

    /// Stores the trade if the stored version is the one just before its own (none, for version 1), and says whether it
    /// did. One conditional write.
    fn store<'a>(&'a self, trade: &'a Trade) -> BoxFuture<'a, Result<bool, BookError>>;
}

/// Some fifty megabytes; the oldest trades are forgotten first.
const MAX_TRADES: usize = 50_000;

/// The book that ends with its process.
#[derive(Debug, Default)]
pub struct MemoryBook {
    pages: Mutex<Pages>,
}

#[derive(Debug, Default)]
struct Pages {
    trades: HashMap<OutTradeNo, Trade>,
    oldest_first: VecDeque<OutTradeNo>,
}

impl Pages {
    fn store(&mut self, trade: &Trade) -> bool {
        let number = &trade.ticket().out_trade_no;
        let stored_version = self.trades.get(number).map_or(0, Trade::version);
        if stored_version + 1 != trade.version() {
            return false;
        }
        if stored_version == 0 {
            self.make_room();
            self.oldest_first.push_back(number.clone());
        }
        self.trades.insert(number.clone(), trade.clone());
        true
    }

    fn make_room(&mut self) {
        while self.oldest_first.len() >= MAX_TRADES {
            if let Some(oldest) = self.oldest_first.pop_front() {
                self.trades.remove(&oldest);
            }
        }
    }
}

impl MemoryBook {
    /// No step between two writes can panic, so a poisoned lock guards whole pages all the same.
    fn with<R>(&self, work: impl FnOnce(&mut Pages) -> R) -> R {
        work(&mut self.pages.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Book for MemoryBook {
    fn load<'a>(
        &'a self,
        out_trade_no: &'a OutTradeNo,
    ) -> BoxFuture<'a, Result<Option<Trade>, BookError>> {
        let found = self.with(|pages| pages.trades.get(out_trade_no).cloned());
        Box::pin(std::future::ready(Ok(found)))
    }

    fn store<'a>(&'a self, trade: &'a Trade) -> BoxFuture<'a, Result<bool, BookError>> {
        let stored = self.with(|pages| pages.store(trade));
        Box::pin(std::future::ready(Ok(stored)))
    }
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::Ticket;

    fn trade(number: usize) -> Trade {
        Trade::opened(Ticket {
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
        let mut pages = Pages::default();
        let first = trade(1);
        let (second, _) = first.close(Timestamp::UNIX_EPOCH);
        assert!(!pages.store(&second));
        assert!(pages.store(&first));
        assert!(!pages.store(&first));
        assert!(pages.store(&second));
        assert_eq!(pages.trades[&first.ticket().out_trade_no], second);
    }

    #[test]
    fn the_oldest_trades_make_room() {
        let mut pages = Pages::default();
        for number in 0..=MAX_TRADES {
            assert!(pages.store(&trade(number)));
        }
        assert_eq!(pages.trades.len(), MAX_TRADES);
        assert!(!pages.trades.contains_key(&trade(0).ticket().out_trade_no));
    }
}
