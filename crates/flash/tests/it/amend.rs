//! Changing a sale while people buy.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use flash::{
    BuyerId, ClaimOutcome, Drift, Flash, FlashOptions, LoadError, PullOutcome, Repair, SaleId,
};
use futures_util::future::join_all;
use testkit::{Redis, RedisCluster, wait_until};

use crate::gate_keys::{ask, assert_in_balance, key};
use crate::memory_ledger::{MemoryLedger, open_sale};
use crate::site::{Engine, PATIENCE, Site, wish};

/// Buys as one buyer after the other until it is stopped.
async fn buy_on(
    flash: Flash<MemoryLedger>,
    sale: SaleId,
    next: Arc<AtomicI64>,
    stop: Arc<AtomicBool>,
) {
    while !stop.load(Ordering::SeqCst) {
        let buyer = next.fetch_add(1, Ordering::SeqCst);
        // Busy is an answer as well.
        let _ = flash.claim(wish(sale, buyer)).await;
    }
}

/// Lowers a sale the safe way round; returns by how many units.
async fn lower(flash: &Flash<MemoryLedger>, sale: SaleId, units: u32) -> u32 {
    let withdrawn = flash.withdraw(sale, units).await.unwrap();
    // Orders that hold units in the gate may not be in the ledger yet, but the units that were withdrawn are.
    let withdrawn = withdrawn.units;
    let less = i64::from(withdrawn);
    flash.ledger().change_initial(sale, -less);
    flash.amend(sale).await.unwrap();
    withdrawn
}

async fn units_come_and_go_while_two_engines_sell(site: Site, spread: u16) {
    let mut terms = open_sale(3_000);
    terms.spread = spread;
    let sale = site.publish(1, terms);
    let (one, other) = (site.engine().await, site.engine().await);
    one.preload(sale).await.unwrap();
    let (next, stop) = (
        Arc::new(AtomicI64::new(1)),
        Arc::new(AtomicBool::new(false)),
    );
    let buyers = [&one, &other, &one, &other].map(|engine| {
        tokio::spawn(buy_on(
            Flash::clone(engine),
            sale,
            next.clone(),
            stop.clone(),
        ))
    });
    let (mut lowered, mut raised) = (0, 0);
    for _ in 0..10 {
        lowered += lower(&one, sale, 150).await;
        site.book.change_initial(sale, 70);
        other.amend(sale).await.unwrap();
        raised += 70;
    }
    wait_until("the end of the stock", PATIENCE, async || {
        one.pull(sale, 0).await.unwrap() == PullOutcome::AllEmpty
    })
    .await;
    stop.store(true, Ordering::SeqCst);
    join_all(buyers).await;
    one.wait_until_drained(PATIENCE).await.unwrap();
    let total = 3_000 + raised - lowered;
    assert!(lowered > 0, "something was withdrawn");
    assert_eq!(site.book.dead_letters(), []);
    assert_eq!(site.book.terms(sale).unwrap().initial, total);
    assert_eq!(
        site.book.live_orders(sale).len(),
        usize::try_from(total).unwrap()
    );
    assert_in_balance(&one, sale).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn units_may_come_and_go_while_two_processes_sell() {
    units_come_and_go_while_two_engines_sell(Site::new().await, 1).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn units_of_a_spread_sale_may_come_and_go_while_two_processes_sell() {
    let site = Site::at(RedisCluster::shared().await.url());
    units_come_and_go_while_two_engines_sell(site, 3).await;
}

/// An engine whose flags stand until a message makes them fall.
async fn patient_engine(site: &Site) -> Engine {
    let tune = |options: &mut FlashOptions| options.sold_out_ceiling = 2 * PATIENCE;
    let mut engine = site.idle_engine(tune).await;
    engine.drain();
    engine.listen();
    engine
}

#[tokio::test]
async fn a_sale_taken_off_the_shelf_has_ended_at_once_for_every_process() {
    let site = Site::new().await;
    let (open, empty) = (site.publish(1, open_sale(5)), site.publish(2, open_sale(1)));
    let engines = [patient_engine(&site).await, patient_engine(&site).await];
    engines[0].order(empty, 1).await;
    for engine in &engines {
        assert!(matches!(
            engine.buy(open, 1).await,
            ClaimOutcome::Granted(_) | ClaimOutcome::AlreadyBought(_)
        ));
        // Both have a flag that says so without asking anybody.
        assert_eq!(engine.buy(empty, 2).await, ClaimOutcome::SoldOut);
    }
    for sale in [open, empty] {
        site.book.change(sale, |terms| terms.on_shelf = false);
        engines[0].amend(sale).await.unwrap();
    }
    for engine in &engines {
        assert_eq!(engine.buy(open, 3).await, ClaimOutcome::Ended);
        wait_until("the flag to fall", PATIENCE, async || {
            engine.buy(empty, 3).await == ClaimOutcome::Ended
        })
        .await;
    }
}

#[tokio::test]
async fn a_window_that_moves_counts_from_then_on() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(5));
    let engine = site.engine().await;
    engine.preload(sale).await.unwrap();
    site.book.change(sale, |terms| terms.begin_ms += 3_600_000);
    engine.amend(sale).await.unwrap();
    assert_eq!(engine.buy(sale, 1).await, ClaimOutcome::NotStarted);
    site.book.change(sale, |terms| terms.begin_ms -= 3_600_000);
    engine.amend(sale).await.unwrap();
    wait_until("the sale to begin", PATIENCE, async || {
        matches!(engine.buy(sale, 1).await, ClaimOutcome::Granted(_))
    })
    .await;
}

