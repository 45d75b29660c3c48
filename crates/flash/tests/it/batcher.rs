//! Batches, lost answers, refusals: what stands between a claimant and the gate.

use std::time::{Duration, Instant};

use flash::{Claim, ClaimError, OrderId, Outcome, SaleId};
use futures_util::FutureExt;
use futures_util::future::join_all;
use testkit::{FaultProxy, Redis, RedisSentinel, wait_until};

use crate::book::open_sale;
use crate::site::{Engine, PATIENCE, Site, wish};

/// A loaded sale, with an engine that reaches it through a proxy.
struct Bench {
    proxy: FaultProxy,
    engine: Engine,
    /// The road without the proxy.
    direct: Engine,
    sale: SaleId,
}

async fn bench(stock: u32, queue_bound: usize) -> Bench {
    let redis = Redis::shared().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(stock));
    let mut direct = site.engine().await;
    direct.warm(sale).await.unwrap();
    direct.rest().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let road = site.by_way_of(format!("redis://{}", proxy.addr()));
    let engine = road.idle_engine(|options| {
        options.queue_bound = queue_bound;
        options.claim_deadline = Duration::from_millis(1_500);
    });
    let engine = engine.await;
    // Order ids are taken ahead, so that what is lost below is the answer of the gate.
    engine.order(sale, 1).await;
    Bench {
        proxy,
        engine,
        direct,
        sale,
    }
}

impl Bench {
    async fn stock(&self) -> u32 {
        self.direct.stocks(&[self.sale]).await.unwrap()[0].unwrap()
    }
}

fn is_busy(answer: Result<Outcome, ClaimError>) -> bool {
    matches!(answer, Err(ClaimError::Busy { .. }))
}

#[tokio::test]
async fn a_claim_whose_answer_was_lost_is_repeated_and_takes_one_piece() {
    let bench = bench(10, 64).await;
    bench.proxy.drop_replies_then_cut(1).await;
    let claim = tokio::spawn({
        let (engine, sale) = (flash::Flash::clone(&bench.engine), bench.sale);
        async move { engine.claim(wish(sale, 2)).await }
    });
    let cut = async || bench.proxy.connections() == 0;
    wait_until("the answer to be lost", PATIENCE, cut).await;
    assert_eq!(bench.stock().await, 8, "the script ran");
    bench.proxy.pass().await;
    let Ok(Outcome::Granted(order)) = claim.await.unwrap() else {
        panic!("the repetition is granted")
    };
    assert_eq!(bench.stock().await, 8);
    let again = bench.direct.buy(bench.sale, 2).await;
    assert_eq!(again, Outcome::AlreadyBought(order));
}

#[tokio::test]
async fn an_outcome_that_stays_unknown_is_settled_by_asking_again() {
    let bench = bench(10, 64).await;
    bench.proxy.drop_replies().await;
    let answer = bench.engine.claim(wish(bench.sale, 2)).await;
    let Err(ClaimError::Unknown(order)) = answer else {
        panic!("{answer:?}")
    };
    bench.proxy.cut().await;
    let meanwhile = bench.engine.claim(wish(bench.sale, 2)).await;
    assert_eq!(meanwhile, answer, "still in doubt, and not refused");
    bench.proxy.pass().await;
    assert_eq!(settled(&bench.engine, wish(bench.sale, 2)).await, order);
    assert_eq!(bench.stock().await, 8, "one for each of two buyers");
    // It is settled: the next claim of the buyer is another one.
    let again = bench.engine.buy(bench.sale, 2).await;
    assert_eq!(again, Outcome::AlreadyBought(order));
}

#[tokio::test]
async fn an_unknown_outcome_of_a_claim_that_never_arrived_is_a_purchase_under_the_same_id() {
    let bench = bench(10, 64).await;
    bench.proxy.black_hole().await;
    let answer = bench.engine.claim(wish(bench.sale, 2)).await;
    let Err(ClaimError::Unknown(order)) = answer else {
        panic!("{answer:?}")
    };
    assert_eq!(bench.stock().await, 9);
    bench.proxy.pass().await;
    assert_eq!(settled(&bench.engine, wish(bench.sale, 2)).await, order);
    assert_eq!(bench.stock().await, 8);
}

/// The order that a claim ends in, once Redis can be reached again.
async fn settled(engine: &Engine, claim: Claim) -> OrderId {
    testkit::wait_for("an outcome", PATIENCE, async || {
        match engine.claim(claim).await {
            Ok(Outcome::Granted(order)) => Some(order),
            Ok(other) => panic!("{other:?}"),
            Err(_) => None,
        }
    })
    .await
}

