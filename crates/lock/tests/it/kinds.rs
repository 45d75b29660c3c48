//! Fair mutexes, read-write locks and semaphores.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use redis_locks::{Error, Guard, Locks, Term};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::task::{JoinHandle, JoinSet};

use crate::{TEST_TIMEOUT, ask, locks, shared_locks, wait_until_free};

/// Two processes under one prefix.
async fn two(prefix: &str) -> [Locks; 2] {
    let url = Redis::shared().await.url();
    [locks(&url, prefix).await, locks(&url, prefix).await]
}

/// Waits until so many callers queue for a lock of this kind with the name `a`.
async fn wait_for_queue(prefix: &str, kind: &str, length: i64) {
    let queue = format!("{prefix}{{{kind}:a}}:queue");
    wait_until("an entry in the queue", TEST_TIMEOUT, async || {
        ask::<i64>(Redis::shared().await, &["ZCARD", &queue]).await == length
    })
    .await;
}

#[tokio::test]
async fn a_fair_mutex_is_granted_in_order_of_arrival_over_processes() {
    let prefix = unique_prefix();
    let both = two(&prefix).await;
    let first = both[0].fair_mutex("a").lock().await.unwrap();
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut tasks = JoinSet::new();
    for number in 0..30 {
        let (mutex, order) = (both[number % 2].fair_mutex("a"), order.clone());
        tasks.spawn(async move {
            let guard = mutex.lock().await.unwrap();
            order.lock().unwrap().push((number, guard.fence()));
            guard.release().await.unwrap();
        });
        wait_for_queue(&prefix, "fair", number as i64 + 1).await;
    }
    assert!(both[1].fair_mutex("a").try_lock().await.unwrap().is_none());
    first.release().await.unwrap();
    while tasks.join_next().await.transpose().unwrap().is_some() {}
    let order = order.lock().unwrap();
    assert!(order.iter().map(|(number, _)| *number).eq(0..30));
    assert!(order.is_sorted_by(|a, b| a.1 < b.1));
}

#[tokio::test]
async fn a_new_caller_does_not_overtake_a_fair_waiter_although_the_lock_is_free() {
    let prefix = unique_prefix();
    let both = two(&prefix).await;
    let term = Term::Fixed(Duration::from_millis(300));
    let holder = both[0].fair_mutex("a").term(term).lock().await.unwrap();
    let waiting = spawn(both[0].fair_mutex("a"));
    wait_for_queue(&prefix, "fair", 1).await;
    std::mem::forget(holder);
    // Whoever first finds the lease over, the waiter is served before this try.
    let mutex = both[1].fair_mutex("a");
    while !waiting.is_finished() {
        assert!(mutex.try_lock().await.unwrap().is_none());
    }
}

fn spawn(mutex: redis_locks::FairMutex) -> JoinHandle<Guard> {
    tokio::spawn(async move { mutex.lock().await.unwrap() })
}

/// Puts a waiter that sends no further request at the head of the queue, alive until this time in ms.
async fn put_in_front(prefix: &str, alive_until_ms: &str) {
    let redis = Redis::shared().await;
    let base = format!("{prefix}{{fair:a}}");
    let token = format!("{}x", "0".repeat(32));
    let _: i64 = ask(redis, &["ZADD", &format!("{base}:queue"), "1", &token]).await;
    let alive = format!("{base}:alive");
    let _: i64 = ask(redis, &["HSET", &alive, &token, alive_until_ms]).await;
}

#[tokio::test]
async fn a_dead_waiter_is_skipped_at_once() {
    let prefix = unique_prefix();
    let [locks, _] = two(&prefix).await;
    let held = locks.fair_mutex("a").lock().await.unwrap();
    let waiting = spawn(locks.fair_mutex("a"));
    wait_for_queue(&prefix, "fair", 1).await;
    put_in_front(&prefix, "1").await;
    held.release().await.unwrap();
    let granted = tokio::time::timeout(Duration::from_secs(2), waiting).await;
    let _guard = granted.unwrap().unwrap();
}

