//! One sale in several buckets: the last unit is sold, whichever bucket a buyer claims from, and no transfer makes or loses one.

use flash::{BuyerId, ClaimOutcome, Flash, PullOutcome, SaleId};
use futures_util::future::join_all;
use link::{Link, Options, Target};
use testkit::{RedisCluster, wait_for};

use crate::gate_keys::{assert_in_balance, key};
use crate::memory_ledger::{MemoryLedger, open_sale};
use crate::site::{Engine, PATIENCE, Site, wish};

const SPREAD: u16 = 3;

/// A spread sale on a Cluster, loaded.
async fn spread_sale(units: u32) -> (Site, Engine, SaleId) {
    let site = Site::at(RedisCluster::shared().await.url());
    let mut terms = open_sale(units);
    terms.spread = SPREAD;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    engine.preload(sale).await.unwrap();
    (site, engine, sale)
}

/// Buyers that all belong to one bucket.
fn buyers_of(bucket: u16, count: usize) -> Vec<i64> {
    let all = (1..).filter(|buyer| BuyerId(*buyer).bucket(SPREAD) == bucket);
    all.take(count).collect()
}

async fn count_granted(engines: &[&Flash<MemoryLedger>], sale: SaleId, buyers: &[i64]) -> usize {
    let claims = buyers.iter().zip(engines.iter().cycle());
    let claims = claims.map(|(buyer, engine)| engine.claim(wish(sale, *buyer)));
    let outcomes = join_all(claims).await;
    let granted = outcomes.into_iter().filter(|outcome| match outcome {
        Ok(ClaimOutcome::Granted(_)) => true,
        Ok(ClaimOutcome::SoldOut) => false,
        other => panic!("{other:?}"),
    });
    granted.count()
}

/// A link for scripts that a process ran and then died.
async fn link_of(site: &Site) -> Link {
    let target = Target::parse(&site.url).unwrap();
    let connect = async || Link::connect(&target, Options::default()).await.ok();
    wait_for("a link", PATIENCE, connect).await
}

/// Runs a script of the engine by hand.
async fn run(site: &Site, source: &str, keys: &[String], args: &[&str]) -> i64 {
    let mut eval = redis::cmd("EVAL");
    eval.arg(source).arg(keys.len()).arg(keys).arg(args);
    link_of(site).await.run(&eval).await.unwrap()
}

/// The first half of a transfer, by a process that dies then.
async fn debit(site: &Site, engine: &Engine, sale: SaleId, from: u16, to: u16, units: u32) -> i64 {
    let keys = ["sale", "moved"].map(|what| key(site, engine.partitions(), sale, from, what));
    let args = [
        load(site, engine, sale).await,
        to.to_string(),
        units.to_string(),
    ];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    run(site, include_str!("../../src/lua/debit.lua"), &keys, &args).await
}

/// The second half, by a process that dies before it strikes the transfer from the journal, or comes late.
async fn credit(
    site: &Site,
    engine: &Engine,
    sale: SaleId,
    from: u16,
    to: u16,
    number: u32,
    units: u32,
) {
    let partitions = engine.partitions();
    let mut keys: Vec<String> = ["sale", "received"]
        .map(|what| key(site, partitions, sale, to, what))
        .into();
    keys.push(format!(
        "{}{{{}}}:epochs",
        site.prefix,
        partitions.of(sale, to)
    ));
    let load = load(site, engine, sale).await;
    let args = [
        load,
        sale.to_string(),
        from.to_string(),
        number.to_string(),
        units.to_string(),
        "SPUBLISH".to_owned(),
    ];
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    run(site, include_str!("../../src/lua/credit.lua"), &keys, &args).await;
}

async fn load(site: &Site, engine: &Engine, sale: SaleId) -> String {
    let key = key(site, engine.partitions(), sale, 0, "sale");
    let mut ask = redis::cmd("HGET");
    link_of(site)
        .await
        .run(ask.arg(key).arg("load"))
        .await
        .unwrap()
}

