//! The ledger or Redis is away for a while: draining pauses and goes on, and nothing counts as failed.

use super::*;

#[tokio::test]
async fn draining_pauses_while_the_ledger_is_away() {
    let yard = Yard::new().await;
    let drain_worker = yard.drain().await;
    yard.grant(&[order(1)]).await;
    yard.recorded(1).await;
    yard.book.switch().go_away();
    yard.grant(&orders(2..50)).await;
    let before = yard.book.write_count();
    wait_until("several attempts", PATIENCE, async || {
        yard.book.write_count() > before + 5
    })
    .await;
    assert!(yard.entries_left().await > 0);
    yard.book.switch().come_back();
    yard.recorded(49).await;
    yard.settled().await;
    drain_worker.finish().await;
    assert_eq!(yard.book.history(), orders(1..50));
    assert!(yard.book.dead_letters().is_empty());
}

#[tokio::test]
async fn a_drain_worker_stops_although_the_ledger_is_unavailable() {
    let yard = Yard::new().await;
    yard.grant(&orders(1..5)).await;
    let drain_worker = yard.drain().await;
    yard.settled().await;
    yard.book.switch().go_away();
    yard.grant(&orders(5..9)).await;
    let before = yard.book.write_count();
    wait_until("an attempt", PATIENCE, async || {
        yard.book.write_count() > before
    })
    .await;
    drain_worker.finish().await;
    assert_eq!(yard.backlog().await, 4);
    yard.book.switch().come_back();
    let drain_worker = yard.drain().await;
    yard.recorded(8).await;
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn nothing_is_lost_when_redis_is_killed_in_the_middle() {
    let redis = Redis::start().await;
    let yard = Yard::at(&redis.url(), 1).await;
    for entry in orders(1..501).chunks(5) {
        yard.grant(entry).await;
    }
    yard.book.switch().be_slow(Duration::from_millis(20));
    let drain_worker = yard.drain().await;
    yard.recorded(1).await;
    redis.stop_hard();
    redis.start_again().await;
    yard.recorded(500).await;
    wait_until("the link to be back", PATIENCE, async || {
        yard.link.run::<()>(&redis::cmd("PING")).await.is_ok()
    })
    .await;
    yard.settled().await;
    drain_worker.finish().await;
    let mut recorded = yard.book.history();
    recorded.sort_by_key(|order| order.id);
    assert_eq!(recorded, orders(1..501));
}

#[tokio::test]
async fn a_reading_whose_answer_was_lost_is_repeated() {
    let redis = Redis::start().await;
    let proxy = testkit::FaultProxy::start(redis.addr()).await;
    let mut yard = Yard::at(&redis.url(), 1).await;
    yard.url = format!("redis://{}", proxy.addr());
    let drain_worker = yard.drain().await;
    yard.grant(&[order(1)]).await;
    yard.settled().await;
    // The drain worker waits for the next entry; the server hands it out, and the answer does not arrive.
    proxy.drop_replies().await;
    yard.grant(&[order(2)]).await;
    wait_until("the entry to be handed out", PATIENCE, async || {
        let pending: (u64, redis::Value, redis::Value, redis::Value) = yard
            .ask(&["XPENDING", &yard.key(0, "orders"), "drain"])
            .await;
        pending.0 == 1
    })
    .await;
    proxy.pass().await;
    yard.recorded(2).await;
    yard.settled().await;
    drain_worker.finish().await;
}

#[tokio::test]
async fn what_waits_is_drained_although_redis_is_out_of_memory() {
    let (master, replica) = (Redis::start().await, Redis::start().await);
    let link = connect(&replica.url()).await;
    let mut follow = redis::cmd("REPLICAOF");
    follow.arg("127.0.0.1").arg(master.port());
    let () = link.run(&follow).await.unwrap();
    for replicas in [0, 1] {
        let mut yard = Yard::at(&master.url(), 1).await;
        yard.replicas = replicas;
        yard.grant(&orders(1..50)).await;
        let _: String = yard.ask(&["CONFIG", "SET", "maxmemory", "1"]).await;
        // Lease, group, replicas: draining begins from nothing where there is no memory.
        let drain_worker = yard.drain().await;
        yard.recorded(49).await;
        yard.settled().await;
        drain_worker.finish().await;
        let _: String = yard.ask(&["CONFIG", "SET", "maxmemory", "0"]).await;
    }
}

#[tokio::test]
async fn nothing_is_recorded_that_a_failover_could_make_the_gate_forget() {
    let (master, replica) = (Redis::start().await, Redis::start().await);
    let mut yard = Yard::at(&master.url(), 1).await;
    yard.replicas = 1;
    yard.grant(&orders(1..4)).await;
    let drain_worker = yard.drain().await;
    wait_until("replicas are waited for", PATIENCE, async || {
        master.command_count("wait").await > 1
    })
    .await;
    assert_eq!(yard.book.write_count(), 0);
    let link = connect(&replica.url()).await;
    let mut follow = redis::cmd("REPLICAOF");
    follow.arg("127.0.0.1").arg(master.port());
    let () = link.run(&follow).await.unwrap();
    yard.recorded(3).await;
    yard.settled().await;
    drain_worker.finish().await;
}