#[tokio::test]
async fn a_waiter_that_dies_after_its_grant_delays_the_others_by_the_grace_only() {
    let prefix = unique_prefix();
    let [locks, _] = two(&prefix).await;
    let held = locks.fair_mutex("a").lock().await.unwrap();
    let waiting = spawn(locks.fair_mutex("a"));
    wait_for_queue(&prefix, "fair", 1).await;
    put_in_front(&prefix, "9999999999999999").await;
    held.release().await.unwrap();
    let granted = tokio::time::timeout(TEST_TIMEOUT, waiting).await;
    let _guard = granted.unwrap().unwrap();
}

#[tokio::test]
async fn readers_share_and_writers_exclude() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let readers = [
        a.rw_lock("a").read().await.unwrap(),
        a.rw_lock("a").read().await.unwrap(),
        b.rw_lock("a").try_read().await.unwrap().unwrap(),
    ];
    assert!(b.rw_lock("a").try_write().await.unwrap().is_none());
    let newest = readers[2].fence();
    for reader in readers {
        reader.release().await.unwrap();
    }
    let writer = b.rw_lock("a").try_write().await.unwrap().unwrap();
    assert!(writer.fence() > newest);
    assert!(a.rw_lock("a").try_read().await.unwrap().is_none());
    assert!(a.rw_lock("a").try_write().await.unwrap().is_none());
    let waited = a.rw_lock("a");
    let waited = waited.read_within(Duration::from_millis(30)).await;
    assert!(matches!(waited, Err(Error::WaitLimit)));
    writer.release().await.unwrap();
    assert!(a.rw_lock("a").try_read().await.unwrap().is_some());
}

#[tokio::test]
async fn readers_that_keep_coming_do_not_starve_a_writer() {
    let prefix = unique_prefix();
    let both = two(&prefix).await;
    let mut readers = JoinSet::new();
    for number in 0..10 {
        let lock = both[number % 2].rw_lock("a");
        readers.spawn(async move {
            loop {
                let reader = lock.read().await.unwrap();
                tokio::time::sleep(Duration::from_millis(5)).await;
                reader.release().await.unwrap();
            }
        });
    }
    for _ in 0..10 {
        let lock = both[0].rw_lock("a");
        let writer = lock.write_within(TEST_TIMEOUT).await.unwrap();
        writer.release().await.unwrap();
    }
    readers.shutdown().await;
}

#[tokio::test]
async fn a_reader_that_arrives_after_a_waiting_writer_queues_behind_it() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let reader = a.rw_lock("a").read().await.unwrap();
    let lock = a.rw_lock("a");
    let writing = tokio::spawn(async move { lock.write().await.unwrap() });
    wait_for_queue(&prefix, "rw", 1).await;
    assert!(b.rw_lock("a").try_read().await.unwrap().is_none());
    let lock = b.rw_lock("a");
    let reading = tokio::spawn(async move { lock.read().await.unwrap() });
    wait_for_queue(&prefix, "rw", 2).await;
    reader.release().await.unwrap();
    let writer = writing.await.unwrap();
    let fence = writer.fence();
    assert!(!reading.is_finished());
    writer.release().await.unwrap();
    assert!(reading.await.unwrap().fence() > fence);
}

#[tokio::test]
async fn readers_behind_a_writer_are_granted_together() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let writer = a.rw_lock("a").write().await.unwrap();
    let mut readers = JoinSet::new();
    for _ in 0..5 {
        let lock = b.rw_lock("a");
        readers.spawn(async move { lock.read().await.unwrap() });
    }
    wait_for_queue(&prefix, "rw", 5).await;
    writer.release().await.unwrap();
    let inside = readers.join_all().await;
    assert_eq!(inside.len(), 5);
}

