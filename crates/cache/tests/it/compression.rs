//! Values that are compressed in Redis, and those of before.

use testkit::{Redis, unique_prefix};

use crate::{ask, builder, key, store::Store, subscribed, text};

#[tokio::test]
async fn only_values_above_the_size_are_compressed_and_all_are_read() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    let (short, long) = ("tea house ".repeat(90), "tea house ".repeat(1000));
    store.write(1, &short);
    store.write(2, &long);
    let cache = builder(&redis.url(), &prefix, &store).await;
    let cache = subscribed(cache.compress_above(1024)).await;
    for id in [1, 2] {
        cache.get(&id).await.unwrap();
    }
    let formats =
        async |id| ask::<Vec<u8>>(redis, &["GETRANGE", &key(&prefix, id), "0", "1"]).await;
    assert_eq!(
        formats(1).await,
        [2, 0],
        "as a release without compression writes it"
    );
    assert_eq!(formats(2).await, [4, 4]);
    let bytes: usize = ask(redis, &["STRLEN", &key(&prefix, 2)]).await;
    assert!(bytes < 500, "{bytes}");

    // Another process, without the setting.
    let other = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    assert_eq!(text(&other, 2).await, long);
    assert_eq!(text(&other, 1).await, short);
    assert_eq!(store.calls(), 2);
}

#[tokio::test]
async fn values_of_before_the_setting_stay_readable() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    let long = "tea house ".repeat(1000);
    store.write(1, &long);
    let before = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    text(&before, 1).await;
    drop(before);
    let after = builder(&redis.url(), &prefix, &store).await;
    let after = subscribed(after.compress_above(0)).await;
    assert_eq!(text(&after, 1).await, long);
    assert_eq!(store.calls(), 1);
}

#[tokio::test]
async fn a_damaged_value_is_a_miss_and_is_replaced() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::new());
    let long = "tea house ".repeat(1000);
    store.write(1, &long);
    let before = builder(&redis.url(), &prefix, &store).await;
    let before = subscribed(before.compress_above(0)).await;
    text(&before, 1).await;
    drop(before);
    // The length of the value.
    let _: i64 = ask(redis, &["SETRANGE", &key(&prefix, 1), "28", "zzzz"]).await;
    let after = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    assert_eq!(text(&after, 1).await, long);
    assert!(after.stats().decode_errors > 0);
    assert_eq!((store.calls(), after.stats().fills), (2, 1));
}
