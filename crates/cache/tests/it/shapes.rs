//! The same protocol on a Cluster, where every script must keep to one slot.

use testkit::{RedisCluster, unique_prefix, wait_until};

use crate::{TEST_TIMEOUT, builder, read, settle, store::Store, subscribed, text};

#[tokio::test]
async fn all_of_it_works_on_a_cluster() {
    let (url, prefix) = (RedisCluster::shared().await.url(), unique_prefix());
    let store = Store::new();
    store.write_many(0..200);
    let one = subscribed(builder(&url, &prefix, &store).await).await;
    let other = subscribed(builder(&url, &prefix, &store.other_node()).await).await;

    let ids: Vec<u64> = (0..250).collect();
    assert_eq!(
        one.get_many(&ids).await.unwrap().iter().flatten().count(),
        200
    );
    assert_eq!(
        other.get_many(&ids).await.unwrap().iter().flatten().count(),
        200
    );
    assert_eq!((store.calls(), store.keys()), (1, 250));

    for id in [1, 2, 3, 4, 5] {
        settle(&other, id).await;
        let version = store.write(id, "changed");
        one.invalidate_older(&id, version).await.unwrap();
        wait_until("the change to be seen", TEST_TIMEOUT, async || {
            text(&other, id).await == "changed"
        })
        .await;
    }
    one.invalidate_many(&ids).await.unwrap();
    store.gate.shut();
    let early = read(&one, 9);
    store.gate.wait_for(1).await;
    store.write(9, "changed");
    other.invalidate(&9).await.unwrap();
    store.gate.reopen();
    early.await.unwrap();
    assert_eq!(one.stats().refused_fills, 1);
    assert_eq!(text(&one, 9).await, "changed");
    assert_eq!(text(&other, 9).await, "changed");
    assert_eq!(one.stats().l2_errors + other.stats().l2_errors, 0);
}
