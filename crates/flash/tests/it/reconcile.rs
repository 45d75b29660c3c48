//! Reconciliation: every difference is found, and only those are repaired that cannot make things worse.

use std::time::Duration;

use flash::{
    BuyerId, ClaimOutcome, DrainLease, Drift, FlashOptions, Ledger as _, Order, OrderId, Partition,
    ReconcileReport, Repair, SaleId, StockUnit,
};
use redis::aio::MultiplexedConnection;
use testkit::{Redis, wait_until};
use tokio_util::sync::CancellationToken;

use crate::gate_keys::{ask, assert_in_balance, eval, key};
use crate::memory_ledger::open_sale;
use crate::site::{Engine, PATIENCE, Site};

/// A sale of ten units, four of them sold to buyers 1 to 4, everything drained.
struct Scene {
    site: Site,
    engine: Engine,
    redis: MultiplexedConnection,
    sale: SaleId,
    orders: Vec<OrderId>,
}

impl Scene {
    async fn new() -> Self {
        Self::on(Redis::shared().await).await
    }

    async fn on(redis: &Redis) -> Self {
        let site = Site::at(redis.url());
        let sale = site.publish(1, open_sale(10));
        let engine = site.engine().await;
        let mut orders = Vec::new();
        for buyer in 1..=4 {
            orders.push(engine.order(sale, buyer).await);
        }
        engine.wait_until_drained(PATIENCE).await.unwrap();
        Self {
            redis: redis.connection().await,
            site,
            engine,
            sale,
            orders,
        }
    }

    fn key(&self, what: &str) -> String {
        key(&self.site, self.engine.partitions(), self.sale, 0, what)
    }

    async fn add(&mut self, field: &str, by: i64) {
        let (key, by) = (self.key("sale"), by.to_string());
        let _: i64 = ask(&mut self.redis, &["HINCRBY", &key, field, &by]).await;
    }

    async fn set_buyer(&mut self, buyer: &str, items: &str) {
        let key = self.key("buyers");
        let _: i64 = ask(&mut self.redis, &["HSET", &key, buyer, items]).await;
    }

    async fn forget_buyer(&mut self, buyer: &str) {
        let key = self.key("buyers");
        let _: i64 = ask(&mut self.redis, &["HDEL", &key, buyer]).await;
    }

    async fn reconcile(&self, repair: Repair) -> ReconcileReport {
        let report = self.engine.reconcile(self.sale, repair).await;
        report.unwrap().expect("the sale was published")
    }

    /// Finds what was spoilt, and leaves it as it is.
    async fn find(&self) -> Vec<Drift> {
        let report = self.reconcile(Repair::No).await;
        assert_eq!(report.repairs, []);
        let again = self.reconcile(Repair::No).await;
        assert_eq!(again.drifts, report.drifts, "a look changes nothing");
        report.drifts
    }

    /// Repairs it: afterwards the sale is as it was, and sells what is left.
    async fn assert_repairs(&self, what: &[&str]) {
        let report = self.reconcile(Repair::Safe).await;
        let repaired: Vec<&str> = report
            .repairs
            .iter()
            .map(|repaired| repaired.what)
            .collect();
        assert_eq!(repaired, what, "{report:?}");
        let recorded = self.site.book.repairs();
        let recorded: Vec<&str> = recorded.iter().map(|repair| repair.what.as_str()).collect();
        assert_eq!(recorded, what);
        assert_in_balance(&self.engine, self.sale).await;
        assert_eq!(self.engine.stocks(&[self.sale]).await.unwrap(), [Some(6)]);
        for (buyer, order) in (1..).zip(&self.orders) {
            assert_eq!(
                self.engine.buy(self.sale, buyer).await,
                ClaimOutcome::AlreadyBought(*order)
            );
        }
    }
}

#[tokio::test]
async fn a_sale_in_order_is_found_in_order() {
    let scene = Scene::new().await;
    let report = scene.reconcile(Repair::Safe).await;
    assert_eq!((report.drifts, report.repairs), (vec![], vec![]));
    let figures = report.equations.unwrap();
    assert_eq!(
        (
            figures.ledger_initial,
            figures.ledger_stock,
            figures.ledger_live
        ),
        (10, 6, 4)
    );
    assert_eq!(
        (figures.gate_initial, figures.gate_stock, figures.gate_live),
        (10, 6, 4)
    );
}

