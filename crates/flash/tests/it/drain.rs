//! The way from the stream to the ledger: at least once, in order, and nothing settled before it is recorded.

mod barriers;
mod gathering;
mod leases;
mod losses;
mod outages;
mod poison;
mod recovery;
mod slow;

use std::num::NonZeroU16;
use std::time::Duration;

use flash::{BuyerId, DrainOptions, Flash, FlashOptions, Order, OrderId, SaleId};
use link::{Link, Options, Target};
use lock::Locks;
use redis::Value;
use testkit::{Redis, RedisCluster, unique_prefix, wait_until};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

use crate::memory_ledger::{MemoryLedger, Stop, open_sale};

/// Long enough for a busy machine, short enough to notice what hangs.
const PATIENCE: Duration = Duration::from_secs(30);

const SALE: SaleId = SaleId(7);

/// A ledger, and keys on a server that engines drain into it from.
struct Yard {
    url: String,
    prefix: String,
    book: MemoryLedger,
    /// For what a test does and sees.
    link: Link,
    partitions: u16,
    replicas: u32,
    drain: DrainOptions,
}

/// A drain worker at work.
struct Drainer {
    stop: CancellationToken,
    task: JoinHandle<()>,
    flash: Flash<MemoryLedger>,
}

impl Yard {
    /// On the server of this test process, with one partition and a sale of a thousand units.
    async fn new() -> Self {
        Self::at(&Redis::shared().await.url(), 1).await
    }

    async fn at(url: &str, partitions: u16) -> Self {
        let book = MemoryLedger::default();
        book.publish(SALE, open_sale(1_000));
        Self {
            link: connect(url).await,
            url: url.to_owned(),
            prefix: unique_prefix(),
            book,
            partitions,
            replicas: 0,
            drain: DrainOptions::default(),
        }
    }

    /// A process of its own.
    async fn engine(&self) -> Flash<MemoryLedger> {
        let link = connect(&self.url).await;
        let options = lock::Options {
            prefix: format!("{}lock:", self.prefix),
            ..lock::Options::default()
        };
        let locks = Locks::with_options(link.clone(), options);
        let options = FlashOptions {
            prefix: self.prefix.clone(),
            partitions: NonZeroU16::new(self.partitions).unwrap(),
            replicas: self.replicas,
            drain: self.drain,
            ..FlashOptions::default()
        };
        Flash::new(link, locks, self.book.clone(), options)
    }

    async fn drain(&self) -> Drainer {
        let flash = self.engine().await;
        let stop = CancellationToken::new();
        let task = tokio::spawn({
            let (flash, stop) = (flash.clone(), stop.clone());
            async move { flash.run_drain(stop).await }
        });
        Drainer { stop, task, flash }
    }

    /// Writes an entry as the gate does.
    async fn grant(&self, orders: &[Order]) {
        self.grant_in(0, orders).await;
    }

    async fn grant_in(&self, partition: u16, orders: &[Order]) {
        self.grant_entries(partition, [orders]).await;
    }

