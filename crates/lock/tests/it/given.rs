//! Locks over what a program has already: a client, a connection manager, a cluster connection.

use link::{Link, Options as LinkOptions, Target};
use redis_locks::{Locks, Options};
use testkit::{Redis, RedisCluster, unique_prefix};
use tokio::time::timeout;

use crate::{TEST_TIMEOUT, locks};

/// The lock excludes other processes, and its waiter is woken.
async fn excludes(link: Link, url: &str) {
    let prefix = unique_prefix();
    let options = Options {
        prefix: prefix.clone(),
        ..Options::default()
    };
    let (given, own) = (
        Locks::with_options(link, options),
        locks(url, &prefix).await,
    );
    let guard = given.mutex("a").lock().await.unwrap();
    assert!(own.mutex("a").try_lock().await.unwrap().is_none());
    guard.release().await.unwrap();
    let held = own.mutex("a").lock().await.unwrap();
    let waiter = tokio::spawn({
        let given = given.clone();
        async move { given.mutex("a").lock().await.unwrap().fence() }
    });
    tokio::task::yield_now().await;
    assert!(!waiter.is_finished());
    let fence = held.fence();
    held.release().await.unwrap();
    assert!(timeout(TEST_TIMEOUT, waiter).await.unwrap().unwrap() > fence);
    assert!(given.shutdown(TEST_TIMEOUT).await);
}

#[tokio::test]
async fn a_lock_is_taken_with_a_client() {
    let url = Redis::shared().await.url();
    let client = redis::Client::open(url.as_str()).unwrap();
    excludes(Link::from_client(&client, LinkOptions::default()), &url).await;
}

#[tokio::test]
async fn a_lock_is_taken_with_a_connection_manager() {
    let url = Redis::shared().await.url();
    let client = redis::Client::open(url.as_str()).unwrap();
    let manager = client.get_connection_manager().await.unwrap();
    let target = Target::parse(&url).unwrap();
    let link = Link::from_connection(manager, &target, LinkOptions::default());
    excludes(link, &url).await;
}

#[tokio::test]
async fn a_lock_is_taken_with_a_cluster_connection() {
    let cluster = RedisCluster::shared().await;
    let nodes: Vec<String> = cluster.nodes().iter().map(Redis::url).collect();
    let client = redis::cluster::ClusterClient::new(nodes).unwrap();
    let connection = client.get_async_connection().await.unwrap();
    let target = Target::parse(&cluster.url()).unwrap();
    let link = Link::from_connection(connection, &target, LinkOptions::default());
    excludes(link, &cluster.url()).await;
}