#[tokio::test]
async fn units_that_the_gate_has_lost_are_added() {
    let mut scene = Scene::new().await;
    scene.add("stock", -2).await;
    scene.add("initial", -2).await;
    assert_eq!(scene.find().await, [Drift::Units { difference: -2 }]);
    scene.assert_repairs(&["shortage"]).await;
}

#[tokio::test]
async fn unsold_units_that_the_ledger_does_not_have_are_taken_out() {
    let mut scene = Scene::new().await;
    scene.add("stock", 3).await;
    scene.add("initial", 3).await;
    assert_eq!(scene.find().await, [Drift::Units { difference: 3 }]);
    scene.assert_repairs(&["surplus"]).await;
}

#[tokio::test]
async fn a_bucket_that_miscounts_itself_is_corrected() {
    let mut scene = Scene::new().await;
    scene.add("initial", 2).await;
    let miscount = Drift::Bucket {
        bucket: 0,
        difference: 2,
    };
    assert_eq!(scene.find().await, [miscount]);
    scene.assert_repairs(&["bucket"]).await;
}

#[tokio::test]
async fn stock_that_vanished_is_found_again() {
    let mut scene = Scene::new().await;
    scene.add("stock", -2).await;
    scene.assert_repairs(&["bucket", "shortage"]).await;
}

#[tokio::test]
async fn a_buyer_whom_the_gate_forgot_in_a_failover_is_known_again() {
    let mut scene = Scene::new().await;
    // The state of a replica that lacks the purchase.
    scene.forget_buyer("2").await;
    scene.add("stock", 1).await;
    let forgotten = Drift::Forgotten {
        orders: vec![scene.orders[1]],
    };
    assert_eq!(scene.find().await, [forgotten]);
    scene.assert_repairs(&["forgotten"]).await;
}

#[tokio::test]
async fn a_return_that_the_ledger_does_not_know_is_undone() {
    let mut scene = Scene::new().await;
    let returned = format!("0:{}:", scene.orders[1]);
    scene.set_buyer("2", &returned).await;
    scene.add("stock", 1).await;
    scene.assert_repairs(&["forgotten"]).await;
}

#[tokio::test]
async fn a_forgotten_buyer_of_a_sale_that_is_sold_out_costs_nobody_a_unit() {
    let mut scene = Scene::new().await;
    for buyer in 5..=10 {
        scene
            .orders
            .push(scene.engine.order(scene.sale, buyer).await);
    }
    scene.forget_buyer("2").await;
    scene.reconcile(Repair::Safe).await;
    assert_in_balance(&scene.engine, scene.sale).await;
    let again = scene.engine.buy(scene.sale, 2).await;
    assert_eq!(again, ClaimOutcome::AlreadyBought(scene.orders[1]));
    assert_eq!(
        scene.engine.buy(scene.sale, 11).await,
        ClaimOutcome::SoldOut
    );
}

#[tokio::test]
async fn an_order_that_nobody_else_knows_waits_for_a_person() {
    let mut scene = Scene::new().await;
    scene.set_buyer("77", "1:7777:").await;
    scene.add("stock", -1).await;
    let orphaned = Drift::Orphaned {
        orders: vec![OrderId(7_777)],
    };
    let orphaned = vec![orphaned];
    assert_eq!(scene.find().await, orphaned);
    let report = scene.reconcile(Repair::Safe).await;
    assert_eq!((report.drifts, report.repairs), (orphaned, vec![]));
    let asked = scene.engine.buy(scene.sale, 77).await;
    assert_eq!(asked, ClaimOutcome::AlreadyBought(OrderId(7_777)));
    // An operator decides that buyers keep the orders of their replies.
    let report = scene.reconcile(Repair::WithOrphans).await;
    let repaired: Vec<_> = report
        .repairs
        .iter()
        .map(|it| (it.what, it.count))
        .collect();
    assert_eq!(repaired, [("orphaned", 1)]);
    let recorded = scene.site.book.live_orders(scene.sale);
    assert!(
        recorded
            .iter()
            .any(|it| it.id == OrderId(7_777) && it.buyer.0 == 77)
    );
    assert_eq!(scene.find().await, []);
    assert_in_balance(&scene.engine, scene.sale).await;
}

