//! Nothing is left behind: futures cancelled at every await, guards dropped in every place.

use std::{future::poll_fn, task::Poll, time::Duration};

use rand::RngExt;
use redis_locks::{Error, Guard, Locks, Mutex, Term};
use testkit::{FaultProxy, Redis, unique_prefix};
use tokio::task::JoinSet;

use crate::{TEST_TIMEOUT, ask, key, locks, pttl, shared_locks, wait_until_free};

/// Polls a future this often and then drops it; returns its output if it was ready before.
async fn cancel_after<T>(polls: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = Box::pin(future);
    let mut left = polls;
    poll_fn(|context| {
        left -= 1;
        match future.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if left == 0 => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[tokio::test]
async fn an_acquisition_cancelled_at_any_await_leaves_no_key() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let mutex = locks.mutex("a");
    for polls in 1..6 {
        // A guard that was granted is dropped at once.
        let _ = cancel_after(polls, mutex.lock()).await;
        wait_until_free(redis, &key(&prefix, "a")).await;
    }
}

#[tokio::test]
async fn a_wait_cancelled_at_any_await_leaves_no_queue_entry() {
    let (locks_a, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let locks_b = locks(&redis.url(), &prefix).await;
    let held = locks_a.mutex("a").lock().await.unwrap();
    let mutex = locks_b.mutex("a");
    for polls in 1..8 {
        let waited = tokio::time::timeout(
            Duration::from_millis(100),
            cancel_after(polls, mutex.lock()),
        );
        assert!(!matches!(waited.await, Ok(Some(_))));
        wait_until_free(redis, &format!("{}:queue", key(&prefix, "a"))).await;
    }
    held.release().await.unwrap();
    assert_eq!(pttl(redis, &key(&prefix, "a")).await, -2);
}

#[tokio::test]
async fn a_release_cancelled_at_any_await_still_releases() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    for polls in 1..4 {
        let guard = locks.mutex("a").lock().await.unwrap();
        let released = cancel_after(polls, guard.release()).await;
        assert!(matches!(released, None | Some(Ok(()))));
        wait_until_free(redis, &key(&prefix, "a")).await;
    }
}

/// Locks and releases until it is aborted.
async fn churn(mutex: Mutex) {
    loop {
        match mutex.lock_within(Duration::from_millis(20)).await {
            Ok(guard) => guard.release().await.unwrap(),
            Err(Error::WaitLimit) => {}
            Err(error) => panic!("{error}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tasks_aborted_at_random_leave_no_key_and_no_queue_entry() {
    let (_, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let term = Term::Renewed(Duration::from_secs(60));
    let mut all = Vec::new();
    for _ in 0..2 {
        all.push(locks(&redis.url(), &prefix).await);
    }
    for _ in 0..40 {
        let mut tasks = JoinSet::new();
        for locks in &all {
            for _ in 0..5 {
                tasks.spawn(churn(locks.mutex("a").term(term)));
            }
        }
        let pause = rand::rng().random_range(0..8_000);
        let after = tokio::time::sleep(Duration::from_micros(pause));
        tokio::select! {
            () = after => {}
            ended = tasks.join_next() => panic!("{ended:?}"),
        }
        tasks.shutdown().await;
    }
    wait_until_free(redis, &key(&prefix, "a")).await;
    wait_until_free(redis, &format!("{}:queue", key(&prefix, "a"))).await;
    let guard = all[0].mutex("a").try_lock().await.unwrap();
    assert!(guard.is_some());
}

#[tokio::test]
async fn an_acquisition_cancelled_while_its_reply_is_in_flight_leaves_no_key() {
    let redis = Redis::shared().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let prefix = unique_prefix();
    let locks = locks(&format!("redis://{}", proxy.addr()), &prefix).await;
    proxy.delay(Duration::from_millis(200)).await;
    let mutex = locks.mutex("a");
    let waiting = tokio::spawn(async move { mutex.lock().await });
    testkit::wait_until("the server to grant", TEST_TIMEOUT, async || {
        pttl(redis, &key(&prefix, "a")).await > 0
    })
    .await;
    waiting.abort();
    assert!(waiting.await.unwrap_err().is_cancelled());
    wait_until_free(redis, &key(&prefix, "a")).await;
}

/// A lock held by a runtime of its own.
fn lock_on_own_runtime(url: String, prefix: &str) -> (tokio::runtime::Runtime, Guard) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let guard = runtime.block_on(async {
        let locks: Locks = locks(&url, prefix).await;
        locks.mutex("a").lock().await.unwrap()
    });
    (runtime, guard)
}

#[tokio::test]
async fn a_guard_dropped_outside_a_runtime_releases() {
    let redis = Redis::shared().await;
    let (url, prefix) = (redis.url(), unique_prefix());
    let taken = {
        let prefix = prefix.clone();
        std::thread::spawn(move || lock_on_own_runtime(url, &prefix))
    };
    let (runtime, guard) = taken.join().unwrap();
    assert!(pttl(redis, &key(&prefix, "a")).await > 0);
    std::thread::spawn(move || drop(guard)).join().unwrap();
    wait_until_free(redis, &key(&prefix, "a")).await;
    runtime.shutdown_background();
}

#[tokio::test]
async fn a_guard_that_outlives_its_runtime_drops_cleanly_and_its_lease_expires() {
    let redis = Redis::shared().await;
    let (url, prefix) = (redis.url(), unique_prefix());
    let ended = {
        let prefix = prefix.clone();
        std::thread::spawn(move || {
            let (runtime, guard) = lock_on_own_runtime(url, &prefix);
            runtime.shutdown_timeout(TEST_TIMEOUT);
            drop(guard);
        })
    };
    ended.join().unwrap();
    let rest = pttl(redis, &key(&prefix, "a")).await;
    assert!((1..=30_000).contains(&rest), "{rest}");
    let gone: i64 = ask(redis, &["DEL", &key(&prefix, "a")]).await;
    assert_eq!(gone, 1);
}

#[tokio::test]
async fn a_guard_dropped_by_a_panic_releases() {
    let (locks, prefix) = shared_locks().await;
    let task = tokio::spawn(async move {
        let _guard = locks.mutex("a").lock().await.unwrap();
        panic!("a task fails while it holds a lock");
    });
    assert!(task.await.unwrap_err().is_panic());
    wait_until_free(Redis::shared().await, &key(&prefix, "a")).await;
}