#[tokio::test]
async fn without_redis_claims_are_refused_quickly_and_nothing_is_bought() {
    let bench = bench(10, 64).await;
    bench.proxy.cut().await;
    // Whoever asks first may not know what became of it.
    let mut buyer = 10;
    wait_until("the engine to notice", PATIENCE, async || {
        buyer += 1;
        is_busy(bench.engine.claim(wish(bench.sale, buyer)).await)
    })
    .await;
    let asked = Instant::now();
    assert!(is_busy(bench.engine.claim(wish(bench.sale, 2)).await));
    assert!(asked.elapsed() < Duration::from_millis(200));
    assert_eq!(bench.stock().await, 9);
    bench.proxy.pass().await;
    settled(&bench.engine, wish(bench.sale, 2)).await;
    assert_eq!(bench.stock().await, 8);
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let bench = bench(10, 3).await;
    bench.proxy.black_hole().await;
    let claim = |buyer| bench.engine.claim(wish(bench.sale, buyer));
    let mut waiting = Vec::new();
    // One batch is in flight and three wait; where the batch begins is not ours to say.
    let refused = (10..20).find_map(|buyer| {
        let mut claim = Box::pin(claim(buyer));
        match claim.as_mut().now_or_never() {
            Some(answer) => Some(answer),
            None => {
                waiting.push(claim);
                None
            }
        }
    });
    assert!(is_busy(refused.expect("the queue is bounded")));
    assert!((3..=4).contains(&waiting.len()), "{}", waiting.len());
}

#[tokio::test]
async fn a_backlog_over_its_limit_refuses_until_it_is_drained() {
    let site = Site::new().await;
    let sale = site.publish(1, open_sale(100));
    let mut loader = site.engine().await;
    loader.warm(sale).await.unwrap();
    loader.rest().await;
    let mut engine = site.idle_engine(|options| options.backlog_limit = 5).await;
    for buyer in 1..=5 {
        engine.order(sale, buyer).await;
    }
    assert!(is_busy(engine.claim(wish(sale, 6)).await));
    assert!(is_busy(engine.claim(wish(sale, 6)).await));
    engine.drain();
    settled(&engine, wish(sale, 6)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_claimants_share_a_call() {
    const CLAIMANTS: i64 = 256;
    const ROUNDS: i64 = 12;
    let redis = Redis::start().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, open_sale(1_000_000));
    let mut engine = site.engine().await;
    engine.order(sale, 0).await;
    engine.rest().await;
    let before = redis.commands().await;
    let claimants = (0..CLAIMANTS).map(|claimant| {
        let engine = flash::Flash::clone(&engine);
        tokio::spawn(async move {
            for round in 0..ROUNDS {
                let buyer = 1 + claimant + round * CLAIMANTS;
                let answer = engine.claim(wish(sale, buyer)).await.unwrap();
                assert!(matches!(answer, Outcome::Granted(_)));
            }
        })
    });
    for done in join_all(claimants.collect::<Vec<_>>()).await {
        done.unwrap();
    }
    let calls = redis.commands().await.since(&before).of("evalsha");
    let claims = u64::try_from(CLAIMANTS * ROUNDS).unwrap();
    assert!(calls * 16 <= claims, "{calls} calls for {claims} claims");
}

#[tokio::test]
async fn claims_of_several_sales_are_decided_each_at_its_own_gate() {
    let site = Site::new().await;
    let engine = site.engine().await;
    let sales = [4, 8, 12].map(|sale| site.publish(sale, open_sale(2)));
    let claims = (0..30).map(|n| engine.claim(wish(sales[n % 3], i64::try_from(n).unwrap())));
    let answers = join_all(claims).await;
    for (place, _) in sales.iter().enumerate() {
        let own = answers.iter().skip(place).step_by(3);
        let granted = own.filter(|answer| matches!(answer, Ok(Outcome::Granted(_))));
        assert_eq!(granted.count(), 2);
    }
}

#[tokio::test]
async fn an_order_is_told_only_when_enough_replicas_have_it() {
    let servers = RedisSentinel::start().await;
    let site = Site::at(servers.url());
    let sale = site.publish(1, open_sale(10));
    let mut loader = site.engine().await;
    loader.warm(sale).await.unwrap();
    loader.rest().await;
    let safe = site.idle_engine(|options| options.replicas = 1).await;
    let order = safe.order(sale, 1).await;
    assert_eq!(safe.buy(sale, 1).await, Outcome::AlreadyBought(order));
    let too_safe = site.idle_engine(|options| options.replicas = 9).await;
    let answer = too_safe.claim(wish(sale, 2)).await;
    assert!(matches!(answer, Err(ClaimError::Unknown(_))), "{answer:?}");
}
