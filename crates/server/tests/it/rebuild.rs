//! `tandian rebuild`, beside a running server.

use testkit::Client;

use crate::process::Home;

#[tokio::test]
async fn what_was_damaged_in_redis_is_right_again_after_a_rebuild() {
    let home = Home::new();
    let seeded = home.run(&["seed"], &[]);
    assert!(seeded.status.success(), "{seeded:?}");
    let site = home.serve();
    let visitor = Client::new(format!("http://{}", site.addr));
    let nearby = "/api/shop/of/type?typeId=1&x=120.149993&y=30.334229&radius=50000";
    let before = visitor.get(nearby).await.data();
    let nearest = before[0]["id"].to_string();
    let socket = home.folder.path().join("data/redis.sock");
    let client = redis::Client::open(format!("redis+unix://{}", socket.display())).unwrap();
    let mut connection = client.get_multiplexed_async_connection().await.unwrap();
    let removed: u64 = redis::cmd("ZREM")
        .arg("shop:geo:{1}")
        .arg(&nearest)
        .query_async(&mut connection)
        .await
        .unwrap();
    assert_eq!(removed, 1);
    assert_ne!(visitor.get(nearby).await.data(), before);
    for what in [["rebuild", "shops"].as_slice(), &["rebuild"]] {
        let rebuilt = home.run(what, &[]);
        assert!(rebuilt.status.success(), "{rebuilt:?}");
    }
    assert_eq!(visitor.get(nearby).await.data(), before);
}

#[test]
fn a_part_that_does_not_exist_is_refused_before_anything_is_opened() {
    let home = Home::new();
    let output = home.run(&["rebuild", "everything"], &[]);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert!(!home.folder.path().join("data").exists());
}