async fn stock_of(site: &Site, engine: &Engine, sale: SaleId, bucket: u16) -> u32 {
    let key = key(site, engine.partitions(), sale, bucket, "sale");
    let mut ask = redis::cmd("HGET");
    link_of(site)
        .await
        .run(ask.arg(key).arg("stock"))
        .await
        .unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn buyers_of_one_bucket_can_buy_every_unit() {
    let (site, one, sale) = spread_sale(100).await;
    let other = site.engine().await;
    let buyers = buyers_of(1, 300);
    assert_eq!(count_granted(&[&one, &other], sale, &buyers).await, 100);
    one.wait_until_drained(PATIENCE).await.unwrap();
    assert_eq!(
        site.book.live_orders(sale).len(),
        100,
        "nothing is stranded"
    );
    assert_in_balance(&one, sale).await;
}

#[tokio::test]
async fn sold_out_is_said_only_when_every_bucket_is_empty() {
    let (site, engine, sale) = spread_sale(3).await;
    let buyers = buyers_of(2, 4);
    assert_eq!(count_granted(&[&engine], sale, &buyers[..3]).await, 3);
    assert_eq!(engine.pull(sale, 2).await.unwrap(), PullOutcome::AllEmpty);
    assert_eq!(engine.buy(sale, buyers[3]).await, ClaimOutcome::SoldOut);
    assert_eq!(site.book.dead_letters(), []);
}

#[tokio::test]
async fn units_whose_transfer_broke_off_are_sold_all_the_same() {
    let (site, engine, sale) = spread_sale(30).await;
    // One died after taking units out, one after they had arrived.
    assert_eq!(debit(&site, &engine, sale, 0, 1, 4).await, 4);
    assert_eq!(debit(&site, &engine, sale, 2, 1, 5).await, 5);
    credit(&site, &engine, sale, 2, 1, 1, 5).await;
    assert_in_balance(&engine, sale).await;
    let buyers = buyers_of(0, 60);
    assert_eq!(count_granted(&[&engine], sale, &buyers).await, 30);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn the_worker_finishes_transfers_and_evens_buckets_out() {
    let (site, engine, sale) = spread_sale(300).await;
    assert_eq!(debit(&site, &engine, sale, 0, 1, 100).await, 100);
    engine.rebalance(sale).await.unwrap();
    assert_eq!(stock_of(&site, &engine, sale, 1).await, 200);
    engine.rebalance(sale).await.unwrap();
    assert_eq!(stock_of(&site, &engine, sale, 0).await, 100);
    assert_eq!(stock_of(&site, &engine, sale, 1).await, 100);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn a_transfer_arrives_once_however_late_it_is_repeated() {
    let (site, engine, sale) = spread_sale(30).await;
    for number in 1..=3 {
        assert_eq!(debit(&site, &engine, sale, 0, 1, 2).await, 2);
        engine.rebalance(sale).await.unwrap();
        for earlier in 1..=number {
            credit(&site, &engine, sale, 0, 1, earlier, 2).await;
        }
    }
    assert_eq!(stock_of(&site, &engine, sale, 1).await, 16);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn no_more_leaves_a_bucket_than_is_there() {
    let (site, engine, sale) = spread_sale(30).await;
    assert_eq!(debit(&site, &engine, sale, 0, 1, 25).await, 10);
    assert_eq!(debit(&site, &engine, sale, 0, 1, 25).await, 0);
    engine.rebalance(sale).await.unwrap();
    assert_eq!(stock_of(&site, &engine, sale, 1).await, 20);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn a_transfer_of_an_earlier_load_changes_nothing() {
    let (site, engine, sale) = spread_sale(30).await;
    let earlier = load(&site, &engine, sale).await;
    assert_eq!(debit(&site, &engine, sale, 0, 1, 4).await, 4);
    // Bucket 2 is lost, so everything is loaded anew.
    let lost = key(&site, engine.partitions(), sale, 2, "sale");
    let () = link_of(&site)
        .await
        .run(redis::cmd("DEL").arg(lost))
        .await
        .unwrap();
    engine.preload(sale).await.unwrap();
    assert_ne!(load(&site, &engine, sale).await, earlier);
    let mut keys: Vec<String> = ["sale", "received"]
        .map(|what| key(&site, engine.partitions(), sale, 1, what))
        .into();
    keys.push(format!(
        "{}{{{}}}:epochs",
        site.prefix,
        engine.partitions().of(sale, 1)
    ));
    let late = [&earlier, "1", "0", "1", "4", "SPUBLISH"];
    let arrived = run(
        &site,
        include_str!("../../src/lua/credit.lua"),
        &keys,
        &late,
    )
    .await;
    assert_eq!(arrived, 0);
    assert_in_balance(&engine, sale).await;
    // Nor does it take a transfer of this load for its own.
    assert_eq!(debit(&site, &engine, sale, 0, 1, 4).await, 4);
    let keys = ["sale", "moved"].map(|what| key(&site, engine.partitions(), sale, 0, what));
    let strike = include_str!("../../src/lua/clear_transfer.lua");
    run(&site, strike, &keys, &[&earlier, "1:1"]).await;
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn a_lost_bucket_is_loaded_again_with_what_the_others_have_sold_since() {
    let (site, engine, sale) = spread_sale(30).await;
    assert_eq!(count_granted(&[&engine], sale, &buyers_of(1, 6)).await, 6);
    for what in ["sale", "buyers"] {
        let lost = key(&site, engine.partitions(), sale, 2, what);
        let () = link_of(&site)
            .await
            .run(redis::cmd("DEL").arg(lost))
            .await
            .unwrap();
    }
    let rest = [buyers_of(2, 30), buyers_of(0, 30)].concat();
    assert_eq!(count_granted(&[&engine], sale, &rest).await, 24);
    assert_in_balance(&engine, sale).await;
}