#[tokio::test]
async fn a_semaphore_never_has_more_holders_than_permits_and_uses_all_of_them() {
    let prefix = unique_prefix();
    let both = two(&prefix).await;
    let inside = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let mut tasks = JoinSet::new();
    for number in 0..40 {
        let semaphore = both[number % 2].semaphore("a", 3);
        let (inside, most) = (inside.clone(), most.clone());
        tasks.spawn(async move {
            let permit = semaphore.acquire().await.unwrap();
            most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(10)).await;
            inside.fetch_sub(1, Ordering::SeqCst);
            permit.release().await.unwrap();
        });
    }
    while tasks.join_next().await.transpose().unwrap().is_some() {}
    assert_eq!(most.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_semaphore_in_use_keeps_its_number_of_permits() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let mut permits = Vec::new();
    for _ in 0..3 {
        permits.push(a.semaphore("a", 3).acquire().await.unwrap());
    }
    for other in [2, 10] {
        let semaphore = b.semaphore("a", other);
        let tried = semaphore.try_acquire().await.map(drop);
        let waited = semaphore.acquire_within(TEST_TIMEOUT).await.map(drop);
        for refused in [tried, waited] {
            assert!(
                matches!(refused, Err(Error::OtherPermits { kept: 3, requested }) if requested == other),
                "{refused:?}"
            );
        }
    }
    assert!(b.semaphore("a", 3).try_acquire().await.unwrap().is_none());
    while let Some(permit) = permits.pop() {
        permit.release().await.unwrap();
    }
    let first = b.semaphore("a", 1).acquire().await.unwrap();
    let refused = a.semaphore("a", 3).try_acquire().await;
    assert!(matches!(refused, Err(Error::OtherPermits { kept: 1, .. })));
    assert!(a.semaphore("a", 1).try_acquire().await.unwrap().is_none());
    first.release().await.unwrap();
}

#[tokio::test]
async fn a_caller_with_another_number_of_permits_admits_no_waiter_by_it() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let held = a.semaphore("a", 1).acquire().await.unwrap();
    let semaphore = a.semaphore("a", 1);
    let waiting = tokio::spawn(async move { semaphore.acquire().await.unwrap() });
    wait_for_queue(&prefix, "semaphore", 1).await;
    assert!(b.semaphore("a", 10).try_acquire().await.is_err());
    // What it left behind is withdrawn in the background.
    assert!(b.shutdown(TEST_TIMEOUT).await);
    let holders = format!("{prefix}{{semaphore:a}}");
    assert_eq!(
        ask::<i64>(Redis::shared().await, &["ZCARD", &holders]).await,
        1
    );
    let first = held.fence();
    held.release().await.unwrap();
    assert!(waiting.await.unwrap().fence() > first);
}

#[tokio::test]
async fn a_permit_that_is_not_renewed_is_granted_to_another() {
    let (locks, _) = shared_locks().await;
    let term = Term::Fixed(Duration::from_millis(300));
    let semaphore = locks.semaphore("a", 1);
    let permit = semaphore.clone().term(term).acquire().await.unwrap();
    let first = permit.fence();
    std::mem::forget(permit);
    assert!(semaphore.try_acquire().await.unwrap().is_none());
    let second = semaphore.acquire_within(TEST_TIMEOUT).await.unwrap();
    assert!(second.fence() > first);
}

#[tokio::test]
async fn dropped_guards_and_cancelled_waits_leave_no_key() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    let base = format!("{prefix}{{rw:a}}");
    let writer = locks.rw_lock("a").write().await.unwrap();
    let lock = locks.rw_lock("a");
    let waited = lock.read_within(Duration::from_millis(30)).await;
    assert!(matches!(waited, Err(Error::WaitLimit)));
    wait_until_free(redis, &format!("{base}:queue")).await;
    drop(writer);
    for part in ["", ":grants", ":alive"] {
        wait_until_free(redis, &format!("{base}{part}")).await;
    }
}

