//! A site for a test: a ledger, a prefix, and as many engines on them as there are processes.

use std::ops::Deref;
use std::time::Duration;

use flash::{BuyerId, Claim, ClaimOutcome, Flash, FlashOptions, KeyHash, OrderId, SaleId, Terms};
use link::{Link, Options as LinkOptions, Target};
use lock::{Locks, Options as LockOptions};
use testkit::{Redis, unique_prefix, wait_for};
use tokio_util::sync::CancellationToken;
use tokio_util::task::AbortOnDropHandle;

use crate::memory_ledger::MemoryLedger;

/// Long enough for a busy machine, short enough to notice what hangs.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

pub(crate) struct Site {
    pub(crate) url: String,
    pub(crate) prefix: String,
    pub(crate) book: MemoryLedger,
}

/// An engine as a process has it, with what runs in its background. It ends when dropped.
pub(crate) struct Engine {
    flash: Flash<MemoryLedger>,
    stop: CancellationToken,
    workers: Vec<AbortOnDropHandle<()>>,
}

impl Site {
    /// On the Redis of this test process.
    pub(crate) async fn new() -> Self {
        Self::at(Redis::shared().await.url())
    }

    pub(crate) fn at(url: String) -> Self {
        Self {
            url,
            prefix: unique_prefix(),
            book: MemoryLedger::default(),
        }
    }

    /// The same site, reached by another transport.
    pub(crate) fn by_way_of(&self, url: String) -> Self {
        Self {
            url,
            prefix: self.prefix.clone(),
            book: self.book.clone(),
        }
    }

    pub(crate) fn publish(&self, sale: i64, terms: Terms) -> SaleId {
        self.book.publish(SaleId(sale), terms);
        SaleId(sale)
    }

    /// An engine that drains and listens.
    pub(crate) async fn engine(&self) -> Engine {
        let mut engine = self.idle_engine(|_| {}).await;
        engine.drain();
        engine.listen();
        engine
    }

    /// An engine that only answers.
    pub(crate) async fn idle_engine(&self, tune: impl FnOnce(&mut FlashOptions)) -> Engine {
        let target = Target::parse(&self.url).unwrap();
        let link_options = LinkOptions {
            connect_timeout: Duration::from_millis(500),
            response_timeout: Duration::from_millis(500),
            // A sign of life would be taken for an answer by a proxy that loses one.
            heartbeat: Duration::from_secs(60),
            max_in_flight: 100_000,
            ..LinkOptions::default()
        };
        // A busy machine may need more than one attempt.
        let connect = async || Link::connect(&target, link_options.clone()).await.ok();
        let link = wait_for("a link", PATIENCE, connect).await;
        let lock_options = LockOptions {
            prefix: format!("{}lock:", self.prefix),
            ..LockOptions::default()
        };
        let locks = Locks::with_options(link.clone(), lock_options);
        let mut options = FlashOptions {
            prefix: self.prefix.clone(),
            ..FlashOptions::default()
        };
        tune(&mut options);
        Engine {
            flash: Flash::new(link, locks, self.book.clone(), options),
            stop: CancellationToken::new(),
            workers: Vec::new(),
        }
    }
}

impl Engine {
    pub(crate) fn drain(&mut self) {
        let (flash, stop) = (self.flash.clone(), self.stop.clone());
        self.work(async move { flash.run_drain(stop).await });
    }

    pub(crate) fn listen(&mut self) {
        let (flash, stop) = (self.flash.clone(), self.stop.clone());
        self.work(async move { flash.listen(stop).await });
    }

    /// Ends what runs in the background, in good order.
    pub(crate) async fn rest(&mut self) {
        self.stop.cancel();
        for worker in self.workers.drain(..) {
            let ended = tokio::time::timeout(PATIENCE, worker).await;
            ended.expect("a worker ends when it is stopped").unwrap();
        }
        self.stop = CancellationToken::new();
    }

    fn work(&mut self, work: impl Future<Output = ()> + Send + 'static) {
        self.workers
            .push(AbortOnDropHandle::new(tokio::spawn(work)));
    }

    /// A claim that is decided.
    pub(crate) async fn buy(&self, sale: SaleId, buyer: i64) -> ClaimOutcome {
        self.claim(wish(sale, buyer)).await.unwrap()
    }

    /// A claim that is granted.
    pub(crate) async fn order(&self, sale: SaleId, buyer: i64) -> OrderId {
        match self.buy(sale, buyer).await {
            ClaimOutcome::Granted(order) => order,
            other => panic!("{other:?}"),
        }
    }
}

impl Deref for Engine {
    type Target = Flash<MemoryLedger>;

    fn deref(&self) -> &Flash<MemoryLedger> {
        &self.flash
    }
}

pub(crate) fn wish(sale: SaleId, buyer: i64) -> Claim {
    Claim {
        sale,
        buyer: BuyerId(buyer),
        key: None,
    }
}

pub(crate) fn keyed(sale: SaleId, buyer: i64, key: u64) -> Claim {
    Claim {
        key: Some(KeyHash(key)),
        ..wish(sale, buyer)
    }
}
