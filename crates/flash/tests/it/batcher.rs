//! Batches, lost answers, refusals: what stands between a claimant and the gate.

mod calls_in_flight;

use std::time::{Duration, Instant};

use flash::{Claim, ClaimError, ClaimOutcome, FlashOptions, OrderId, SaleId, Terms};
use futures_util::FutureExt;
use futures_util::future::join_all;
use testkit::{FaultProxy, Redis, RedisSentinel, wait_until};

use crate::gate_keys::{ask, eval, key};
use crate::memory_ledger::open_sale;
use crate::site::{Engine, PATIENCE, Site, wish};

/// How long a claim is tried.
const DEADLINE: Duration = Duration::from_millis(1_500);

/// A loaded sale, with an engine that reaches it through a proxy.
struct Bench {
    site: Site,
    proxy: FaultProxy,
    engine: Engine,
    /// The transport without the proxy.
    direct: Engine,
    sale: SaleId,
}

async fn bench(stock: u32, queue_bound: usize) -> Bench {
    let tune = |options: &mut FlashOptions| options.queue_bound = queue_bound;
    tuned_bench(open_sale(stock), tune).await
}

async fn tuned_bench(terms: Terms, tune: impl FnOnce(&mut FlashOptions)) -> Bench {
    let redis = Redis::shared().await;
    let site = Site::at(redis.url());
    let sale = site.publish(1, terms);
    let mut direct = site.engine().await;
    direct.preload(sale).await.unwrap();
    direct.rest().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let transport = site.by_way_of(format!("redis://{}", proxy.addr()));
    let engine = transport.idle_engine(|options| {
        options.claim_deadline = DEADLINE;
        tune(options);
    });
    let engine = engine.await;
    // Order ids are taken ahead, so that what is lost below is the answer of the gate.
    engine.order(sale, 1).await;
    Bench {
        site,
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

    async fn lose_gate(&self) {
        let mut redis = Redis::shared().await.connection().await;
        for what in ["sale", "buyers"] {
            let key = key(&self.site, self.direct.partitions(), self.sale, 0, what);
            let () = ask(&mut redis, &["DEL", &key]).await;
        }
    }
}

fn is_busy(answer: Result<ClaimOutcome, ClaimError>) -> bool {
    matches!(answer, Err(ClaimError::Busy { .. }))
}

#[tokio::test]
async fn a_claim_whose_answer_was_lost_is_repeated_and_takes_one_unit() {
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
    let Ok(ClaimOutcome::Granted(order)) = claim.await.unwrap() else {
        panic!("the repetition is granted")
    };
    assert_eq!(bench.stock().await, 8);
    let again = bench.direct.buy(bench.sale, 2).await;
    assert_eq!(again, ClaimOutcome::AlreadyBought(order));
}

#[tokio::test]
async fn a_claim_whose_answer_and_gate_were_lost_takes_one_unit_whatever_the_limit() {
    let mut terms = open_sale(10);
    terms.limit_per_buyer = 2;
    let mut bench = tuned_bench(terms, |options| options.claim_deadline = PATIENCE).await;
    bench.proxy.drop_replies_then_cut(1).await;
    let claim = tokio::spawn({
        let (engine, sale) = (flash::Flash::clone(&bench.engine), bench.sale);
        async move { engine.claim(wish(sale, 2)).await }
    });
    let cut = async || bench.proxy.connections() == 0;
    wait_until("the answer to be lost", PATIENCE, cut).await;
    assert_eq!(bench.stock().await, 8, "the script ran");
    bench.direct.drain();
    bench.direct.wait_until_drained(PATIENCE).await.unwrap();
    let first = bench.site.book.history()[1].id;
    bench.lose_gate().await;
    bench.proxy.pass().await;
    assert_eq!(claim.await.unwrap(), Ok(ClaimOutcome::Granted(first)));
    assert_eq!(bench.stock().await, 8);
}

#[tokio::test]
async fn a_claim_in_doubt_stays_so_while_its_sale_cannot_be_loaded() {
    let bench = bench(10, 64).await;
    bench.proxy.drop_replies().await;
    let answer = bench.engine.claim(wish(bench.sale, 2)).await;
    assert!(matches!(answer, Err(ClaimError::Unknown(_))), "{answer:?}");
    bench.lose_gate().await;
    bench.site.book.switch().go_away();
    bench.proxy.pass().await;
    let other_buyers = async || is_busy(bench.engine.claim(wish(bench.sale, 3)).await);
    wait_until("the gate to be missed", PATIENCE, other_buyers).await;
    assert_eq!(bench.engine.claim(wish(bench.sale, 2)).await, answer);
}

#[tokio::test]
async fn a_second_click_with_an_unknown_outcome_gets_the_same_order() {
    let bench = bench(10, 64).await;
    bench.proxy.drop_replies().await;
    let click = || bench.engine.claim(wish(bench.sale, 2));
    // Both are in the queue before the partition's task has its first turn, so they are in one call.
    let (one, other) = tokio::join!(click(), click());
    let Err(ClaimError::Unknown(order)) = one else {
        panic!("{one:?}")
    };
    assert_eq!(other, one);
    bench.proxy.pass().await;
    assert_eq!(settled(&bench.engine, wish(bench.sale, 2)).await, order);
}

#[tokio::test]
async fn a_retry_of_a_claim_in_flight_gets_the_same_order() {
    let bench = bench(10, 64).await;
    bench.proxy.black_hole().await;
    let claim = || {
        let (engine, sale) = (flash::Flash::clone(&bench.engine), bench.sale);
        tokio::spawn(async move { engine.claim(wish(sale, 2)).await })
    };
    let first = claim();
    // Early enough to find the first call under way, late enough to be served after it.
    tokio::time::sleep(DEADLINE / 2).await;
    let second = claim();
    let first = first.await.unwrap();
    let Err(ClaimError::Unknown(order)) = first else {
        panic!("{first:?}")
    };
    bench.proxy.pass().await;
    let second = second.await.unwrap();
    assert!(
        matches!(second, Ok(ClaimOutcome::Granted(same)) | Err(ClaimError::Unknown(same)) if same == order),
        "{second:?}, after the reply {order:?}"
    );
    assert_eq!(settled(&bench.engine, wish(bench.sale, 2)).await, order);
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
    assert_eq!(again, ClaimOutcome::AlreadyBought(order));
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
            Ok(ClaimOutcome::Granted(order)) => Some(order),
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
    // The first caller may not get the outcome.
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
    loader.preload(sale).await.unwrap();
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
                assert!(matches!(answer, ClaimOutcome::Granted(_)));
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
        let granted = own.filter(|answer| matches!(answer, Ok(ClaimOutcome::Granted(_))));
        assert_eq!(granted.count(), 2);
    }
}

