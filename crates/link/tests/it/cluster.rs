//! A Cluster that loses masters and moves slots.

use std::time::Duration;

use redis_link::{Execution, LinkError};
use testkit::{RedisCluster, wait_until};

use crate::{TEST_TIMEOUT, connect, get, incr, set, wait_until_working};

/// A key of node 0, 1 or 2, each of which has a third of the slots.
fn key_of(node: usize) -> &'static str {
    ["bar", "c", "foo"][node]
}

#[tokio::test]
async fn a_lost_master_affects_its_own_keys_only() {
    let cluster = RedisCluster::start().await;
    for node in cluster.nodes() {
        let mut connection = node.connection().await;
        let mut tolerant = redis::cmd("CONFIG");
        tolerant
            .arg("SET")
            .arg("cluster-require-full-coverage")
            .arg("no");
        tolerant.exec_async(&mut connection).await.unwrap();
    }
    let link = connect(&cluster.url()).await;
    for node in 0..3 {
        incr(&link, key_of(node)).await.unwrap();
    }
    cluster.stop_hard(2);
    wait_until("its keys to be refused", TEST_TIMEOUT, async || {
        matches!(incr(&link, key_of(2)).await, Err(LinkError::Unreachable(_)))
    })
    .await;
    for node in 0..2 {
        incr(&link, key_of(node)).await.unwrap();
    }
    let mut both = redis::pipe();
    both.incr(key_of(0), 1).incr(key_of(2), 1);
    let error = link.pipe::<Vec<i64>>(&both).await.unwrap_err();
    assert_eq!(
        error.execution(),
        Execution::Unknown,
        "the other half may have run"
    );

    cluster.start_again(2).await;
    cluster.wait_until_ok().await;
    let elapsed = wait_until_working(&link, key_of(2)).await;
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
}

#[tokio::test]
async fn a_replica_that_takes_over_is_found() {
    let cluster = RedisCluster::with_replicas().await;
    let link = connect(&cluster.url()).await;
    set(&link, key_of(1), "1").await.unwrap();
    cluster.stop_hard(1);
    wait_until_working(&link, key_of(1)).await;
}

#[tokio::test]
async fn keys_are_followed_while_their_slot_moves_and_after() {
    let cluster = RedisCluster::start().await;
    let link = connect(&cluster.url()).await;
    let (from, to) = (&cluster.nodes()[2], &cluster.nodes()[0]);
    set(&link, "{foo}stays", "1").await.unwrap();

    begin_move(12_182, from, to).await;
    // The slot still belongs to the old master, which sends askers of absent keys on to the new one.
    set(&link, "{foo}new", "2").await.unwrap();
    assert_eq!(
        get(&link, "{foo}stays").await.unwrap().as_deref(),
        Some("1")
    );
    assert_eq!(get(&link, "{foo}new").await.unwrap().as_deref(), Some("2"));
    let mut both = redis::pipe();
    both.get("{foo}new").get("{foo}stays");
    let read = link.pipe::<Vec<String>>(&both).await.unwrap();
    assert_eq!(read, ["2", "1"]);

    end_move(12_182, "{foo}stays", from, to).await;
    assert_eq!(
        get(&link, "{foo}stays").await.unwrap().as_deref(),
        Some("1")
    );
    assert_eq!(link.pipe::<Vec<String>>(&both).await.unwrap(), ["2", "1"]);
    wait_until("the new map to be known", TEST_TIMEOUT, async || {
        let before = link.round_trips();
        get(&link, "{foo}stays").await.unwrap();
        link.round_trips() - before == 1
    })
    .await;
}

async fn ask<T: redis::FromRedisValue>(node: &testkit::Redis, words: &[&str]) -> T {
    let mut connection = node.connection().await;
    let mut cmd = redis::Cmd::new();
    for word in words {
        cmd.arg(word);
    }
    cmd.query_async(&mut connection).await.unwrap()
}

async fn begin_move(slot: u16, from: &testkit::Redis, to: &testkit::Redis) {
    let slot = slot.to_string();
    let from_id: String = ask(from, &["CLUSTER", "MYID"]).await;
    let to_id: String = ask(to, &["CLUSTER", "MYID"]).await;
    ask::<()>(to, &["CLUSTER", "SETSLOT", &slot, "IMPORTING", &from_id]).await;
    ask::<()>(from, &["CLUSTER", "SETSLOT", &slot, "MIGRATING", &to_id]).await;
}

async fn end_move(slot: u16, key: &str, from: &testkit::Redis, to: &testkit::Redis) {
    let (slot, port) = (slot.to_string(), to.port().to_string());
    ask::<()>(from, &["MIGRATE", "127.0.0.1", &port, key, "0", "5000"]).await;
    let to_id: String = ask(to, &["CLUSTER", "MYID"]).await;
    for node in [to, from] {
        ask::<()>(node, &["CLUSTER", "SETSLOT", &slot, "NODE", &to_id]).await;
    }
}

#[tokio::test]
async fn keys_of_several_slots_in_one_command_are_refused_by_the_server() {
    let link = connect(&RedisCluster::shared().await.url()).await;
    let error = link
        .run::<()>(redis::cmd("MGET").arg("foo").arg("bar"))
        .await;
    assert_eq!(error.unwrap_err().code(), Some("CROSSSLOT"));
}

#[tokio::test]
async fn a_command_without_a_key_runs_on_the_master_of_a_given_key() {
    let cluster = RedisCluster::shared().await;
    let link = connect(&cluster.url()).await;
    for node in 0..3 {
        let mut who = redis::cmd("CLUSTER");
        who.arg("MYID");
        let asked: String = link.run_on_master_of(key_of(node), &who).await.unwrap();
        let owner: String = ask(&cluster.nodes()[node], &["CLUSTER", "MYID"]).await;
        assert_eq!(asked, owner);
    }
}
