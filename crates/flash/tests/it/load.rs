//! Loading: a sale comes back from the ledger alone, whatever happens meanwhile.

mod masters;
mod past;
mod races;
mod request_keys;
pub(crate) mod watched;

use std::collections::HashMap;

use flash::{
    ClaimError, ClaimOutcome, DrainLease, Ledger, LedgerError, LoadOutcome, Order, OrderId,
    Partition, SaleId,
};
use futures_util::future::join_all;
use redis::aio::MultiplexedConnection;
use testkit::{Redis, wait_until};

use crate::memory_ledger::{Stop, open_sale};

use crate::gate_keys::{ask, assert_in_balance, eval, key};
use crate::site::{Engine, PATIENCE, Site, wish};

/// How many of these buyers get a unit.
async fn count_granted(engine: &Engine, sale: SaleId, buyers: std::ops::Range<i64>) -> usize {
    let claims = buyers.map(|buyer| engine.buy(sale, buyer));
    let outcomes = join_all(claims).await;
    let granted = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, ClaimOutcome::Granted(_)));
    granted.count()
}

#[tokio::test]
async fn after_a_flush_the_sale_goes_on_and_knows_its_buyers() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(50));
    let (one, other) = (site.engine().await, site.engine().await);
    let mut orders = HashMap::new();
    for buyer in 1..=20 {
        orders.insert(buyer, one.order(sale, buyer).await);
    }
    one.wait_until_drained(PATIENCE).await.unwrap();

    let () = ask(&mut redis.connection().await, &["FLUSHALL"]).await;

    // The locks are gone as well: who drains is settled anew, and until then people are asked to come back.
    wait_until("the sale to go on", PATIENCE, async || {
        !matches!(
            other.claim(wish(sale, 1)).await,
            Err(ClaimError::Busy { .. })
        )
    })
    .await;
    for (buyer, order) in orders {
        assert_eq!(
            other.buy(sale, buyer).await,
            ClaimOutcome::AlreadyBought(order)
        );
    }
    let (here, there) = tokio::join!(
        count_granted(&one, sale, 100..150),
        count_granted(&other, sale, 200..250)
    );
    assert_eq!(here + there, 30);
    assert_in_balance(&*one, sale).await;
    assert_eq!(site.book.live_orders(sale).len(), 50);
}

#[tokio::test]
async fn orders_on_their_way_are_counted_before_a_lost_gate_sells_again() {
    let site = Site::new().await;
    let redis = Redis::shared().await;
    let sale = site.publish(1, open_sale(10));
    let engine = site.engine().await;
    site.book.switch().stop_at(Stop::BeforeCommit);
    let first = engine.order(sale, 1).await;
    assert_eq!(count_granted(&engine, sale, 2..7).await, 5);
    site.book.switch().stopped(1).await;
    let mut connection = redis.connection().await;
    for what in ["sale", "buyers"] {
        let key = key(&site, engine.partitions(), sale, 0, what);
        let () = ask(&mut connection, &["DEL", &key]).await;
    }

    let stream = format!(
        "{}{{{}}}:orders",
        site.prefix,
        engine.partitions().of(sale, 0)
    );
    let on_their_way: usize = ask(&mut connection, &["XLEN", &stream]).await;
    let crowd = tokio::spawn({
        let engine = site.idle_engine(|_| {}).await;
        async move {
            let again = engine.buy(sale, 1).await;
            (again, count_granted(&engine, sale, 100..120).await)
        }
    });
    wait_until("the loader to line up behind them", PATIENCE, async || {
        let entries: usize = ask(&mut connection.clone(), &["XLEN", &stream]).await;
        entries == on_their_way + 1
    })
    .await;
    site.book.switch().go_on();
    assert_eq!(
        crowd.await.unwrap(),
        (ClaimOutcome::AlreadyBought(first), 4)
    );
    assert_in_balance(&*engine, sale).await;
}