#[tokio::test]
async fn an_order_that_was_dead_lettered_gives_its_unit_back() {
    let mut scene = Scene::new().await;
    scene.set_buyer("77", "1:7777:").await;
    scene.add("stock", -1).await;
    let order = Order {
        id: OrderId(7_777),
        sale: scene.sale,
        buyer: BuyerId(77),
        slot: 1,
        granted_at_ms: 0,
        key: None,
    };
    // A partition that nobody drains for this sale, so that the lease is free.
    let lease = DrainLease {
        partition: Partition(u16::MAX),
        fence: 1,
    };
    let dead_lettered = scene
        .site
        .book
        .dead_letter(lease, &order, "a test", StockUnit::Held);
    dead_lettered.await.unwrap();
    scene.assert_repairs(&["buried", "shortage"]).await;
}

#[tokio::test]
async fn an_order_that_came_back_to_life_after_its_return_gives_its_unit_back() {
    let mut scene = Scene::new().await;
    let order = scene.orders.pop().unwrap();
    assert!(scene.site.book.return_unit(order));
    // A claim in doubt is repeated under its id: the return and a load lie in between, and this gate never had it.
    let figures = scene.reconcile(Repair::No).await.equations.unwrap();
    assert_eq!((figures.ledger_live, figures.gate_live), (3, 4));
    let report = scene.reconcile(Repair::Safe).await;
    assert_eq!(
        report.drifts,
        [Drift::Ended {
            orders: vec![order]
        }]
    );
    assert_in_balance(&scene.engine, scene.sale).await;
    assert_eq!(scene.engine.stocks(&[scene.sale]).await.unwrap(), [Some(7)]);
    // A retry of that claim gets the same reply, and a new claim gets another unit.
    assert_ne!(scene.engine.order(scene.sale, 4).await, order);
}

#[tokio::test]
async fn a_restored_buyer_gets_their_order_from_processes_that_cached_sold_out() {
    let redis = Redis::start().await;
    let mut scene = Scene::on(&redis).await;
    for buyer in 5..=10 {
        scene.engine.order(scene.sale, buyer).await;
    }
    scene.forget_buyer("2").await;
    // So that nothing but the buyer comes back.
    scene.add("initial", -1).await;
    let tune = |options: &mut FlashOptions| options.sold_out_ceiling = 2 * PATIENCE;
    let mut patient = scene.site.idle_engine(tune).await;
    patient.listen();
    wait_until("a flag that does not know buyer 2", PATIENCE, async || {
        let before = redis.command_count("evalsha").await;
        assert_eq!(patient.buy(scene.sale, 2).await, ClaimOutcome::SoldOut);
        redis.command_count("evalsha").await == before
    })
    .await;
    scene.reconcile(Repair::Safe).await;
    let known = ClaimOutcome::AlreadyBought(scene.orders[1]);
    wait_until("the flag to fall", PATIENCE, async || {
        patient.buy(scene.sale, 2).await == known
    })
    .await;
}

#[tokio::test]
async fn what_two_reconcilers_find_is_repaired_once() {
    let mut scene = Scene::new().await;
    scene.forget_buyer("2").await;
    scene.add("stock", -1).await;
    scene.add("initial", -2).await;
    let other = scene.site.engine().await;
    let (one, two) = tokio::join!(
        scene.engine.reconcile(scene.sale, Repair::Safe),
        other.reconcile(scene.sale, Repair::Safe)
    );
    let repairs = one.unwrap().unwrap().repairs.len() + two.unwrap().unwrap().repairs.len();
    assert_eq!(repairs, scene.site.book.repairs().len());
    assert_in_balance(&scene.engine, scene.sale).await;
    assert_eq!(scene.engine.stocks(&[scene.sale]).await.unwrap(), [Some(6)]);
}

