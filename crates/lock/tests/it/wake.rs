//! Waiting costs little: one subscription, few commands, and no message that must not be lost.

use std::time::{Duration, Instant};

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};
use redis_locks::{Guard, Locks};
use testkit::{Redis, RedisCluster, unique_prefix, wait_until};
use tokio::{runtime, task::JoinSet};

use crate::{TEST_TIMEOUT, ask, key, locks};

const PROCESSES: u64 = 20;
const TASKS: u64 = 20;

/// Counts what it costs to serve every task of every process once, all being subscribed already.
async fn commands_per_grant<F>(redis: &Redis, lock: fn(Locks) -> F) -> f64
where
    F: Future<Output = Guard> + Send + 'static,
{
    let prefix = unique_prefix();
    let mut all = Vec::new();
    for _ in 0..PROCESSES {
        all.push(locks(&redis.url(), &prefix).await);
    }
    serve_all(&all, lock).await;
    let before = redis.command_count("evalsha").await;
    serve_all(&all, lock).await;
    let calls = redis.command_count("evalsha").await - before;
    calls as f64 / (PROCESSES * TASKS) as f64
}

async fn serve_all<F>(all: &[Locks], lock: fn(Locks) -> F)
where
    F: Future<Output = Guard> + Send + 'static,
{
    let first = lock(all[0].clone()).await;
    let mut tasks = JoinSet::new();
    for locks in all {
        for _ in 0..TASKS {
            let locks = locks.clone();
            tasks.spawn(async move { lock(locks).await.release().await.unwrap() });
        }
    }
    first.release().await.unwrap();
    let all_served = async { while tasks.join_next().await.transpose().unwrap().is_some() {} };
    tokio::time::timeout(TEST_TIMEOUT, all_served)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_contended_mutex_costs_less_than_one_command_per_grant() {
    let redis = Redis::builder().sync_every_second().start().await;
    let calls = commands_per_grant(&redis, |locks| async move {
        locks.mutex("a").lock().await.unwrap()
    })
    .await;
    assert!(calls < 1.0, "{calls}");
}

#[tokio::test]
async fn a_contended_fair_mutex_costs_about_three_commands_per_grant() {
    let redis = Redis::builder().sync_every_second().start().await;
    let calls = commands_per_grant(&redis, |locks| async move {
        locks.fair_mutex("a").lock().await.unwrap()
    })
    .await;
    assert!(calls < 4.0, "{calls}");
}

#[tokio::test]
async fn one_subscription_serves_all_locks_of_a_process() {
    let redis = Redis::start().await;
    let prefix = unique_prefix();
    let holder = locks(&redis.url(), &prefix).await;
    let waiter = locks(&redis.url(), &prefix).await;
    let mut held = Vec::new();
    let mut waiting = JoinSet::new();
    for number in 0..50 {
        let name = format!("lock {number}");
        held.push(holder.mutex(&name).lock().await.unwrap());
        let mutex = waiter.mutex(&name);
        waiting.spawn(async move { mutex.lock().await.unwrap() });
    }
    wait_until("all callers to be queued", TEST_TIMEOUT, async || {
        let lines: Vec<String> = ask(&redis, &["KEYS", &format!("{prefix}*:queue")]).await;
        lines.len() == held.len()
    })
    .await;
    let channels: Vec<String> = ask(&redis, &["PUBSUB", "CHANNELS", &format!("{prefix}*")]).await;
    assert_eq!(channels.len(), 1, "{channels:?}");
    let subscribers: String = ask(&redis, &["CLIENT", "LIST", "TYPE", "pubsub"]).await;
    assert_eq!(subscribers.lines().count(), 1, "{subscribers}");
    drop(held);
    while waiting.join_next().await.transpose().unwrap().is_some() {}
}

/// A lock that is held, and a waiter of another process that is queued for it.
async fn contended(redis: &Redis) -> (Guard, tokio::task::JoinHandle<Guard>) {
    let prefix = unique_prefix();
    let mutex = locks(&redis.url(), &prefix).await.mutex("a");
    let held = mutex.lock().await.unwrap();
    let mutex = locks(&redis.url(), &prefix).await.mutex("a");
    let waiting = tokio::spawn(async move { mutex.lock().await.unwrap() });
    let queue = format!("{}:queue", key(&prefix, "a"));
    wait_until("a waiter", TEST_TIMEOUT, async || {
        ask::<i64>(redis, &["ZCARD", &queue]).await == 1
    })
    .await;
    (held, waiting)
}

#[tokio::test]
async fn a_waiter_whose_wake_up_is_lost_polls_in_time() {
    let redis = Redis::start().await;
    let (held, waiting) = contended(&redis).await;
    let _: () = ask(&redis, &["ACL", "SETUSER", "default", "-publish"]).await;
    let since = Instant::now();
    held.release().await.unwrap();
    let guard = waiting.await.unwrap();
    assert!(since.elapsed() < Duration::from_secs(2));
    guard.release().await.unwrap();
}

#[tokio::test]
async fn a_waiter_whose_subscription_is_lost_is_still_woken() {
    let redis = Redis::start().await;
    let (held, waiting) = contended(&redis).await;
    let _: () = ask(&redis, &["CLIENT", "KILL", "TYPE", "pubsub"]).await;
    held.release().await.unwrap();
    waiting.await.unwrap().release().await.unwrap();
}

#[tokio::test]
async fn a_waiter_is_granted_the_lock_of_a_dead_holder_when_its_lease_ends() {
    let redis = Redis::start().await;
    let (held, waiting) = contended(&redis).await;
    // A holder that dies is one whose lease is not renewed.
    let first = held.fence();
    std::mem::forget(held);
    let lock: Vec<String> = ask(&redis, &["KEYS", "*mutex:a}"]).await;
    let _: i64 = ask(&redis, &["PEXPIRE", &lock[0], "300"]).await;
    let guard = tokio::time::timeout(TEST_TIMEOUT, waiting).await.unwrap();
    assert!(guard.unwrap().fence() > first);
}

/// Pairs of processes that start and compete at once: enough of them that a race shows which makes one in three miss its
/// wake-ups.
const COLD_STARTS: usize = 30;
/// Grants of each process of a pair.
const GRANTS: usize = 10;

#[test]
fn in_a_cluster_hand_overs_come_by_message_from_the_first_contention_on() {
    // Several threads, because the steps of a cold start must be able to overtake each other.
    let recorder: &'static PrometheusRecorder =
        Box::leak(Box::new(PrometheusBuilder::new().build_recorder()));
    let runtime = runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .on_thread_start(move || std::mem::forget(metrics::set_default_local_recorder(recorder)))
        .build()
        .unwrap();
    runtime.block_on(start_cold_and_compete());
    let [woken_up, timed_out] = ["woken_up", "timed_out"].map(|end| waits(recorder, end));
    assert!(woken_up > COLD_STARTS * GRANTS, "{woken_up} waits");
    // A process that misses its wake-ups polls for each of its grants; a busy machine may delay a few.
    assert!(timed_out < GRANTS, "{timed_out} polls, {woken_up} messages");
}

async fn start_cold_and_compete() {
    let url = RedisCluster::shared().await.url();
    for _ in 0..COLD_STARTS {
        let prefix = unique_prefix();
        let pair = [locks(&url, &prefix).await, locks(&url, &prefix).await];
        let mut tasks = JoinSet::new();
        for locks in pair {
            tasks.spawn(async move {
                for _ in 0..GRANTS {
                    let guard = locks.mutex("a").lock().await.unwrap();
                    guard.release().await.unwrap();
                }
            });
        }
        tasks.join_all().await;
    }
}

/// How many waits for a wake-up ended like this.
fn waits(recorder: &PrometheusRecorder, end: &str) -> usize {
    let metrics = recorder.handle().render();
    let mut lines = metrics.lines().filter(|line| {
        line.starts_with("redis_locks_waits_total{") && line.contains(&format!("end=\"{end}\""))
    });
    let count = lines.next().and_then(|line| line.rsplit(' ').next());
    count.map_or(0, |count| count.parse().unwrap())
}
