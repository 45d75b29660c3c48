//! A master dies while its replica lags, and the replica takes over: behind Sentinels and in a Cluster.
//!
//! Each round sells a sale of its own to a crowd through two engines. In the middle the replica is cut off, some claims
//! are answered that it never gets, and the master is killed. `FLASH_FAILOVERS` sets the number of rounds, and
//! `FLASH_SEED` the seed of the first, which every failure names.

mod store;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use flash::{ClaimError, ClaimOutcome, OrderId, Repair, SaleId};
use futures_util::future::join_all;
use rand::rngs::StdRng;
use rand::seq::SliceRandom as _;
use rand::{RngExt as _, SeedableRng as _};
use testkit::wait_for;

use crate::gate_keys::{assert_in_balance, key};
use crate::memory_ledger::{Stop, open_sale};
use crate::site::{Engine, Site, wish};
use store::Store;

/// An election takes seconds, and more than that on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Rounds in every run of the suite.
const ROUNDS: u64 = 2;

/// What a drain worker does with what only the dead master had.
#[derive(Clone, Copy, Debug)]
enum Drain {
    /// It records it at once.
    Goes,
    /// It has it in hand and records it after another master took over.
    StopsBeforeCommit,
    /// It has recorded it and settles it after another master took over.
    StopsAfterCommit,
}

/// The replies to the crowd of one sale.
#[derive(Debug, Default)]
struct Replies {
    granted: BTreeMap<i64, OrderId>,
    /// Orders in a reply that a later reply contradicts.
    lost: BTreeSet<OrderId>,
}

impl Replies {
    fn note(&mut self, buyer: i64, outcome: ClaimOutcome) {
        let replies = match outcome {
            ClaimOutcome::Granted(order) | ClaimOutcome::AlreadyBought(order) => Some(order),
            _ => None,
        };
        let before = self.granted.get(&buyer).copied();
        if before != replies {
            self.lost.extend(before);
        }
        match replies {
            Some(order) => self.granted.insert(buyer, order),
            None => self.granted.remove(&buyer),
        };
    }
}

fn rounds() -> u64 {
    let set = std::env::var("FLASH_FAILOVERS").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(ROUNDS)
}

fn first_seed() -> u64 {
    let set = std::env::var("FLASH_SEED").ok();
    set.and_then(|set| set.parse().ok()).unwrap_or(1)
}

/// Claims in random order through either engine. A claim without an outcome has no reply.
async fn claim_all(
    engines: &[Engine; 2],
    sale: SaleId,
    buyers: &[i64],
    replies: &mut Replies,
    random: &mut StdRng,
) {
    let mut buyers = buyers.to_vec();
    buyers.shuffle(random);
    let claims = buyers.into_iter().map(|buyer| {
        let engine = &engines[random.random_range(0..2)];
        async move { (buyer, engine.claim(wish(sale, buyer)).await) }
    });
    for (buyer, outcome) in join_all(claims).await {
        if let Ok(outcome) = outcome {
            replies.note(buyer, outcome);
        }
    }
}

/// Everybody asks until there is an outcome.
async fn settle_all(engines: &[Engine; 2], sale: SaleId, buyers: &[i64], replies: &mut Replies) {
    let claims = buyers.iter().map(async |buyer| {
        let engine = &engines[usize::from(buyer % 2 == 0)];
        let outcome = wait_for("an outcome", PATIENCE, async || {
            match engine.claim(wish(sale, *buyer)).await {
                Ok(outcome) => Some(outcome),
                Err(ClaimError::Busy { .. } | ClaimError::Unknown(_)) => {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                    None
                }
                Err(error) => panic!("{error}"),
            }
        });
        (*buyer, outcome.await)
    });
    for (buyer, outcome) in join_all(claims).await {
        replies.note(buyer, outcome);
    }
}

/// One failover; adds to `lost` the orders in replies that were lost.
async fn play(
    store: &Store,
    site: &Site,
    engines: &[Engine; 2],
    seed: u64,
    replicas: u32,
    lost: &mut BTreeSet<OrderId>,
) {
    let random = &mut StdRng::seed_from_u64(seed);
    let stock = random.random_range(20..60);
    let mut terms = open_sale(stock);
    terms.spread = match store {
        Store::Sentinel(_) => 1,
        Store::Cluster(_) => random.random_range(1..=3),
    };
    let sale = site.publish(i64::try_from(seed).unwrap(), terms);
    let crowd: Vec<i64> = (1..=i64::from(stock) * 2).collect();
    let (early, late) = crowd.split_at(random.random_range(1..usize::try_from(stock).unwrap()));
    let mut replies = Replies::default();
    wait_for("the sale", PATIENCE, async || {
        engines[0].preload(sale).await.ok()
    })
    .await;
    settle_all(engines, sale, early, &mut replies).await;

    let gate = key(site, engines[0].partitions(), sale, 0, "sale");
    let master = store.master_of(&gate).await;
    master.cut_off_replica().await;
    let drain = [
        Drain::Goes,
        Drain::StopsBeforeCommit,
        Drain::StopsAfterCommit,
    ];
    let drain = drain[random.random_range(0..drain.len())];
    match drain {
        Drain::Goes => {}
        Drain::StopsBeforeCommit => site.book.switch().stop_at(Stop::BeforeCommit),
        Drain::StopsAfterCommit => site.book.switch().stop_at(Stop::AfterCommit),
    }
    let some = random.random_range(1..late.len());
    claim_all(engines, sale, &late[..some], &mut replies, random).await;
    if random.random_bool(0.5) {
        tokio::time::sleep(Duration::from_millis(random.random_range(0..200))).await;
    }
    master.kill();
    store.await_failover(&gate).await;
    // Some ask before, and some after what the drain worker had in hand is in the ledger.
    claim_all(
        engines,
        sale,
        &crowd[..early.len() + some],
        &mut replies,
        random,
    )
    .await;
    site.book.switch().go_on();
    if replicas > 0 {
        // No buyer gets an order until a replica has it.
        store.recover().await;
    }
    settle_all(engines, sale, &crowd, &mut replies).await;
    settle_all(engines, sale, &crowd, &mut replies).await;
    let count = replies.lost.len();
    lost.append(&mut replies.lost);
    check(site, &engines[0], sale, &replies, lost).await;
    if replicas > 0 {
        assert_eq!(*lost, BTreeSet::new(), "every reply stays true");
    }
    eprintln!("seed {seed}: {drain:?}, {count} replies with a lost order");
    store.recover().await;
}

