//! Counted ids while Redis forgets, the ledger is away, replies are lost and servers take each other's place.

use std::sync::Arc;

use flash::{IdError, OrderId};
use proptest::prelude::*;
use testkit::{FaultProxy, Redis, wait_for};

use super::{PATIENCE, Site, ask, assert_distinct, count_of, take};

/// More than a block, so that every process must ask for another.
const SOME: usize = 20_000;

#[tokio::test]
async fn a_counter_that_was_lost_begins_above_everything_given_out() {
    let site = Site::open().await;
    let (one, other) = (site.process().await, site.process().await);
    let mut ids = [take(&one, SOME).await, take(&other, SOME).await]
        .map(Result::unwrap)
        .concat();
    let _: i64 = site.ask(&["DEL", &site.counter_key()]).await;
    for process in [&one, &other, &site.process().await] {
        ids.extend(take(process, SOME).await.unwrap());
    }
    assert_distinct(ids);
}

#[tokio::test]
async fn a_server_that_took_over_with_an_older_counter_is_not_believed() {
    let site = Site::open().await;
    let (one, other) = (site.process().await, site.process().await);
    let mut ids = take(&one, SOME).await.unwrap();
    let older = site.counter().await.unwrap();
    ids.extend(take(&other, SOME).await.unwrap());
    let (state, _run) = older.rsplit_once(':').unwrap();
    let of_another_server = format!("{state}:{}", "0".repeat(40));
    let _: () = site
        .ask(&["SET", &site.counter_key(), &of_another_server])
        .await;
    for process in [&one, &other, &site.process().await] {
        ids.extend(take(process, SOME).await.unwrap());
    }
    assert_distinct(ids);
}

#[tokio::test]
async fn a_server_that_forgot_its_last_second_repeats_nothing() {
    let mut site = Site::open().await;
    let redis: &'static Redis = Box::leak(Box::new(Redis::start().await));
    site.redis = redis;
    let (one, other) = (site.process().await, site.process().await);
    let mut ids = take(&one, SOME).await.unwrap();
    let before = site.counter().await.unwrap();
    ids.extend(take(&other, SOME).await.unwrap());
    let _: () = site.ask(&["SET", &site.counter_key(), &before]).await;
    redis.stop_hard();
    redis.start_again().await;
    assert_eq!(site.counter().await.unwrap(), before);
    for process in [&one, &other, &site.process().await] {
        let again = wait_for("Redis to be reached again", PATIENCE, async || {
            take(process, SOME).await.ok()
        });
        ids.extend(again.await);
    }
    redis.stop_hard();
    assert_distinct(ids);
}

#[tokio::test]
async fn a_server_that_is_a_master_once_more_is_not_taken_for_the_one_it_was() {
    let mut site = Site::open().await;
    let redis: &'static Redis = Box::leak(Box::new(Redis::start().await));
    site.redis = redis;
    let (one, other) = (site.process().await, site.process().await);
    let mut ids = take(&one, SOME).await.unwrap();
    let before = site.counter().await.unwrap();
    ids.extend(take(&other, SOME).await.unwrap());
    // Another server was the master in between, and lacked the last block when it stepped down.
    for host in [["127.0.0.1", "1"], ["NO", "ONE"]] {
        let _: () = site.ask(&["REPLICAOF", host[0], host[1]]).await;
    }
    let _: () = site.ask(&["SET", &site.counter_key(), &before]).await;
    for process in [&one, &other, &site.process().await] {
        ids.extend(take(process, SOME).await.unwrap());
    }
    redis.stop_hard();
    assert_distinct(ids);
}

/// Two masters that do not know of each other, as during a split: each process asks its own.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_masters_at_once_give_distinct_ids_because_the_ledger_is_one() {
    let site = Site::open().await;
    let other_server = Redis::start().await;
    let mut crowd = tokio::task::JoinSet::new();
    for url in [site.redis.url(), other_server.url()] {
        for _ in 0..2 {
            let process = site.process_at(&url).await;
            crowd.spawn(async move {
                let mut ids = Vec::new();
                for _ in 0..40 {
                    // Masters that end each other's generations all the time may make a process give up for once.
                    let _ = process.take_many(SOME, &mut ids).await;
                }
                ids
            });
        }
    }
    let ids = crowd.join_all().await.concat();
    assert!(ids.len() > 100 * SOME, "only {} ids", ids.len());
    assert_distinct(ids);
}

#[tokio::test]
async fn a_new_day_is_refused_while_the_ledger_is_away() {
    let site = Site::open().await;
    let process = site.process().await;
    site.book.switch().go_away();
    assert!(matches!(take(&process, 1).await, Err(IdError::Ledger(_))));
    site.book.switch().come_back();
    take(&process, 1).await.unwrap();
}