#[tokio::test]
async fn many_claimants_of_two_processes_make_one_load() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(500));
    let before = site.book.terms(sale).unwrap().epoch;
    let (one, other) = (site.engine().await, site.engine().await);
    let (here, there) = tokio::join!(
        count_granted(&one, sale, 0..100),
        count_granted(&other, sale, 100..200)
    );
    assert_eq!(here + there, 200);
    assert_eq!(site.book.terms(sale).unwrap().epoch, before + 1);
}

#[tokio::test]
async fn publishing_leaves_an_open_gate() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(5));
    let engine = site.engine().await;
    assert_eq!(engine.preload(sale).await.unwrap(), LoadOutcome::Loaded);
    // The first claim would fail if it had to read anything.
    site.book.switch().go_away();
    let state = engine.stocks(&[sale]).await.unwrap();
    assert_eq!(state, [Some(5)]);
    site.book.switch().come_back();
    engine.order(sale, 1).await;
}

#[tokio::test]
async fn a_sale_that_does_not_exist_is_not_looked_for_again_and_again() {
    let site = Site::new().await;
    let engine = site.engine().await;
    let asked = engine.claim(wish(SaleId(404), 1)).await;
    assert_eq!(asked, Err(ClaimError::NoSuchSale));
    site.book.switch().go_away();
    let again = engine.claim(wish(SaleId(404), 2)).await;
    assert_eq!(again, Err(ClaimError::NoSuchSale));
    site.book.switch().come_back();
    site.publish(404, open_sale(1));
    assert_eq!(
        engine.preload(SaleId(404)).await.unwrap(),
        LoadOutcome::Loaded
    );
    engine.order(SaleId(404), 1).await;
}

#[tokio::test]
async fn a_sale_of_many_holders_is_loaded_in_pages() {
    let site = Site::new().await;
    let mut terms = open_sale(5_010);
    (terms.limit_per_buyer, terms.spread) = (2, 3);
    let sale = site.publish(1, terms);
    record(&site, sale, 5_000).await.unwrap();
    let engine = site.engine().await;
    // Each of 2,500 buyers holds two units: the first order is far from the second.
    assert_eq!(
        engine.buy(sale, 7).await,
        ClaimOutcome::AlreadyBought(OrderId(2_507))
    );
    assert_in_balance(&*engine, sale).await;
    assert_eq!(count_granted(&engine, sale, 10_000..10_050).await, 10);
}

/// Orders 1, 2, 3… in the ledger, as if drained long ago: the first half of them first units, the rest second ones.
async fn record(site: &Site, sale: SaleId, count: i64) -> Result<(), LedgerError> {
    let lease = DrainLease {
        partition: Partition(0),
        fence: 0,
    };
    let orders: Vec<Order> = (1..=count)
        .map(|id| Order {
            id: OrderId(id),
            sale,
            buyer: flash::BuyerId((id - 1) % (count / 2) + 1),
            slot: if id <= count / 2 { 1 } else { 2 },
            granted_at_ms: 0,
            key: None,
        })
        .collect();
    site.book.write_orders(lease, &orders).await.map(drop)
}

#[tokio::test]
async fn every_key_of_a_sale_ends_with_it() {
    let site = Site::new().await;
    let redis = Redis::shared().await;
    let sale = site.publish(1, open_sale(5));
    let engine = site.engine().await;
    let order = engine.order(sale, 1).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    let mut connection = redis.connection().await;
    let day_and_grace = 8 * 86_400_000;
    for what in ["sale", "buyers"] {
        let key = key(&site, engine.partitions(), sale, 0, what);
        let left: i64 = ask(&mut connection, &["PTTL", &key]).await;
        assert!(
            (day_and_grace - 60_000..=day_and_grace).contains(&left),
            "{what}: {left}"
        );
    }
    // A sale that ended long ago still tells its buyers what they hold.
    site.book
        .change(sale, |terms| (terms.begin_ms, terms.end_ms) = (0, 1));
    engine.amend(sale).await.unwrap();
    assert_eq!(
        engine.buy(sale, 1).await,
        ClaimOutcome::AlreadyBought(order)
    );
    assert_eq!(engine.buy(sale, 2).await, ClaimOutcome::Ended);
}