#[tokio::test]
async fn an_amendment_that_comes_late_does_not_undo_a_later_one() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(5));
    let (one, other) = (site.engine().await, site.engine().await);
    one.preload(sale).await.unwrap();
    site.book.change_initial(sale, 5);
    one.amend(sale).await.unwrap();
    // The other process read the row before that and comes after it.
    site.book.change(sale, |terms| {
        (terms.initial, terms.stock, terms.epoch) = (5, 5, 0);
    });
    other.amend(sale).await.unwrap();
    assert_eq!(one.stocks(&[sale]).await.unwrap(), [Some(10)]);
}

#[tokio::test]
async fn units_withdrawn_in_vain_come_back() {
    let site = Site::new().await;
    let mut terms = open_sale(9);
    terms.spread = 3;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    let withdrawal = engine.withdraw(sale, 7).await.unwrap();
    assert_eq!(withdrawal.units, 7, "from all buckets");
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(2)]);
    engine.cancel_withdrawal(&withdrawal).await.unwrap();
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(9)]);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn units_that_the_ledger_is_about_to_give_up_are_not_put_back_by_a_timer() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(9));
    let engine = site.engine().await;
    assert_eq!(engine.withdraw(sale, 4).await.unwrap().units, 4);
    let report = engine.reconcile(sale, Repair::Safe).await.unwrap().unwrap();
    assert_eq!(
        (report.drifts, report.repairs),
        (vec![Drift::Terms], vec![])
    );
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(5)]);
    site.book.change_initial(sale, -4);
    engine.amend(sale).await.unwrap();
    assert_in_balance(&engine, sale).await;
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(5)]);
}

#[tokio::test]
async fn no_more_is_withdrawn_than_is_unsold() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(5));
    let engine = site.engine().await;
    join_all((1..=3).map(|buyer| engine.order(sale, buyer))).await;
    assert_eq!(lower(&engine, sale, 4).await, 2);
    assert_eq!(engine.buy(sale, 9).await, ClaimOutcome::SoldOut);
    engine.wait_until_drained(PATIENCE).await.unwrap();
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn units_that_the_ledger_has_given_up_are_taken_from_where_they_are() {
    let site = Site::at(RedisCluster::shared().await.url());
    let mut terms = open_sale(9);
    terms.spread = 3;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    let home = (1..).filter(|buyer| BuyerId(*buyer).bucket(3) == 0);
    join_all(home.take(3).map(|buyer| engine.order(sale, buyer))).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    // In the wrong order, as an operator at a SQL prompt might do it.
    site.book.change_initial(sale, -4);
    engine.amend(sale).await.unwrap();
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(2)]);
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn units_of_a_change_in_doubt_stay_withheld_whatever_others_change() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(9));
    let engine = site.engine().await;
    // The answer to the commit was lost, so nobody knows whether the ledger follows.
    let in_doubt = engine.withdraw(sale, 4).await.unwrap();
    assert_eq!(in_doubt.units, 4);
    site.book.change(sale, |terms| terms.end_ms += 1);
    engine.amend(sale).await.unwrap();
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(5)]);
    let second = engine.withdraw(sale, 1).await;
    assert!(matches!(second, Err(LoadError::Underway)), "{second:?}");
    assert_eq!(
        engine.stocks(&[sale]).await.unwrap(),
        [Some(5)],
        "not put back by the second"
    );
    // It was committed after all.
    site.book.change_initial(sale, -4);
    engine.amend(sale).await.unwrap();
    assert_in_balance(&engine, sale).await;
    assert_eq!(engine.withdraw(sale, 1).await.unwrap().units, 1);
}

#[tokio::test]
async fn a_withdrawal_that_fails_half_way_is_put_back() {
    let redis = Redis::shared().await;
    let site = Site::new().await;
    let mut terms = open_sale(9);
    terms.spread = 3;
    let sale = site.publish(1, terms);
    let engine = site.engine().await;
    engine.preload(sale).await.unwrap();
    // Units of other buckets cannot be gathered, after those of bucket 0 were taken. To the caller a lost reply of the
    // withdrawal itself looks the same.
    let mut connection = redis.connection().await;
    let journals = [1, 2].map(|bucket| key(&site, engine.partitions(), sale, bucket, "moved"));
    for journal in &journals {
        let _: String = ask(&mut connection, &["SET", journal, "spoilt"]).await;
    }
    let failed = engine.withdraw(sale, 7).await;
    assert!(matches!(failed, Err(LoadError::Redis(_))), "{failed:?}");
    assert_eq!(engine.stocks(&[sale]).await.unwrap(), [Some(9)]);
    for journal in &journals {
        let _: i64 = ask(&mut connection, &["DEL", journal]).await;
    }
    assert_eq!(engine.withdraw(sale, 7).await.unwrap().units, 7);
}
