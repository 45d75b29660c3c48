//! Following the master that sentinels elect.

use std::time::Duration;

use redis_link::{Event, Interest};
use testkit::RedisSentinel;

use crate::{TEST_TIMEOUT, connect, get, incr, pushes::next, set, wait_until_working};

#[tokio::test]
async fn a_failover_is_followed_by_commands_and_by_pushes() {
    let sentinel = RedisSentinel::start().await;
    let link = connect(&sentinel.url()).await;
    let mut pushes = link.subscribe(Interest::channels(["news"]));
    assert_eq!(next(&mut pushes).await, Event::Connected);
    set(&link, "kept", "yes").await.unwrap();
    link.run::<i64>(redis::cmd("WAIT").arg(1).arg(400))
        .await
        .unwrap();

    let old = sentinel.kill_master().await;
    assert_eq!(next(&mut pushes).await, Event::Disconnected);
    let new = sentinel.await_failover().await;
    assert_ne!(old, new);
    let elapsed = wait_until_working(&link, "n").await;
    assert!(elapsed < Duration::from_secs(3), "{elapsed:?}");
    assert_eq!(get(&link, "kept").await.unwrap().as_deref(), Some("yes"));
    let masters = link.each_master::<()>(&redis::cmd("PING")).await.unwrap();
    assert_eq!(masters[0].0, format!("127.0.0.1:{new}"));

    assert_eq!(next(&mut pushes).await, Event::Connected);
    link.run::<i64>(redis::cmd("PUBLISH").arg("news").arg("hello"))
        .await
        .unwrap();
    assert!(matches!(next(&mut pushes).await, Event::Message { .. }));
}

#[tokio::test]
async fn a_requested_failover_is_followed_while_commands_run() {
    let sentinel = RedisSentinel::start().await;
    let link = connect(&sentinel.url()).await;
    let old = sentinel.master().await.unwrap();
    request_failover(&sentinel.url()).await;
    let mut ticks = tokio::time::interval(Duration::from_millis(2));
    testkit::wait_until("the new master", TEST_TIMEOUT, async || {
        ticks.tick().await;
        let _ = incr(&link, "n").await;
        let masters = link.each_master::<()>(&redis::cmd("PING")).await;
        masters.is_ok_and(|masters| masters[0].0 != old.addr())
    })
    .await;
    for _ in 0..50 {
        incr(&link, "n").await.unwrap();
    }
}

async fn request_failover(url: &str) {
    let hosts = url.trim_start_matches("redis-sentinel://");
    let first = hosts.split([',', '/']).next().unwrap();
    let client = redis::Client::open(format!("redis://{first}")).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let mut order = redis::cmd("SENTINEL");
    order.arg("FAILOVER").arg("mymaster");
    order.exec_async(&mut connection).await.unwrap();
}

#[tokio::test]
async fn a_demoted_master_is_left_although_it_still_replies() {
    let sentinel = RedisSentinel::start().await;
    let link = connect(&sentinel.url()).await;
    incr(&link, "n").await.unwrap();
    let master = sentinel.master().await.unwrap();
    // Frozen, it does not hear that another was elected, and awakes as a master.
    master.freeze().await;
    testkit::wait_until("another master", TEST_TIMEOUT, async || {
        let masters = link.each_master::<()>(&redis::cmd("PING")).await;
        masters.is_ok_and(|masters| masters[0].0 != master.addr())
    })
    .await;
    master.thaw();
    for _ in 0..50 {
        incr(&link, "n").await.unwrap();
        let masters = link.each_master::<()>(&redis::cmd("PING")).await.unwrap();
        assert_ne!(masters[0].0, master.addr());
    }
}