const BEGIN: &str = include_str!("../../src/lua/begin_load.lua");
const WRITE: &str = include_str!("../../src/lua/load_holders.lua");
const OPEN: &str = include_str!("../../src/lua/open_gate.lua");

/// A gate whose load is made by hand.
struct ByHand {
    redis: MultiplexedConnection,
    keys: [String; 5],
}

impl ByHand {
    async fn new() -> Self {
        let site = Site::new().await;
        let engine = site.idle_engine(|_| {}).await;
        let keys = ["sale", "buyers", "moved", "received", "epochs"];
        Self {
            redis: Redis::shared().await.connection().await,
            keys: keys.map(|what| key(&site, engine.partitions(), SaleId(1), 0, what)),
        }
    }

    async fn begin(&mut self, load: &str) -> i64 {
        let args = [load, "1", "60000"];
        eval(&mut self.redis, BEGIN, &self.keys[..4], &args).await
    }

    async fn write(&mut self, load: &str, holders: &[&str]) -> i64 {
        let args = [&[load, "60000"], holders].concat();
        eval(&mut self.redis, WRITE, &self.keys[..2], &args).await
    }

    async fn open(&mut self, load: &str) -> String {
        let far = "9000000000000";
        let terms = ["9", "0", far, "2", "1", far, "PUBLISH"];
        let args = [&[load, "1", "2", "5", "90"][..], &terms].concat();
        eval(&mut self.redis, OPEN, &self.keys, &args).await
    }

    /// State, stock, initial, total.
    async fn gate(&mut self) -> Vec<Option<String>> {
        let gate = ["HMGET", &self.keys[0], "state", "stock", "initial", "total"];
        ask(&mut self.redis, &gate).await
    }
}

#[tokio::test]
async fn every_step_of_a_load_may_be_repeated() {
    let mut load = ByHand::new().await;
    let holders = ["7", "1:70:", "8", "1:80:", "8", "2:81:"];
    assert_eq!((load.begin("9").await, load.begin("9").await), (1, 1));
    for _ in 0..2 {
        assert_eq!(load.write("9", &holders).await, 1);
        assert_eq!(load.begin("9").await, 1, "undoes nothing");
    }
    for _ in 0..2 {
        assert_eq!(load.open("9").await, "open");
    }
    // What comes late finds the gate open and lets it be.
    assert_eq!(load.begin("9").await, 0);
    assert_eq!(load.write("9", &["9", "1:90:"]).await, 0);
    let open = ["open", "2", "5", "5"].map(|value| Some(value.to_owned()));
    assert_eq!(load.gate().await, open);
    let held = ["HMGET", &load.keys[1], "7", "8", "9"].map(str::to_owned);
    let held = held.each_ref().map(String::as_str);
    let held: Vec<Option<String>> = ask(&mut load.redis, &held).await;
    let expected = [
        Some("1:70:".to_owned()),
        Some("1:80:,2:81:".to_owned()),
        None,
    ];
    assert_eq!(held, expected);
}

#[tokio::test]
async fn a_loader_with_a_lower_number_is_refused_at_every_step() {
    let mut load = ByHand::new().await;
    assert_eq!(load.begin("9").await, 1);
    assert_eq!(load.begin("10").await, 1);
    assert_eq!(load.begin("9").await, 0);
    assert_eq!(load.write("9", &["7", "1:70:"]).await, 0);
    assert_eq!(load.open("9").await, "gone");
    assert_eq!(load.gate().await[0].as_deref(), Some("loading"));
    assert_eq!(load.open("10").await, "open");
    assert_eq!(load.begin("9").await, 0);
}
