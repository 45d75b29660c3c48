//! Links made of what a program has already: a client, a connection manager, a cluster connection.

use std::time::Duration;

use redis_link::{Event, Execution, Interest, Link, LinkError, Options, Script};
use testkit::{FaultProxy, Redis, RedisCluster, unique_prefix, wait_until};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, get, incr, options, set, target};

static CONCAT: Script = Script::new("return ARGV[1] .. ARGV[2]");

/// Commands, pipelines, scripts and their errors, within one slot.
async fn works(link: &Link) {
    let key = format!("{}{{tag}}", unique_prefix());
    set(link, &key, "1").await.unwrap();
    assert_eq!(get(link, &key).await.unwrap().as_deref(), Some("1"));
    let mut pipeline = redis::pipe();
    pipeline.incr(&key, 1).incr(&key, 1);
    assert_eq!(link.pipe::<(i64, i64)>(&pipeline).await.unwrap(), (2, 3));
    for _ in 0..2 {
        let text: String = link.eval(&CONCAT, &[&key], ("x", 7)).await.unwrap();
        assert_eq!(text, "x7");
    }
    let refused = link.run::<()>(redis::cmd("LLEN").arg(&key)).await;
    let refused = refused.unwrap_err();
    assert_eq!(refused.code(), Some("WRONGTYPE"));
    assert_eq!(refused.execution(), Execution::Refused);
}

async fn hears_messages(link: &Link) {
    let channel = format!("{}{{tag}}", unique_prefix());
    let mut subscription = link.subscribe(Interest::channels([&channel]));
    let next = async |subscription: &mut redis_link::Subscription| {
        let next = timeout(TEST_TIMEOUT, subscription.next());
        next.await.expect("an event")
    };
    assert_eq!(next(&mut subscription).await, Event::Connected);
    let verb = if link.is_cluster() {
        "SPUBLISH"
    } else {
        "PUBLISH"
    };
    let publish = redis::cmd(verb).arg(&channel).arg("hello").take();
    link.run::<i64>(&publish).await.unwrap();
    let message = Event::Message {
        channel,
        payload: b"hello".to_vec(),
    };
    assert_eq!(next(&mut subscription).await, message);
}

#[tokio::test]
async fn a_link_of_a_client_keeps_its_address_login_and_database() {
    let redis = Redis::builder().user("shop", "s3cret").start().await;
    for url in [format!("{}/3", redis.url()), redis.unix_url()] {
        let client = redis::Client::open(url.as_str()).unwrap();
        let link = Link::from_client(&client, options());
        works(&link).await;
        hears_messages(&link).await;
        assert!(!format!("{link:?} {}", link.target()).contains("s3cret"));
    }
    let client = redis::Client::open(format!("{}/3", redis.url())).unwrap();
    let link = Link::from_client(&client, options());
    set(&link, "a", "in database three").await.unwrap();
    let mut plain = client.get_multiplexed_async_connection().await.unwrap();
    let read: String = redis::cmd("GET")
        .arg("a")
        .query_async(&mut plain)
        .await
        .unwrap();
    assert_eq!(read, "in database three");
    assert!(link.target().address().ends_with("/3"));
}

#[tokio::test]
async fn a_link_of_a_client_reconnects_like_any_other() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let client = redis::Client::open(format!("redis://{}", proxy.addr())).unwrap();
    let link = Link::from_client(&client, options());
    works(&link).await;
    proxy.cut().await;
    wait_until("commands to be refused", TEST_TIMEOUT, async || {
        matches!(incr(&link, "a").await, Err(LinkError::Unreachable(_)))
    })
    .await;
    proxy.pass().await;
    crate::wait_until_working(&link, "a").await;
}

#[tokio::test]
async fn a_connection_manager_carries_the_commands_of_a_link() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let url = format!("redis://{}", proxy.addr());
    let client = redis::Client::open(url.as_str()).unwrap();
    let manager = client.get_connection_manager().await.unwrap();
    let before = proxy.accepted();
    let link = Link::from_connection(manager, &target(&url), options());
    works(&link).await;
    assert_eq!(
        proxy.accepted(),
        before,
        "commands need no other connection"
    );
    hears_messages(&link).await;
    assert!(proxy.accepted() > before);
    let replies: i64 = link
        .run_on_master_of("a", redis::cmd("WAIT").arg(0).arg(100))
        .await
        .unwrap();
    assert_eq!(replies, 0);
}

#[tokio::test]
async fn a_plain_connection_carries_the_commands_of_a_link() {
    let redis = Redis::shared().await;
    let connection = redis.connection().await;
    works(&Link::from_connection(
        connection,
        &target(&redis.url()),
        options(),
    ))
    .await;
}

#[tokio::test]
async fn a_cluster_connection_carries_the_commands_of_a_link() {
    let cluster = RedisCluster::shared().await;
    let nodes: Vec<String> = cluster.nodes().iter().map(Redis::url).collect();
    let client = redis::cluster::ClusterClient::new(nodes).unwrap();
    let connection = client.get_async_connection().await.unwrap();
    let link = Link::from_connection(connection, &target(&cluster.url()), options());
    works(&link).await;
    hears_messages(&link).await;
    let wait = redis::cmd("WAIT").arg(0).arg(100).take();
    let refused = link.run_on_master_of::<i64>("a", &wait).await.unwrap_err();
    assert!(matches!(refused, LinkError::Invalid(_)), "{refused:?}");
}

#[tokio::test]
async fn a_reply_that_never_comes_over_a_given_connection_is_a_time_out() {
    let redis = Redis::start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let url = format!("redis://{}", proxy.addr());
    let client = redis::Client::open(url.as_str()).unwrap();
    let endless = redis::AsyncConnectionConfig::new().set_response_timeout(None);
    let connection = client.get_multiplexed_async_connection_with_config(&endless);
    let short = Options {
        response_timeout: Duration::from_millis(200),
        ..options()
    };
    let link = Link::from_connection(connection.await.unwrap(), &target(&url), short);
    proxy.black_hole().await;
    let lost = timeout(TEST_TIMEOUT, incr(&link, "a")).await;
    let lost = lost.expect("the wait is bounded").unwrap_err();
    assert!(matches!(lost, LinkError::TimedOut(_)), "{lost:?}");
    assert_eq!(lost.execution(), Execution::Unknown);
}
