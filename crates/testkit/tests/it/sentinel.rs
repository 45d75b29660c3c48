//! A private Redis watched by Sentinels.

use redis::AsyncCommands as _;
use redis::sentinel::{SentinelClient, SentinelServerType};
use testkit::RedisSentinel;

#[tokio::test]
async fn the_replica_takes_over_from_a_killed_master_and_clients_find_it() {
    let sentinel = RedisSentinel::start().await;
    let mut old = sentinel.master().await.unwrap().connection().await;
    let () = old.set("stock", 100).await.unwrap();
    let wait = redis::cmd("WAIT")
        .arg(&[1, 5_000])
        .query_async(&mut old)
        .await;
    let replicas_in_step: i64 = wait.unwrap();
    assert_eq!(replicas_in_step, 1);

    let killed = sentinel.kill_master().await;
    let promoted = sentinel.await_failover().await;
    assert_ne!(promoted, killed);
    assert_eq!(sentinel.master().await.unwrap().port(), promoted);

    let mut client = connect(&sentinel);
    let mut connection = client.get_async_connection().await.unwrap();
    let stock: i64 = connection.get("stock").await.unwrap();
    assert_eq!(stock, 100);
    sentinel.start_again().await;
}

fn connect(sentinel: &RedisSentinel) -> SentinelClient {
    let url = sentinel.url();
    let (addrs, name) = url
        .strip_prefix("redis-sentinel://")
        .and_then(|rest| rest.split_once('/'))
        .unwrap();
    let addrs = addrs
        .split(',')
        .map(|addr| format!("redis://{addr}"))
        .collect();
    SentinelClient::build(addrs, name, None, SentinelServerType::Master).unwrap()
}