    async fn grant_entries<'a>(
        &self,
        partition: u16,
        entries: impl IntoIterator<Item = &'a [Order]>,
    ) {
        let mut pipeline = redis::pipe();
        for orders in entries {
            let items = orders.iter();
            let items = items.map(|order| format!("{}:{}:{}", order.buyer, order.id, order.slot));
            let items: Vec<String> = items.collect();
            pipeline
                .cmd("XADD")
                .arg(self.key(partition, "orders"))
                .arg(&["*", "v", "1", "s"])
                .arg(orders[0].sale.0)
                .arg("t")
                .arg(orders[0].granted_at_ms)
                .arg("n")
                .arg(orders.len())
                .arg("o")
                .arg(items.join(","))
                .ignore()
                .cmd("INCRBY")
                .arg(self.key(partition, "backlog"))
                .arg(orders.len())
                .ignore();
        }
        let () = self.link.pipe(pipeline.atomic()).await.unwrap();
    }

    fn key(&self, partition: u16, what: &str) -> String {
        format!("{}{{{partition}}}:{what}", self.prefix)
    }

    async fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> T {
        let mut cmd = redis::Cmd::new();
        self.link.run(cmd.arg(words)).await.unwrap()
    }

    async fn entries_left(&self) -> usize {
        self.ask(&["XLEN", &self.key(0, "orders")]).await
    }

    async fn backlog(&self) -> i64 {
        let backlog: Option<i64> = self.ask(&["GET", &self.key(0, "backlog")]).await;
        backlog.unwrap_or_default()
    }

    async fn recorded(&self, count: usize) {
        wait_until("orders to be recorded", PATIENCE, async || {
            self.book.order_count() >= count
        })
        .await;
    }

    /// Lets other orders be recorded until one is dead-lettered: without them nothing shows that the ledger works.
    async fn dead_lettered_among(&self, others: std::ops::Range<i64>) {
        let mut others = others;
        wait_until("an order to be dead-lettered", PATIENCE, async || {
            if let Some(id) = others.next() {
                let recorded = self.book.order_count();
                self.grant(&[order(id)]).await;
                self.recorded(recorded + 1).await;
            }
            !self.book.dead_letters().is_empty()
        })
        .await;
    }

    /// Nothing is on its way, and nothing counts as such.
    async fn settled(&self) {
        wait_until("everything to be settled", PATIENCE, async || {
            self.entries_left().await == 0 && self.backlog().await == 0
        })
        .await;
    }

    /// Waits until a write has begun and stands still.
    async fn stands_still(&self, count: u64) {
        self.book.switch().stopped(count).await;
    }
}

impl Drainer {
    /// Tells it to stop, and waits until it has.
    async fn finish(self) {
        self.stop.cancel();
        let ended = tokio::time::timeout(PATIENCE, self.task).await;
        ended.expect("a drain worker stops on shutdown").unwrap();
    }

    /// Ends it where it stands, like a process that is killed.
    async fn kill(self) {
        self.task.abort();
        let ended = self.task.await;
        assert!(ended.unwrap_err().is_cancelled());
    }
}

async fn connect(url: &str) -> Link {
    let options = Options {
        connect_timeout: Duration::from_secs(2),
        response_timeout: Duration::from_secs(2),
        heartbeat: Duration::from_millis(200),
        ..Options::default()
    };
    let target = Target::parse(url).unwrap();
    Link::connect(&target, options).await.unwrap()
}

/// An order of a buyer with the same number.
fn order(id: i64) -> Order {
    Order {
        id: OrderId(id),
        sale: SALE,
        buyer: BuyerId(id),
        slot: 1,
        granted_at_ms: 1_700_000_000_000,
        key: None,
    }
}

fn orders(ids: std::ops::Range<i64>) -> Vec<Order> {
    ids.map(order).collect()
}

#[tokio::test]
async fn orders_are_recorded_once_and_in_order() {
    let yard = Yard::new().await;
    let all = orders(1..501);
    for entry in all.chunk_by(|a, b| (a.id.0 * a.id.0) % 7 == (b.id.0 * b.id.0) % 7) {
        yard.grant(entry).await;
    }
    let drain_worker = yard.drain().await;
    yard.recorded(250).await;
    yard.grant(&orders(501..600)).await;
    yard.recorded(599).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..600));
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn an_entry_that_comes_twice_changes_nothing() {
    let yard = Yard::new().await;
    for _ in 0..2 {
        yard.grant(&orders(1..20)).await;
        yard.grant(&orders(10..30)).await;
    }
    let drain_worker = yard.drain().await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..30));
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn nothing_is_settled_before_it_is_recorded() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    for place in [Stop::BeforeCommit, Stop::AfterCommit] {
        yard.book.switch().stop_at(place);
        let drain_worker = yard.drain().await;
        yard.stands_still(u64::from(place == Stop::AfterCommit) + 1)
            .await;
        assert_eq!(yard.entries_left().await, 1);
        assert_eq!(yard.backlog().await, 3);
        drain_worker.kill().await;
        assert_eq!(
            yard.entries_left().await,
            1,
            "what died with it comes again"
        );
    }
    yard.book.switch().go_on();
    let drain_worker = yard.drain().await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..4));
}