#[tokio::test]
async fn without_the_ledger_ids_go_on_up_to_the_mark_and_not_beyond() {
    let site = Site::open().await;
    let process = site.process().await;
    let mut ids = take(&process, 1).await.unwrap();
    site.book.switch().go_away();
    let refusal = loop {
        match take(&process, 1_000).await {
            Ok(more) => ids.extend(more),
            Err(refusal) => break refusal,
        }
    };
    assert!(matches!(refusal, IdError::Ledger(_)));
    let mark = (1 << 20) + (1 << 14);
    let highest = ids.iter().map(|id| count_of(*id)).max().unwrap();
    assert!((mark - (1 << 14)..=mark).contains(&highest), "{highest}");
    site.book.switch().come_back();
    ids.extend(take(&process, SOME).await.unwrap());
    assert_distinct(ids);
}

#[tokio::test]
async fn a_lost_counter_is_refused_while_the_ledger_is_away() {
    let site = Site::open().await;
    let mut ids = take(&site.process().await, 1).await.unwrap();
    let _: i64 = site.ask(&["DEL", &site.counter_key()]).await;
    site.book.switch().go_away();
    let newcomer = site.process().await;
    assert!(matches!(take(&newcomer, 1).await, Err(IdError::Ledger(_))));
    site.book.switch().come_back();
    ids.extend(take(&newcomer, 1).await.unwrap());
    assert_distinct(ids);
}

#[tokio::test]
async fn replies_that_are_lost_cost_blocks_and_repeat_nothing() {
    let site = Site::open().await;
    let proxy = FaultProxy::start(site.redis.addr()).await;
    let process = site.process_at(&format!("redis://{}", proxy.addr())).await;
    let mut ids = take(&process, SOME).await.unwrap();
    for _ in 0..3 {
        proxy.drop_replies().await;
        let refused = take(&process, 3 * SOME).await;
        assert!(matches!(refused, Err(IdError::Redis(_))));
        proxy.pass().await;
        let again = wait_for("Redis to be reached again", PATIENCE, async || {
            take(&process, SOME).await.ok()
        });
        ids.extend(again.await);
    }
    assert_distinct(ids);
}

/// What may happen to a site, in any order.
#[derive(Clone, Debug)]
enum Happening {
    Take {
        process: usize,
        n: usize,
    },
    Restart(usize),
    LoseCounter,
    /// Another server takes over, with what the counter was some happenings ago.
    TakeOver {
        ago: usize,
    },
    LedgerAway,
    LedgerBack,
    MoveClock(i64),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    let one = prop_oneof![
        8 => (0_usize..3, 1_usize..SOME).prop_map(|(process, n)| Happening::Take { process, n }),
        1 => (0_usize..3).prop_map(Happening::Restart),
        1 => Just(Happening::LoseCounter),
        2 => (1_usize..10).prop_map(|ago| Happening::TakeOver { ago }),
        1 => Just(Happening::LedgerAway),
        2 => Just(Happening::LedgerBack),
        1 => (-50_000_i64..50_000).prop_map(Happening::MoveClock),
    ];
    prop::collection::vec(one, 1..40)
}

async fn live_through(happenings: Vec<Happening>) -> Vec<OrderId> {
    let site = Site::open().await;
    site.set_clock("2026-11-15T23:59:30Z");
    let mut processes = [
        site.process().await,
        site.process().await,
        site.process().await,
    ];
    let (mut ids, mut states) = (Vec::new(), Vec::new());
    for happening in happenings {
        states.push((site.counter_key(), site.counter().await));
        match happening {
            Happening::Take { process, n } => {
                let _ = processes[process].take_many(n, &mut ids).await;
            }
            Happening::Restart(process) => processes[process] = site.process().await,
            Happening::LoseCounter => ask(site.redis, &["DEL", &site.counter_key()]).await,
            Happening::TakeOver { ago } => {
                let (key, state) = &states[states.len().saturating_sub(ago)];
                take_over(&site, key, state.as_deref()).await;
            }
            Happening::LedgerAway => site.book.switch().go_away(),
            Happening::LedgerBack => site.book.switch().come_back(),
            Happening::MoveClock(by_ms) => site.move_clock(by_ms),
        }
    }
    ids
}

async fn take_over(site: &Site, key: &str, state: Option<&str>) {
    match state.and_then(|state| state.rsplit_once(':')) {
        Some((state, _run)) => {
            let run = format!("{:040x}", rand::random::<u128>());
            site.ask::<()>(&["SET", key, &format!("{state}:{run}")])
                .await;
        }
        None => site.ask::<()>(&["DEL", key]).await,
    }
}

#[test]
fn whatever_happens_in_whatever_order_no_id_is_given_out_twice() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let runtime = Arc::new(runtime);
    let config = ProptestConfig::with_cases(60);
    proptest!(config, |(happenings in happenings())| {
        assert_distinct(runtime.block_on(live_through(happenings)));
    });
}
