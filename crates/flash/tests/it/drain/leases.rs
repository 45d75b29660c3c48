//! One drain worker per partition: those who were replaced record nothing, and what they had goes to the next.

use flash::{DrainLease, Ledger as _, Partition};

use super::*;
use crate::site::Site;

const PARTITION: Partition = Partition(0);

#[tokio::test]
async fn a_fenced_drain_worker_records_and_acknowledges_nothing() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    let highest = DrainLease {
        partition: PARTITION,
        fence: i64::MAX,
    };
    yard.book.take_drain_lease(highest).await.unwrap();
    let writes = yard.book.write_count();
    yard.book.switch().go_on();
    let lease = format!("{}lock:{{mutex:drain:0}}:fence", yard.prefix);
    let fence = async || yard.ask::<Option<String>>(&["GET", &lease]).await;
    let first = fence().await;
    wait_until("another attempt to sit down", PATIENCE, async || {
        fence().await != first
    })
    .await;
    drain_worker.finish().await;
    assert_eq!(yard.book.order_count(), 0);
    assert_eq!(
        yard.book.write_count(),
        writes,
        "it does not even try again"
    );
    assert_eq!((yard.entries_left().await, yard.backlog().await), (1, 3));
}

#[tokio::test]
async fn a_drain_worker_that_lost_its_lease_inside_a_transaction_leaves_it_to_its_successor() {
    for place in [Stop::BeforeCommit, Stop::AfterCommit] {
        let yard = Yard::new().await;
        yard.grant(&orders(1..4)).await;
        yard.book.switch().stop_at(place);
        let paused = yard.drain().await;
        yard.stands_still(1).await;
        let fence = yard.book.fence(PARTITION);
        let successor = yard.drain().await;
        let lease = format!("{}lock:{{mutex:drain:0}}", yard.prefix);
        let _: i64 = yard.ask(&["DEL", &lease]).await;
        wait_until("the successor to sit down", PATIENCE, async || {
            yard.book.fence(PARTITION) > fence
        })
        .await;
        yard.stands_still(2).await;
        yard.book.switch().go_on();
        yard.grant(&orders(4..9)).await;
        yard.recorded(8).await;
        paused.finish().await;
        successor.finish().await;
        assert_eq!(yard.book.history(), orders(1..9));
        assert_eq!(yard.entries_left().await, 0);
        assert_eq!(yard.backlog().await, 0, "what two settle is counted once");
    }
}

#[tokio::test]
async fn a_lease_of_a_master_that_no_replica_follows_gives_no_drain_lease() {
    let yard = Yard::new().await;
    let site = Site {
        url: yard.url.clone(),
        prefix: yard.prefix.clone(),
        book: yard.book.clone(),
    };
    let mut engine = site.idle_engine(|options| options.replicas = 1).await;
    engine.drain();
    // The worker has its lease when it asks the replicas, and asks them before it sits down.
    let mark = yard.key(0, "mark");
    wait_until("the worker to ask for replicas", PATIENCE, async || {
        yard.ask::<i64>(&["EXISTS", &mark]).await == 1
    })
    .await;
    engine.rest().await;
    assert_eq!(yard.book.fence(PARTITION), None);
}

/// Takes what is new, as a drain worker that was replaced and does not know it yet.
async fn help_oneself(yard: &Yard) {
    let stream = yard.key(0, "orders");
    let taken: redis::Value = yard
        .ask(&[
            "XREADGROUP",
            "GROUP",
            "drain",
            "thief",
            "STREAMS",
            &stream,
            ">",
        ])
        .await;
    assert_ne!(taken, redis::Value::Nil);
}

#[tokio::test]
async fn entries_of_a_replaced_drain_worker_are_reclaimed() {
    let yard = Yard::new().await;
    yard.grant(&[order(1)]).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    yard.grant(&[order(2)]).await;
    help_oneself(&yard).await;
    yard.book.switch().go_on();
    yard.recorded(2).await;
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn a_barrier_waits_for_entries_of_a_replaced_drain_worker() {
    let yard = Yard::new().await;
    yard.grant(&[order(1)]).await;
    yard.book.switch().stop_at(Stop::BeforeCommit);
    let drain_worker = yard.drain().await;
    yard.stands_still(1).await;
    yard.grant(&[order(2)]).await;
    help_oneself(&yard).await;
    let flash = drain_worker.flash.clone();
    let barrier = tokio::spawn(async move { flash.wait_until_drained(PATIENCE).await });
    wait_until("the barrier to stand", PATIENCE, async || {
        yard.entries_left().await == 3
    })
    .await;
    yard.book.switch().go_on();
    barrier.await.unwrap().unwrap();
    assert_eq!(yard.book.history(), orders(1..3));
    drain_worker.finish().await;
}

#[tokio::test]
async fn a_handover_under_load_loses_and_duplicates_nothing() {
    let yard = Yard::new().await;
    let mut present = yard.drain().await;
    for (round, entries) in orders(1..601).chunks(100).enumerate() {
        for entry in entries.chunks(3) {
            yard.grant(entry).await;
        }
        let next = yard.drain().await;
        match round % 2 {
            0 => present.finish().await,
            _ => present.kill().await,
        }
        present = next;
    }
    yard.recorded(600).await;
    yard.settled().await;
    present.finish().await;
    assert_eq!(yard.book.history(), orders(1..601));
}

#[tokio::test]
async fn names_that_killed_drain_workers_left_are_removed_once_their_entries_are_taken_over() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..4)).await;
    let stream = yard.key(0, "orders");
    let () = yard.ask(&["XGROUP", "CREATE", &stream, "drain", "0"]).await;
    for name in ["first", "second"] {
        let create = ["XGROUP", "CREATECONSUMER", &stream, "drain", name];
        let _: i64 = yard.ask(&create).await;
    }
    let read = [
        "XREADGROUP",
        "GROUP",
        "drain",
        "third",
        "STREAMS",
        &stream,
        ">",
    ];
    let _: redis::Value = yard.ask(&read).await;
    let drain_worker = yard.drain().await;
    yard.recorded(3).await;
    yard.settled().await;
    wait_until("one name to be left", PATIENCE, async || {
        let names: Vec<redis::Value> = yard.ask(&["XINFO", "CONSUMERS", &stream, "drain"]).await;
        names.len() <= 1
    })
    .await;
    drain_worker.finish().await;
}
