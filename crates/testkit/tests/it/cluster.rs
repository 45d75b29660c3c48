//! A private Redis Cluster.

use std::time::Duration;

use redis::AsyncCommands as _;
use redis::cluster::ClusterClient;
use redis::cluster_async::ClusterConnection;
use testkit::{RedisCluster, wait_until};

const LIMIT: Duration = Duration::from_secs(30);

#[tokio::test]
async fn keys_of_all_slots_are_served_and_counted() {
    let cluster = RedisCluster::shared().await;
    let mut connection = connect(cluster).await;
    for key in 0..100 {
        let () = connection.set(key, key).await.unwrap();
    }
    assert!(cluster.commands().await.of("set") >= 100);
    for node in cluster.nodes() {
        assert!(node.command_count("set").await > 0);
    }
}

#[tokio::test]
async fn a_killed_master_comes_back_with_its_keys() {
    let cluster = RedisCluster::start().await;
    let () = connect(&cluster)
        .await
        .set("{sale}:stock", 100)
        .await
        .unwrap();
    for node in 0..3 {
        cluster.stop_hard(node);
        cluster.start_again(node).await;
    }
    cluster.wait_until_ok().await;
    let stock: i64 = connect(&cluster).await.get("{sale}:stock").await.unwrap();
    assert_eq!(stock, 100);
}

#[tokio::test]
async fn a_replica_takes_over_from_a_killed_master() {
    let cluster = RedisCluster::with_replicas().await;
    let replica = &cluster.nodes()[3];
    cluster.stop_hard(0);
    wait_until("the replica to be promoted", LIMIT, async || {
        let role: redis::Value = role(replica).await;
        matches!(role, redis::Value::BulkString(name) if name == b"master")
    })
    .await;
    cluster.wait_until_ok().await;
}

async fn connect(cluster: &RedisCluster) -> ClusterConnection {
    let url = cluster.url();
    let addrs = url.strip_prefix("redis-cluster://").unwrap().split(',');
    let client = ClusterClient::new(addrs.map(|addr| format!("redis://{addr}"))).unwrap();
    client.get_async_connection().await.unwrap()
}

async fn role(node: &testkit::Redis) -> redis::Value {
    let mut connection = node.connection().await;
    let role: Vec<redis::Value> = redis::cmd("ROLE")
        .query_async(&mut connection)
        .await
        .unwrap();
    role.into_iter().next().unwrap()
}
