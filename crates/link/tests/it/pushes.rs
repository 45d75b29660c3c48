//! Listening, and hearing of every gap.

use std::time::Duration;

use redis_link::{Event, Interest, Link, Options, Subscription};
use testkit::{FaultProxy, Redis, RedisCluster, unique_prefix};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, connect, connect_with, incr, options, set, wait_until_working};

pub(crate) async fn next(pushes: &mut Subscription) -> Event {
    let event = timeout(TEST_TIMEOUT, pushes.next()).await;
    event.expect("an event within the test's patience")
}

fn message(channel: &str, payload: &str) -> Event {
    Event::Message {
        channel: channel.to_owned(),
        payload: payload.into(),
    }
}

async fn publish(link: &Link, verb: &str, channel: &str, payload: &str) -> i64 {
    let mut publish = redis::cmd(verb);
    publish.arg(channel).arg(payload);
    link.run(&publish).await.unwrap()
}

#[tokio::test]
async fn messages_arrive_in_order_and_channels_change_at_run_time() {
    let link = connect(&Redis::shared().await.url()).await;
    let prefix = unique_prefix();
    let [a, b] = ["a", "b"].map(|name| format!("{prefix}{name}"));
    let mut pushes = link.subscribe(Interest::channels([&a]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    for n in 0..3 {
        publish(&link, "PUBLISH", &a, &n.to_string()).await;
    }
    for n in 0..3 {
        assert_eq!(next(&mut pushes).await, message(&a, &n.to_string()));
    }
    pushes.channels().add(&b).await.unwrap();
    pushes.channels().remove(&a).await.unwrap();
    assert_eq!(publish(&link, "PUBLISH", &a, "unheard").await, 0);
    assert_eq!(publish(&link, "PUBLISH", &b, "heard").await, 1);
    assert_eq!(next(&mut pushes).await, message(&b, "heard"));
}

#[tokio::test]
async fn in_a_cluster_each_channel_is_subscribed_at_the_master_of_its_slot() {
    let link = connect(&RedisCluster::shared().await.url()).await;
    let prefix = unique_prefix();
    let channels: Vec<String> = (0..12).map(|n| format!("{prefix}{n}")).collect();
    let mut pushes = link.subscribe(Interest::channels(&channels[..6]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    for channel in &channels[6..] {
        pushes.channels().add(channel).await.unwrap();
    }
    for channel in &channels {
        assert_eq!(publish(&link, "SPUBLISH", channel, "x").await, 1);
        assert_eq!(next(&mut pushes).await, message(channel, "x"));
    }
    pushes.channels().remove(&channels[0]).await.unwrap();
    assert_eq!(publish(&link, "SPUBLISH", &channels[0], "x").await, 0);
    publish(&link, "SPUBLISH", &channels[1], "y").await;
    assert_eq!(next(&mut pushes).await, message(&channels[1], "y"));
}

#[tokio::test]
async fn a_restart_is_a_gap_with_a_start_and_an_end() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    let mut pushes = link.subscribe(Interest::channels(["a"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    redis.stop_hard();
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
    let added = pushes.channels().add("late").await;
    assert!(added.is_err(), "nobody can confirm it");
    redis.start_again().await;
    assert_eq!(next(&mut pushes).await, Event::Connected);
    wait_until_working(&link, "n").await;
    for channel in ["a", "late"] {
        assert_eq!(publish(&link, "PUBLISH", channel, "x").await, 1);
        assert_eq!(next(&mut pushes).await, message(channel, "x"));
    }
}

#[tokio::test]
async fn a_silent_peer_is_a_gap_too() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = connect(&format!("redis://{}", proxy.addr())).await;
    let mut pushes = link.subscribe(Interest::channels(["a"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    proxy.black_hole().await;
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
    proxy.pass().await;
    assert_eq!(next(&mut pushes).await, Event::Connected);
}

/// An address that moved: commands reach the present server, while the former one still answers on its connections.
#[tokio::test]
async fn a_connection_that_stays_at_a_former_server_is_a_gap_too() {
    let (former, present) = (Redis::start().await, Redis::start().await);
    let proxy = FaultProxy::start(former.addr()).await;
    let link = connect(&format!("redis://{}", proxy.addr())).await;
    let mut pushes = link.subscribe(Interest::channels(["a"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    proxy.lead_to(present.addr());
    let mut kill = redis::cmd("CLIENT");
    kill.arg("KILL").arg("TYPE").arg("normal");
    let mut operator = former.connection().await;
    kill.exec_async(&mut operator).await.unwrap();
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
    assert_eq!(next(&mut pushes).await, Event::Connected);
    wait_until_working(&link, "n").await;
    assert_eq!(publish(&link, "PUBLISH", "a", "x").await, 1);
    assert_eq!(next(&mut pushes).await, message("a", "x"));
}

#[tokio::test]
async fn one_beat_per_heartbeat_serves_all_subscriptions() {
    const BEATS: u64 = 10;
    let redis = Redis::start().await;
    // A beat may be late by a tenth of it on a busy machine.
    let slow = Options {
        heartbeat: Duration::from_secs(1),
        ..options()
    };
    let link = connect_with(&redis.url(), slow).await;
    let subscribe = |n: u32| link.subscribe(Interest::channels([format!("c{n}")]));
    let mut subscriptions: Vec<_> = (0..6).map(subscribe).collect();
    for pushes in &mut subscriptions {
        assert_eq!(next(pushes).await, Event::Connected);
    }
    let before = redis.commands().await;
    wait_for_calls(&redis, &before, "publish", BEATS).await;
    let spent = redis.commands().await.since(&before);
    // Six per beat without beats; a busy machine may delay some, and is then asked.
    assert!(spent.of("ping") <= spent.of("publish"), "{spent:?}");
    publish(&link, "PUBLISH", "c3", "x").await;
    assert_eq!(
        next(&mut subscriptions[3]).await,
        message("c3", "x"),
        "no beat is delivered"
    );
}

#[tokio::test]
async fn without_permission_to_publish_every_connection_is_pinged() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    let mut pushes = link.subscribe(Interest::channels(["a"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    let mut operator = redis.connection().await;
    let mut forbid = redis::cmd("ACL");
    forbid.arg("SETUSER").arg("default").arg("-publish");
    forbid.exec_async(&mut operator).await.unwrap();
    wait_for_calls(&redis, &redis.commands().await, "ping", 10).await;
    let mut log = redis::cmd("ACL");
    let log = log.arg("LOG").query_async(&mut operator);
    let denied: Vec<redis::Value> = log.await.unwrap();
    assert_eq!(denied.len(), 1, "it is not tried again and again");
    redis.stop_hard();
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
}

async fn wait_for_calls(redis: &Redis, before: &testkit::CommandCounts, command: &str, calls: u64) {
    testkit::wait_until("calls", TEST_TIMEOUT, async || {
        redis.commands().await.since(before).of(command) >= calls
    })
    .await;
}

#[tokio::test]
async fn a_slow_subscriber_is_notified_of_the_gap_it_caused() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    let mut pushes = link.subscribe(Interest::channels(["a"]).capacity(4));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    for n in 0..20 {
        publish(&link, "PUBLISH", "a", &n.to_string()).await;
    }
    // The listener changes its channels before it listens: that must not wait for the full queue.
    let _ = timeout(TEST_TIMEOUT, pushes.channels().add("b"))
        .await
        .expect("no deadlock");
    let mut heard = 0;
    loop {
        match next(&mut pushes).await {
            Event::Disconnected => break,
            event => assert_eq!(event, message("a", &heard.to_string())),
        }
        heard += 1;
    }
    assert_eq!(heard, 4, "what fitted is heard, in order");
    assert_eq!(next(&mut pushes).await, Event::Connected);
    publish(&link, "PUBLISH", "a", "again").await;
    publish(&link, "PUBLISH", "b", "again").await;
    assert_eq!(next(&mut pushes).await, message("a", "again"));
    assert_eq!(next(&mut pushes).await, message("b", "again"));
}

#[tokio::test]
async fn a_channel_added_before_the_subscriber_takes_connected_is_subscribed_at_once() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    let mut pushes = link.subscribe(Interest::channels(["a"]).capacity(1));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    // The queue has room for one event: the loss fills it, so the connection that follows is up and cannot say so yet.
    kill_push_connections(&redis).await;
    testkit::wait_until("the next connection", TEST_TIMEOUT, async || {
        subscribers(&redis, "a").await == 1
    })
    .await;
    let added = timeout(TEST_TIMEOUT, pushes.channels().add("b")).await;
    added
        .expect("no deadlock")
        .expect("an open connection subscribes");
    assert_eq!(subscribers(&redis, "b").await, 1);
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
    assert_eq!(next(&mut pushes).await, Event::Connected);
    assert_eq!(publish(&link, "PUBLISH", "b", "x").await, 1);
    assert_eq!(next(&mut pushes).await, message("b", "x"));
}

/// Closes them and returns when the server has forgotten them.
async fn kill_push_connections(redis: &Redis) {
    let mut kill = redis::cmd("CLIENT");
    kill.arg("KILL").arg("TYPE").arg("pubsub");
    let mut operator = redis.connection().await;
    let killed: i64 = kill.query_async(&mut operator).await.unwrap();
    assert_eq!(killed, 1);
}

async fn subscribers(redis: &Redis, channel: &str) -> i64 {
    let mut count = redis::cmd("PUBSUB");
    count.arg("NUMSUB").arg(channel);
    let mut operator = redis.connection().await;
    let counted: (String, i64) = count.query_async(&mut operator).await.unwrap();
    counted.1
}

#[tokio::test]
async fn changes_of_tracked_keys_are_reported() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    let mut pushes = link.subscribe(Interest::keys(["cache:"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    incr(&link, "other:1").await.unwrap();
    set(&link, "cache:1", "x").await.unwrap();
    let changed = Event::Invalidated(vec![b"cache:1".to_vec()]);
    assert_eq!(next(&mut pushes).await, changed);
    link.each_master::<()>(&redis::cmd("FLUSHALL"))
        .await
        .unwrap();
    assert_eq!(next(&mut pushes).await, Event::AllInvalidated);
}

#[tokio::test]
async fn in_a_cluster_the_loss_of_one_master_is_a_gap_and_its_return_the_end() {
    let cluster = RedisCluster::start().await;
    let link = connect(&cluster.url()).await;
    let mut pushes = link.subscribe(Interest::keys(["cache:"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    cluster.stop_hard(1);
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
    cluster.start_again(1).await;
    cluster.wait_until_ok().await;
    assert_eq!(next(&mut pushes).await, Event::Connected);
    set(&link, "cache:1", "x").await.unwrap();
    let changed = Event::Invalidated(vec![b"cache:1".to_vec()]);
    assert_eq!(next(&mut pushes).await, changed);
}