#[tokio::test]
async fn a_commit_whose_reply_was_lost_changes_nothing() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    yard.book.switch().lose_an_answer();
    let drain_worker = yard.drain().await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..4));
}

#[tokio::test]
async fn entries_in_flight_are_finished_on_shutdown() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    drain_worker.stop.cancel();
    yard.book.switch().go_on();
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..4));
    assert_eq!(yard.entries_left().await, 0);
    assert_eq!(yard.backlog().await, 0);
    let lease = format!("{}lock:{{mutex:drain:0}}", yard.prefix);
    let exists: bool = yard.ask(&["EXISTS", &lease]).await;
    assert!(!exists, "the lease is given up");
    let consumers: Vec<redis::Value> = yard
        .ask(&["XINFO", "CONSUMERS", &yard.key(0, "orders"), "drain"])
        .await;
    assert!(consumers.is_empty(), "it left the group");
}

#[tokio::test]
async fn partitions_of_a_cluster_are_drained_side_by_side() {
    let yard = Yard::at(&RedisCluster::shared().await.url(), 6).await;
    let drain_worker = yard.drain().await;
    for (partition, entry) in (0..6).zip(orders(1..601).chunks(100)) {
        yard.grant_in(partition, entry).await;
    }
    yard.recorded(600).await;
    let limit = wait_until("no backlog", PATIENCE, async || {
        drain_worker.flash.backlog().await.unwrap() == 0
    });
    limit.await;
    drain_worker
        .flash
        .wait_until_drained(PATIENCE)
        .await
        .unwrap();
    drain_worker.finish().await;
    let mut recorded = yard.book.history();
    recorded.sort_by_key(|order| order.id);
    assert_eq!(recorded, orders(1..601));
}

#[tokio::test]
async fn a_backlog_is_drained_in_large_transactions_and_few_calls() {
    let redis = Redis::start().await;
    for (orders_per_entry, count) in [(1, 10_000), (200, 100_000)] {
        let yard = Yard::at(&redis.url(), 1).await;
        let units = u32::try_from(count).unwrap();
        yard.book.change_initial(SALE, units.into());
        let all = orders(0..count);
        let entries: Vec<&[Order]> = all.chunks(orders_per_entry).collect();
        for entries in entries.chunks(100) {
            yard.grant_entries(0, entries.iter().copied()).await;
        }
        let calls_before = redis.total_command_count().await;
        let begun = std::time::Instant::now();
        let drain_worker = yard.drain().await;
        yard.recorded(usize::try_from(count).unwrap()).await;
        yard.settled().await;
        let rate = f64::from(units) / begun.elapsed().as_secs_f64();
        drain_worker.finish().await;
        let (calls, writes) = (
            redis.total_command_count().await - calls_before,
            yard.book.write_count(),
        );
        eprintln!(
            "{orders_per_entry} orders an entry: {rate:.0} orders/s, {calls} calls, {writes} transactions"
        );
        // Readings of about a thousand orders, after the first ones, which do not know yet how large entries are.
        assert!(
            writes <= 30 + u64::from(units) / 900,
            "{writes} transactions"
        );
        // A reading and an acknowledgement of three commands for each, and what the test itself asks meanwhile.
        assert!(calls <= 200 + 10 * writes, "{calls} calls");
    }
}

/// Reading ahead stops where the stream ends. What arrives after that shares the next transaction, and the flush to the
/// disk that it ends with.
#[tokio::test]
async fn what_arrives_during_a_transaction_shares_the_next_one() {
    let yard = Yard::new().await;
    let entry = |id| orders(id..id + 1);
    let grant = async |ids: std::ops::Range<i64>| {
        for id in ids {
            yard.grant(&entry(id)).await;
        }
    };
    grant(0..17).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    wait_until("the rest to be read ahead", PATIENCE, async || {
        let pending = ["XPENDING", &yard.key(0, "orders"), "drain"];
        let (pending, ..): (u64, Value, Value, Value) = yard.ask(&pending).await;
        pending == 17
    })
    .await;
    grant(17..27).await;
    yard.book.switch().go_on();
    yard.recorded(27).await;
    yard.settled().await;
    assert_eq!(yard.book.switch().sizes(), [16, 11]);
    drain_worker.finish().await;
}