/// The state of a new master that lacks the purchase: stock, and no buyer.
const FORGET: &str = "
    redis.call('HDEL', KEYS[2], ARGV[1])
    redis.call('DEL', KEYS[3], KEYS[4])
    return redis.call('HINCRBY', KEYS[1], 'stock', 1)";

#[tokio::test]
async fn an_order_is_granted_only_if_the_gate_still_has_it_when_replicas_confirm() {
    let (master, replica) = (Redis::start().await, Redis::start().await);
    let mut follower = replica.connection().await;
    let port = master.port().to_string();
    let () = ask(&mut follower, &["REPLICAOF", "127.0.0.1", &port]).await;
    let site = Site::at(master.url());
    let sale = site.publish(1, open_sale(1_000));
    let mut loader = site.engine().await;
    loader.preload(sale).await.unwrap();
    loader.rest().await;
    let safe = site.idle_engine(|options| options.replicas = 1).await;
    wait_until("a replica in step", PATIENCE, async || {
        safe.claim(wish(sale, 1)).await.is_ok()
    })
    .await;
    let partition = safe.partitions().of(sale, 0);
    let of_sale = |what| key(&site, safe.partitions(), sale, 0, what);
    let of_partition = |what| format!("{}{{{partition}}}:{what}", site.prefix);
    let keys = [
        of_sale("sale"),
        of_sale("buyers"),
        of_partition("orders"),
        of_partition("backlog"),
    ];
    let mut redis = master.connection().await;
    // A busy machine may be too slow to let the replica go on in time: then the outcome is unknown, and another tries.
    for buyer in 2.. {
        replica.freeze().await;
        let claim = tokio::spawn({
            let safe = flash::Flash::clone(&safe);
            async move { safe.claim(wish(sale, buyer)).await }
        });
        wait_until("a purchase", PATIENCE, async || {
            let held: bool = ask(
                &mut redis.clone(),
                &["HEXISTS", &keys[1], &buyer.to_string()],
            )
            .await;
            held
        })
        .await;
        let _: i64 = eval(&mut redis, FORGET, &keys, &[&buyer.to_string()]).await;
        replica.thaw();
        if let Ok(reply) = claim.await.unwrap() {
            let ClaimOutcome::Granted(order) = reply else {
                panic!("{reply:?}")
            };
            assert_eq!(
                loader.buy(sale, buyer).await,
                ClaimOutcome::AlreadyBought(order)
            );
            break;
        }
    }
}

#[tokio::test]
async fn an_order_is_granted_only_when_enough_replicas_have_it() {
    let servers = RedisSentinel::start().await;
    let site = Site::at(servers.url());
    let sale = site.publish(1, open_sale(10));
    let mut loader = site.engine().await;
    loader.preload(sale).await.unwrap();
    loader.rest().await;
    let safe = site.idle_engine(|options| options.replicas = 1).await;
    let order = safe.order(sale, 1).await;
    assert_eq!(safe.buy(sale, 1).await, ClaimOutcome::AlreadyBought(order));
    let too_safe = site.idle_engine(|options| options.replicas = 9).await;
    let answer = too_safe.claim(wish(sale, 2)).await;
    assert!(matches!(answer, Err(ClaimError::Unknown(_))), "{answer:?}");
}
