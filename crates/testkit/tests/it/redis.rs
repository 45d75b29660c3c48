//! A private Redis.

use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncCommands as _, Client, TlsCertificates};
use testkit::{Redis, unique_prefix};

#[tokio::test]
async fn both_urls_reach_the_same_redis() {
    let redis = Redis::start().await;
    let mut tcp = connect(&redis.url()).await;
    let mut unix = connect(&redis.unix_url()).await;
    let () = tcp.set("city", "杭州").await.unwrap();
    let city: String = unix.get("city").await.unwrap();
    assert_eq!(city, "杭州");
}

#[tokio::test]
async fn a_killed_redis_comes_back_with_its_data() {
    let redis = Redis::start().await;
    let () = redis.connection().await.set("stock", 100).await.unwrap();
    redis.stop_hard();
    assert!(Client::open(redis.url()).unwrap().get_connection().is_err());
    redis.start_again().await;
    let stock: i64 = redis.connection().await.get("stock").await.unwrap();
    assert_eq!(stock, 100);
}

#[tokio::test]
async fn a_frozen_redis_is_silent_until_it_thaws() {
    let redis = Redis::start().await;
    let mut connection = redis.connection().await;
    redis.freeze().await;
    let mut reply = Box::pin(ping(&mut connection));
    let silence = tokio::time::timeout(Duration::from_millis(100), &mut reply).await;
    assert!(silence.is_err());
    redis.thaw();
    assert_eq!(reply.await, "PONG");
}

#[tokio::test]
async fn commands_are_counted_without_the_overhead_of_counting() {
    let redis = Redis::start().await;
    let mut connection = redis.connection().await;
    let before = redis.commands().await;
    for _ in 0..3 {
        let _: Option<String> = connection.get("nothing").await.unwrap();
    }
    let () = connection.set("something", 1).await.unwrap();
    let spent = redis.commands().await.since(&before);
    assert_eq!((spent.of("GET"), spent.of("set"), spent.total()), (3, 1, 4));
    assert_eq!(redis.command_count("get").await, 3);
    assert_eq!(redis.total_command_count().await, before.total() + 4);
}

#[tokio::test]
async fn the_defaults_lose_and_evict_nothing() {
    let redis = Redis::start().await;
    assert_eq!(setting(&redis, "appendonly").await, "yes");
    assert_eq!(setting(&redis, "appendfsync").await, "always");
    assert_eq!(setting(&redis, "maxmemory-policy").await, "noeviction");
}

#[tokio::test]
async fn the_builder_sets_password_syncing_and_any_other_option() {
    let builder = Redis::builder().password("secret").sync_every_second();
    let redis = builder.arg("--maxmemory", "8mb").start().await;
    assert_eq!(setting(&redis, "appendfsync").await, "everysec");
    assert_eq!(setting(&redis, "maxmemory").await, "8388608");
    assert_eq!(ping(&mut connect(&redis.url()).await).await, "PONG");
    let unauthenticated = Client::open(format!("redis://{}", redis.addr())).unwrap();
    let mut unauthenticated = unauthenticated
        .get_multiplexed_async_connection()
        .await
        .unwrap();
    let refused: Result<i64, _> = unauthenticated.get("stock").await;
    assert_eq!(refused.unwrap_err().code(), Some("NOAUTH"));
}

#[tokio::test]
async fn a_named_user_gets_in_by_every_url_and_nobody_else_does() {
    let redis = Redis::builder().user("app", "secret").start().await;
    assert_eq!(ping(&mut connect(&redis.url()).await).await, "PONG");
    assert_eq!(ping(&mut connect(&redis.unix_url()).await).await, "PONG");
    let unauthenticated = Client::open(format!("redis://{}", redis.addr())).unwrap();
    let mut unauthenticated = unauthenticated
        .get_multiplexed_async_connection()
        .await
        .unwrap();
    let refused: Result<i64, _> = unauthenticated.get("stock").await;
    assert_eq!(refused.unwrap_err().code(), Some("NOAUTH"));
}

#[tokio::test]
async fn a_client_that_trusts_the_authority_speaks_tls_and_no_other() {
    // Fails when another test was first, which is as good.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let redis = Redis::builder().tls().password("secret").start().await;
    let trust = TlsCertificates {
        client_tls: None,
        root_cert: Some(redis.tls_authority().as_bytes().to_vec()),
    };
    let client = Client::build_with_tls(redis.tls_url(), trust).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    assert_eq!(ping(&mut connection).await, "PONG");
    let unauthenticated = Client::open(redis.tls_url()).unwrap();
    assert!(
        unauthenticated
            .get_multiplexed_async_connection()
            .await
            .is_err()
    );
}

#[tokio::test]
async fn the_shared_redis_is_one_and_prefixes_are_many() {
    let (one, other) = tokio::join!(Redis::shared(), Redis::shared());
    assert_eq!(one.pid(), other.pid());
    assert_ne!(unique_prefix(), unique_prefix());
}

#[tokio::test]
#[should_panic(expected = "redis-server ended instead of answering")]
async fn a_redis_that_cannot_start_says_so_at_once() {
    Redis::builder().arg("--no-such-option", "1").start().await;
}

async fn connect(url: &str) -> MultiplexedConnection {
    let client = Client::open(url).unwrap();
    client.get_multiplexed_async_connection().await.unwrap()
}

async fn ping(connection: &mut MultiplexedConnection) -> String {
    redis::cmd("PING").query_async(connection).await.unwrap()
}

async fn setting(redis: &Redis, name: &str) -> String {
    let mut get = redis::cmd("CONFIG");
    get.arg("GET").arg(name);
    let mut connection = redis.connection().await;
    let (_, value): (String, String) = get.query_async(&mut connection).await.unwrap();
    value
}