#[tokio::test]
async fn a_repair_based_on_a_stale_survey_changes_nothing() {
    let mut scene = Scene::new().await;
    let seen = ["HMGET", &scene.key("sale"), "load", "epoch", "stock"].map(str::to_owned);
    let seen = seen.each_ref().map(String::as_str);
    let seen: Vec<String> = ask(&mut scene.redis, &seen).await;
    let [load, epoch, stock] = [0, 1, 2].map(|field| seen[field].as_str());
    let adjust = include_str!("../../src/lua/adjust.lua");
    let keys = [scene.key("sale"), scene.key("epochs")];
    let add = [load, epoch, stock, "pieces", "2", "1", "PUBLISH"];
    let added: Vec<i64> = vec![
        eval(&mut scene.redis, adjust, &keys, &add).await,
        eval(&mut scene.redis, adjust, &keys, &add).await,
    ];
    assert_eq!(added, [2, 0]);
    let adopt = include_str!("../../src/lua/restore_orders.lua");
    let keys = [scene.key("sale"), scene.key("buyers"), scene.key("epochs")];
    let (known, unknown) = (format!("1:{}:", scene.orders[0]), "1:99:");
    let orders = [load, "1", "PUBLISH", "1", &known, "99", unknown];
    let adopted: Vec<i64> = eval(&mut scene.redis, adopt, &keys, &orders).await;
    assert_eq!(adopted, [1, 1], "one of them was live already");
}

#[tokio::test]
async fn a_sale_without_a_gate_is_loaded() {
    let mut scene = Scene::new().await;
    let key = scene.key("sale");
    let _: i64 = ask(&mut scene.redis, &["DEL", &key]).await;
    assert_eq!(scene.find().await, [Drift::NotLoaded]);
    scene.assert_repairs(&[]).await;
}

#[tokio::test]
async fn a_window_that_was_moved_in_the_ledger_alone_is_followed() {
    let scene = Scene::new().await;
    let sale = scene.sale;
    scene.site.book.change(sale, |terms| {
        terms.end_ms += 1_000;
        // As a person with a SQL prompt would do it: the epoch stays.
        terms.epoch -= 1;
    });
    assert_eq!(scene.find().await, [Drift::Terms]);
    scene.assert_repairs(&["terms"]).await;
}

#[tokio::test]
async fn reconciling_while_people_buy_and_return_repairs_nothing() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(100_000));
    let engine = site.engine().await;
    engine.preload(sale).await.unwrap();
    let stop = CancellationToken::new();
    let buying = {
        let (flash, book, stop) = (
            flash::Flash::clone(&engine),
            site.book.clone(),
            stop.clone(),
        );
        tokio::spawn(async move {
            for buyer in 1.. {
                let claim = crate::site::wish(sale, buyer);
                if stop.is_cancelled() {
                    break;
                }
                if let Ok(ClaimOutcome::Granted(order)) = flash.claim(claim).await
                    && book.return_unit(order)
                {
                    let given = flash::StockReturn {
                        sale,
                        buyer: BuyerId(buyer),
                        order,
                        unit: StockUnit::Held,
                    };
                    flash.return_unit(given).await.unwrap();
                }
            }
        })
    };
    for _ in 0..3 {
        let report = engine.reconcile(sale, Repair::Safe).await.unwrap().unwrap();
        assert_eq!((report.drifts, report.repairs), (vec![], vec![]));
    }
    stop.cancel();
    buying.await.unwrap();
    assert_in_balance(&engine, sale).await;
}

#[tokio::test]
async fn the_timer_repairs_a_flushed_sale_by_itself() {
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(10));
    let engine = site.engine().await;
    engine.order(sale, 1).await;
    engine.wait_until_drained(PATIENCE).await.unwrap();
    let stop = CancellationToken::new();
    let worker = {
        let (flash, stop) = (flash::Flash::clone(&engine), stop.clone());
        tokio::spawn(async move { flash.run_reconcile(stop, Duration::from_millis(100)).await })
    };
    let mut connection = redis.connection().await;
    let () = ask(&mut connection, &["FLUSHALL"]).await;
    let key = key(&site, engine.partitions(), sale, 0, "sale");
    wait_until("the gate", PATIENCE, async || {
        let state: Option<String> = ask(&mut connection.clone(), &["HGET", &key, "state"]).await;
        state.as_deref() == Some("open")
    })
    .await;
    stop.cancel();
    worker.await.unwrap();
    assert_in_balance(&engine, sale).await;
}