#[tokio::test]
async fn a_permit_is_renewed_while_it_is_held_and_its_holder_is_notified_of_the_loss() {
    let (locks, prefix) = shared_locks().await;
    let redis = Redis::shared().await;
    // A busy machine may keep a renewal waiting for a second.
    let lease = Duration::from_secs(4);
    let permit = locks.semaphore("a", 2).term(Term::Renewed(lease));
    let permit = permit.acquire().await.unwrap();
    let first = permit.deadline();
    wait_until("some renewals", TEST_TIMEOUT, async || {
        assert_eq!(permit.lost_reason(), None);
        permit.deadline() > first + lease / 2
    })
    .await;
    let _: i64 = ask(redis, &["DEL", &format!("{prefix}{{semaphore:a}}")]).await;
    tokio::time::timeout(TEST_TIMEOUT, permit.lost().cancelled())
        .await
        .unwrap();
    let released = permit.release().await;
    assert!(matches!(released, Err(Error::Lost(_))), "{released:?}");
}

#[tokio::test]
async fn a_writer_becomes_a_reader_and_no_writer_gets_in_between() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let writer = a.rw_lock("a").write().await.unwrap();
    let fence = writer.fence();
    let waiting_writer = tokio::spawn({
        let rw = b.rw_lock("a");
        async move { rw.write().await.unwrap() }
    });
    wait_for_queue(&prefix, "rw", 1).await;
    let reader = a.rw_lock("a").downgrade(writer).await.unwrap();
    assert_eq!(reader.fence(), fence);
    assert!(!waiting_writer.is_finished());
    let holders = b.rw_lock("a").holders().await.unwrap();
    assert_eq!(holders.len(), 1, "the reader holds it, and no writer");
    reader.release().await.unwrap();
    let writer = tokio::time::timeout(TEST_TIMEOUT, waiting_writer).await;
    assert!(writer.unwrap().unwrap().fence() > fence);
}

#[tokio::test]
async fn a_downgrade_admits_the_readers_that_wait_and_the_reader_is_renewed() {
    let prefix = unique_prefix();
    let [a, b] = two(&prefix).await;
    let rw = a
        .rw_lock("a")
        .term(Term::Renewed(Duration::from_millis(600)));
    let writer = rw.write().await.unwrap();
    let waiting_reader = tokio::spawn({
        let rw = b.rw_lock("a");
        async move { rw.read().await.unwrap() }
    });
    wait_for_queue(&prefix, "rw", 1).await;
    let reader = rw.downgrade(writer).await.unwrap();
    let second = tokio::time::timeout(TEST_TIMEOUT, waiting_reader).await;
    let second = second.unwrap().unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(reader.lost_reason(), None);
    assert_eq!(rw.holders().await.unwrap().len(), 2);
    assert!(b.rw_lock("a").try_write().await.unwrap().is_none());
    reader.release().await.unwrap();
    second.release().await.unwrap();
}

#[tokio::test]
async fn only_the_last_clone_of_a_write_guard_of_the_lock_is_downgraded() {
    let [a, _] = two(&unique_prefix()).await;
    let rw = a.rw_lock("a");
    let reader = rw.read().await.unwrap();
    assert!(matches!(
        rw.downgrade(reader).await,
        Err(Error::NotDowngradable)
    ));
    let writer = rw.write().await.unwrap();
    let refused = rw.downgrade(writer.clone()).await;
    assert!(
        matches!(refused, Err(Error::NotDowngradable)),
        "{refused:?}"
    );
    assert!(rw.try_read().await.unwrap().is_none(), "it is still held");
    let other = a.rw_lock("b").downgrade(writer).await;
    assert!(matches!(other, Err(Error::NotDowngradable)), "{other:?}");
    assert!(rw.read_within(TEST_TIMEOUT).await.is_ok());
}

#[tokio::test]
async fn a_write_guard_of_another_server_is_not_downgraded() {
    let (prefix, elsewhere) = (unique_prefix(), Redis::start().await);
    let [a, _] = two(&prefix).await;
    let b = locks(&elsewhere.url(), &prefix).await;
    let writer = b.rw_lock("a").write().await.unwrap();
    let refused = a.rw_lock("a").downgrade(writer).await;
    assert!(
        matches!(refused, Err(Error::NotDowngradable)),
        "{refused:?}"
    );
}
