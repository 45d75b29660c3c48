//! Redis goes away and comes back.

use std::time::{Duration, Instant};

use redis_link::{Execution, Link, LinkError, Options};
use testkit::{FaultProxy, Redis, wait_until};

use crate::{TEST_TIMEOUT, connect, incr, options, target, wait_until_working};

/// A refusal needs no network at all; the rest is for a busy machine.
const AT_ONCE: Duration = Duration::from_millis(250);
/// Longest pause between attempts, and some for the attempt itself.
const SOON: Duration = Duration::from_secs(2);

async fn through(proxy: &FaultProxy) -> Link {
    connect(&format!("redis://{}", proxy.addr())).await
}

async fn wait_until_refused(link: &Link) {
    wait_until("the link to give up", TEST_TIMEOUT, async || {
        matches!(incr(link, "n").await, Err(LinkError::Unreachable(_)))
    })
    .await;
}

#[tokio::test]
async fn while_redis_is_down_commands_fail_at_once_and_are_not_sent() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    incr(&link, "n").await.unwrap();
    redis.stop_hard();
    wait_until_refused(&link).await;
    let since = Instant::now();
    for _ in 0..100 {
        let error = incr(&link, "n").await.unwrap_err();
        assert_eq!(error.execution(), Execution::NotSent);
        assert!(error.is_outage());
    }
    assert!(since.elapsed() < AT_ONCE, "{:?}", since.elapsed());
}

#[tokio::test]
async fn a_link_works_again_soon_after_redis_restarts() {
    let redis = Redis::start().await;
    let link = connect(&redis.url()).await;
    for _ in 0..3 {
        redis.stop_hard();
        wait_until_refused(&link).await;
        redis.start_again().await;
        let elapsed = wait_until_working(&link, "n").await;
        assert!(elapsed < SOON, "{elapsed:?}");
    }
}

#[tokio::test]
async fn a_lazy_link_does_not_wait_and_works_once_redis_is_up() {
    let redis = Redis::start().await;
    redis.stop_hard();
    let link = Link::connect_lazy(&target(&redis.url()), options());
    assert_eq!(
        incr(&link, "n").await.unwrap_err().execution(),
        Execution::NotSent
    );
    redis.start_again().await;
    wait_until_working(&link, "n").await;
}

#[tokio::test]
async fn connecting_may_take_longer_than_a_reply() {
    let redis = Redis::start().await;
    let options = Options {
        connect_timeout: TEST_TIMEOUT,
        response_timeout: Duration::from_millis(100),
        ..options()
    };
    redis.freeze().await;
    let target = target(&redis.url());
    let thaw = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        redis.thaw();
    };
    let (link, ()) = tokio::join!(Link::connect(&target, options), thaw);
    link.unwrap();
}

#[tokio::test]
async fn attempts_to_reconnect_are_few() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = through(&proxy).await;
    proxy.black_hole().await;
    wait_until_refused(&link).await;
    let before = proxy.accepted();
    let mut ticks = tokio::time::interval(Duration::from_millis(5));
    for _ in 0..400 {
        ticks.tick().await;
        assert!(incr(&link, "n").await.is_err());
    }
    // Each attempt waits for the connect timeout and then pauses, however many commands ask in these two seconds.
    assert!(
        proxy.accepted() - before <= 5,
        "{}",
        proxy.accepted() - before
    );
}

#[tokio::test]
async fn a_lost_reply_is_reported_as_unknown_and_never_retried() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = through(&proxy).await;
    incr(&link, "n").await.unwrap();
    proxy.drop_replies().await;
    let error = incr(&link, "n").await.unwrap_err();
    assert_eq!(error.execution(), Execution::Unknown, "{error:?}");
    proxy.pass().await;
    wait_until_working(&link, "other").await;
    assert_eq!(incr(&link, "n").await.unwrap(), 3, "it ran exactly once");
}

#[tokio::test]
async fn a_black_hole_costs_one_timeout_and_then_nothing() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = through(&proxy).await;
    incr(&link, "n").await.unwrap();
    proxy.black_hole().await;
    let since = Instant::now();
    let error = incr(&link, "n").await.unwrap_err();
    assert_eq!(error.execution(), Execution::Unknown, "{error:?}");
    assert!(since.elapsed() < options().response_timeout + AT_ONCE);
    wait_until_refused(&link).await;
    let since = Instant::now();
    assert_eq!(
        incr(&link, "n").await.unwrap_err().execution(),
        Execution::NotSent
    );
    assert!(since.elapsed() < AT_ONCE, "{:?}", since.elapsed());
    proxy.pass().await;
    let elapsed = wait_until_working(&link, "n").await;
    assert!(elapsed < SOON, "{elapsed:?}");
}

#[tokio::test]
async fn an_idle_link_detects_that_its_server_is_gone() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = through(&proxy).await;
    incr(&link, "n").await.unwrap();
    let before = proxy.accepted();
    proxy.black_hole().await;
    wait_until("the idle link to dial again", TEST_TIMEOUT, async || {
        proxy.accepted() > before
    })
    .await;
    drop(link);
}

#[tokio::test]
async fn a_closed_connection_is_reopened_without_waiting_for_a_heartbeat() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let patient = Options {
        heartbeat: TEST_TIMEOUT * 10,
        ..options()
    };
    let url = format!("redis://{}", proxy.addr());
    let link = Link::connect(&target(&url), patient).await.unwrap();
    proxy.cut().await;
    proxy.pass().await;
    wait_until(
        "the unused link to be connected",
        TEST_TIMEOUT,
        async || proxy.connections() == 1,
    )
    .await;
    drop(link);
}

#[tokio::test]
async fn a_cut_connection_in_the_middle_of_commands_fails_each_of_them_once() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = through(&proxy).await;
    let tasks: Vec<_> = (0..200)
        .map(|_| {
            let link = link.clone();
            tokio::spawn(async move { incr(&link, "n").await })
        })
        .collect();
    proxy.cut().await;
    let (mut sure, mut unknown) = (0, 0);
    for task in tasks {
        match task.await.unwrap().map_err(|error| error.execution()) {
            Ok(_) => sure += 1,
            Err(Execution::Unknown) => unknown += 1,
            Err(execution) => assert_eq!(execution, Execution::NotSent),
        }
    }
    proxy.pass().await;
    wait_until_working(&link, "other").await;
    let ran = incr(&link, "n").await.unwrap() - 1;
    assert!(
        sure <= ran && ran <= sure + unknown,
        "{sure} {unknown} {ran}"
    );
}

#[tokio::test]
async fn dropping_the_last_handle_closes_the_connection() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let link = through(&proxy).await;
    let other = link.clone();
    drop(link);
    incr(&other, "n").await.unwrap();
    drop(other);
    wait_until("the connection to close", TEST_TIMEOUT, async || {
        proxy.connections() == 0
    })
    .await;
}
