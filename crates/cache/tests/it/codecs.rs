//! Values that a positional codec would garble, and a cache whose codec does not suit its values.

use std::{
    convert::Infallible,
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
};

use redis_two_level_cache::{Builder, Cache, Codec, Loader};
use serde::{Deserialize, Deserializer, Serialize, de::DeserializeOwned};
use testkit::{Redis, unique_prefix, wait_until};

use crate::{TEST_TIMEOUT, ask, link};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Shop {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    area: Option<u8>,
    stars: u8,
    name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Flattened {
    id: u64,
    #[serde(flatten)]
    shop: Shop,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind")]
enum Tagged {
    Coupon { cents: u64, from: IpAddr },
}

/// Decodes to something else than it was.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Forgetful {
    #[serde(deserialize_with = "zero")]
    number: u64,
}

fn zero<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    u64::deserialize(deserializer).map(|_| 0)
}

/// Without its first field the rest fits the positions of all of them.
fn shop(area: Option<u8>) -> Shop {
    Shop {
        area,
        stars: 1,
        name: "\0\u{2}xy".to_owned(),
    }
}

/// Row `n` is the `n`th of these values.
#[derive(Clone)]
struct Values<V> {
    values: Arc<Vec<V>>,
    loads: Arc<AtomicUsize>,
}

impl<V> Values<V> {
    fn new(values: impl IntoIterator<Item = V>) -> Self {
        Self {
            values: Arc::new(values.into_iter().collect()),
            loads: Arc::default(),
        }
    }

    fn loads(&self) -> usize {
        self.loads.load(Ordering::SeqCst)
    }
}

impl<V: Clone + Serialize + DeserializeOwned + Send + Sync + 'static> Loader for Values<V> {
    type Key = usize;
    type Value = V;
    type Error = Infallible;

    async fn load(&self, key: &usize) -> Result<Option<V>, Infallible> {
        self.loads.fetch_add(1, Ordering::SeqCst);
        Ok(self.values.get(*key).cloned())
    }
}

async fn process<L: Loader>(prefix: &str, loader: L) -> Builder<L> {
    let link = link(&Redis::shared().await.url()).await;
    Cache::builder("value", link, loader).prefix(prefix)
}

/// With its subscription up: when it comes up, what is in memory is read again.
async fn built<L: Loader>(builder: Builder<L>) -> Cache<L> {
    let cache = builder.build().unwrap();
    wait_until("the subscription of the cache", TEST_TIMEOUT, async || {
        cache.stats().subscribed
    })
    .await;
    cache
}

fn key_of_first(prefix: &str) -> String {
    format!("{prefix}cache:{{value:0}}")
}

/// What one process loads and another one finds in Redis.
async fn assert_shared<V>(value: V)
where
    V: Clone + PartialEq + std::fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static,
{
    let (prefix, values) = (unique_prefix(), Values::new([value.clone()]));
    let one = built(process(&prefix, values.clone()).await).await;
    let other = built(process(&prefix, values.clone()).await).await;
    assert_eq!(one.get(&0).await.unwrap().as_deref(), Some(&value));
    assert_eq!(other.get(&0).await.unwrap().as_deref(), Some(&value));
    assert_eq!(values.loads(), 1);
    assert_eq!(other.stats().l2_hits, 1);
}

#[tokio::test]
async fn a_value_with_skipped_fields_comes_back_as_it_was() {
    assert_shared(shop(None)).await;
    assert_shared(shop(Some(3))).await;
}

#[tokio::test]
async fn a_flattened_value_is_shared() {
    let shop = shop(None);
    assert_shared(Flattened { id: 7, shop }).await;
}

#[tokio::test]
async fn a_tagged_value_is_shared() {
    let from = IpAddr::from([127, 0, 0, 1]);
    assert_shared(Tagged::Coupon { cents: 100, from }).await;
}

#[tokio::test]
async fn an_entry_with_bytes_after_its_value_is_a_miss_and_is_replaced() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let values = Values::new([7_u64]);
    let one = built(process(&prefix, values.clone()).await).await;
    one.get(&0).await.unwrap();
    let key = key_of_first(&prefix);
    let length: usize = ask(redis, &["APPEND", &key, "x"]).await;

    let other = built(process(&prefix, values.clone()).await).await;
    assert_eq!(other.get(&0).await.unwrap().as_deref(), Some(&7));
    assert_eq!(values.loads(), 2);
    assert_eq!(other.stats().decode_errors, 1);
    let replaced: usize = ask(redis, &["STRLEN", &key]).await;
    assert_eq!(replaced, length - 1);
}

#[tokio::test]
async fn a_value_that_its_codec_does_not_suit_is_counted_and_not_stored() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let values = Values::new([shop(None)]);
    let cache = process(&prefix, values.clone()).await;
    let cache = built(cache.codec(Codec::Postcard)).await;
    let read = cache.get(&0).await.unwrap();
    assert_eq!(read.as_deref(), Some(&shop(None)), "readers get it");
    let stats = cache.stats();
    assert_eq!((stats.encode_errors, stats.fills), (1, 0));
    let is_stored: bool = ask(redis, &["EXISTS", &key_of_first(&prefix)]).await;
    assert!(!is_stored);
    let lease = format!("{prefix}cache-lease:{{value:0}}");
    wait_until("the lease to be released", TEST_TIMEOUT, async || {
        !ask::<bool>(redis, &["EXISTS", &lease]).await
    })
    .await;
    let other = process(&prefix, values).await;
    let other = built(other.codec(Codec::Postcard)).await;
    let read = other.get(&0).await.unwrap();
    assert_eq!(read.as_deref(), Some(&shop(None)));
}

#[tokio::test]
async fn a_positional_codec_is_checked_with_every_value() {
    let values = Values::new([shop(Some(3)), shop(None)]);
    let cache = process(&unique_prefix(), values).await;
    let cache = built(cache.codec(Codec::Postcard)).await;
    cache.get(&0).await.unwrap();
    assert_eq!((cache.stats().encode_errors, cache.stats().fills), (0, 1));
    cache.get(&1).await.unwrap();
    assert_eq!((cache.stats().encode_errors, cache.stats().fills), (1, 1));
}

#[tokio::test]
async fn a_self_describing_codec_is_checked_until_one_value_came_back() {
    let numbers = [7, 7, 0, 7].map(|number| Forgetful { number });
    let cache = process(&unique_prefix(), Values::new(numbers)).await;
    let cache = built(cache).await;
    for (row, encode_errors) in [(0, 1), (1, 2), (2, 2), (3, 2)] {
        cache.get(&row).await.unwrap();
        assert_eq!(cache.stats().encode_errors, encode_errors, "row {row}");
    }
}

#[tokio::test]
async fn processes_with_different_codecs_do_not_read_each_others_bytes() {
    let (prefix, values) = (unique_prefix(), Values::new([shop(Some(3))]));
    let one = built(process(&prefix, values.clone()).await).await;
    let other = process(&prefix, values.clone()).await;
    let other = built(other.codec(Codec::Postcard)).await;
    for (cache, loads) in [(&one, 1), (&other, 2)] {
        let read = cache.get(&0).await.unwrap();
        assert_eq!(read.as_deref(), Some(&shop(Some(3))));
        assert_eq!(values.loads(), loads);
        assert_eq!(cache.stats().decode_errors, 0, "another format is no error");
    }
}
