//! A gate that was loaded on another master counts as not loaded, for every caller.

use flash::PullOutcome;

use super::races::{at_step, watched};
use super::*;

/// Makes a bucket look as a promoted replica has it: with the stamp of the master before, and the units of then.
async fn promote(url: String, gate: String, stock: Option<&'static str>) {
    let client = redis::Client::open(url).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut set = redis::cmd("HSET");
    set.arg(gate).arg("master").arg("0123456789abcdef");
    if let Some(stock) = stock {
        set.arg("stock").arg(stock);
    }
    let set: Result<u32, _> = set.query_async(&mut connection).await;
    set.unwrap();
}

fn gate(site: &Site, engine: &Engine, sale: SaleId, bucket: u16) -> String {
    key(site, engine.partitions(), sale, bucket, "sale")
}

#[tokio::test]
async fn a_claim_meets_a_gate_of_another_master_and_loads_the_sale() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(3));
    let engine = site.engine().await;
    let first = engine.order(sale, 1).await;
    engine.order(sale, 2).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    let before = site.book.terms(sale).unwrap().epoch;
    // The replica has no buyer.
    let buyers = key(&site, engine.partitions(), sale, 0, "buyers");
    let () = ask(
        &mut Redis::shared().await.connection().await,
        &["DEL", &buyers],
    )
    .await;
    promote(site.url.clone(), gate(&site, &engine, sale, 0), Some("3")).await;
    assert_eq!(
        engine.buy(sale, 1).await,
        ClaimOutcome::AlreadyBought(first)
    );
    assert_eq!(count_granted(&engine, sale, 10..20).await, 1);
    assert_eq!(site.book.terms(sale).unwrap().epoch, before + 1);
    engine.wait_until_drained(PATIENCE).await.unwrap();
    assert_in_balance(&*engine, sale).await;
}

#[tokio::test]
async fn units_of_a_bucket_of_another_master_are_not_moved_to_where_they_would_be_sold() {
    let site = Site::new().await;
    let mut terms = open_sale(20);
    terms.spread = 2;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    let sold = count_granted(&engine, sale, 0..40).await;
    assert_eq!(sold, 20);
    engine.wait_until_drained(PATIENCE).await.unwrap();
    for bucket in [0, 1] {
        promote(
            site.url.clone(),
            gate(&site, &engine, sale, bucket),
            Some("9"),
        )
        .await;
        assert_eq!(
            engine.pull(sale, 1 - bucket).await.unwrap(),
            PullOutcome::Moved
        );
        assert_eq!(
            engine.pull(sale, 1 - bucket).await.unwrap(),
            PullOutcome::AllEmpty
        );
    }
    promote(site.url.clone(), gate(&site, &engine, sale, 0), Some("9")).await;
    assert_eq!(engine.withdraw(sale, 5).await.unwrap().units, 0);
    assert_eq!(count_granted(&engine, sale, 100..120).await, 0);
    assert_in_balance(&*engine, sale).await;
}

#[tokio::test]
async fn another_master_at_any_step_of_a_load_costs_nothing_but_time() {
    let site = Site::new().await;
    let engine = site.engine().await;
    for step in 0..12 {
        let sale = site.publish(i64::try_from(step).unwrap() + 1, open_sale(6));
        join_all((1..=4).map(|buyer| engine.order(sale, buyer))).await;
        engine.wait_until_drained(PATIENCE).await.unwrap();
        promote(site.url.clone(), gate(&site, &engine, sale, 0), Some("6")).await;
        let (url, gate) = (site.url.clone(), gate(&site, &engine, sale, 0));
        let hook = at_step(step, move || {
            Box::pin(promote(url.clone(), gate.clone(), None))
        });
        let loader = watched(&site, hook).await;
        loader.preload(sale).await.unwrap();
        assert_eq!(count_granted(&engine, sale, 10..20).await, 2, "step {step}");
        engine.wait_until_drained(PATIENCE).await.unwrap();
        assert_in_balance(&*engine, sale).await;
    }
}