async fn check(
    site: &Site,
    engine: &Engine,
    sale: SaleId,
    replies: &Replies,
    lost: &BTreeSet<OrderId>,
) {
    wait_for("the orders", PATIENCE, async || {
        engine.wait_until_drained(PATIENCE).await.ok()
    })
    .await;
    // `a_dead_master_that_is_elected_again_sells_nothing_twice` shows how one can come late.
    for dead_letter in site.book.dead_letters() {
        assert!(
            lost.contains(&dead_letter.order.id),
            "taken away: {dead_letter:?}"
        );
    }
    let terms = site.book.terms(sale).unwrap();
    let live = site.book.live_orders(sale);
    assert_eq!(
        (terms.stock, live.len()),
        (0, usize::try_from(terms.initial).unwrap())
    );
    let mut buyers = BTreeSet::new();
    for order in &live {
        assert!(buyers.insert(order.buyer.0), "one each: {order:?}");
        assert_eq!(replies.granted.get(&order.buyer.0), Some(&order.id));
    }
    assert_eq!(
        buyers.len(),
        replies.granted.len(),
        "the last replies are true"
    );
    // Every order of the ledger is in the gate, and the other way round.
    wait_for("the gate", PATIENCE, async || {
        engine.reconcile(sale, Repair::No).await.ok()
    })
    .await;
    assert_in_balance(&**engine, sale).await;
}

async fn fail_over_and_over(store: Store, replicas: u32) {
    let site = Site::at(store.url());
    let engine = async || {
        let mut engine = site
            .idle_engine(|options| {
                options.replicas = replicas;
                options.claim_deadline = Duration::from_millis(1_200);
            })
            .await;
        engine.drain();
        engine.listen();
        engine
    };
    let engines = [engine().await, engine().await];
    let mut lost = BTreeSet::new();
    for seed in first_seed()..first_seed() + rounds() {
        play(&store, &site, &engines, seed, replicas, &mut lost).await;
    }
    let (rounds, lost) = (rounds(), lost.len());
    eprintln!("{rounds} failovers with replicas = {replicas}: {lost} replies with a lost order");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lagging_replica_behind_sentinels_sells_nothing_twice() {
    fail_over_and_over(Store::sentinel().await, 0).await;
}

/// A dead master that comes back is a master with its old file until a Sentinel tells it otherwise, after about ten seconds. If
/// the new master falls silent meanwhile, the old one is promoted as it is: it delivers what only it knew, long after its
/// buyers got other replies.
#[tokio::test(flavor = "multi_thread")]
async fn a_dead_master_that_is_elected_again_sells_nothing_twice() {
    let store = Store::sentinel().await;
    let site = Site::at(store.url());
    let mut engines = [
        site.idle_engine(|_| ()).await,
        site.idle_engine(|_| ()).await,
    ];
    let stock = 20;
    let sale = site.publish(1, open_sale(stock));
    let crowd: Vec<i64> = (1..=i64::from(stock) * 2).collect();
    let mut replies = Replies::default();
    let gate = key(&site, engines[0].partitions(), sale, 0, "sale");
    engines[0].drain();
    engines[0].preload(sale).await.unwrap();
    engines[0].rest().await;

    // Granted where no replica and no drain worker gets it.
    let first = store.master_of(&gate).await;
    first.cut_off_replica().await;
    settle_all(&engines, sale, &crowd[..10], &mut replies).await;
    first.kill();
    store.await_failover(&gate).await;
    engines.iter_mut().for_each(Engine::drain);
    settle_all(&engines, sale, &crowd, &mut replies).await;
    assert_eq!(replies.lost.len(), 10, "the new master does not have them");
    check(&site, &engines[0], sale, &replies, &replies.lost).await;
    assert_eq!(site.book.dead_letters(), []);

    let second = store.lone_master_of(&gate).await;
    // Silent before the old one is there, or a Sentinel might make that a replica in time.
    second.freeze().await;
    store.recover().await;
    store.await_failover(&gate).await;
    second.thaw();
    wait_for("the late orders", PATIENCE, async || {
        (site.book.dead_letters().len() == replies.lost.len()).then_some(())
    })
    .await;
    settle_all(&engines, sale, &crowd, &mut replies).await;
    assert_eq!(replies.lost.len(), 10, "replies since then stay true");
    check(&site, &engines[0], sale, &replies, &replies.lost).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lagging_replica_of_a_cluster_sells_nothing_twice() {
    fail_over_and_over(Store::cluster().await, 0).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_confirming_replica_no_granted_order_is_lost() {
    fail_over_and_over(Store::sentinel().await, 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_one_confirming_replica_no_granted_order_is_lost_in_a_cluster() {
    fail_over_and_over(Store::cluster().await, 1).await;
}
