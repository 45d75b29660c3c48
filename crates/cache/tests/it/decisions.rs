//! The log says what a cache did for a read, and why.

use std::{
    fmt::{self, Write as _},
    sync::{Arc, Mutex},
};

use redis_two_level_cache::CacheMode;
use testkit::{Redis, unique_prefix};
use tracing::{
    Event, Metadata, Subscriber,
    field::{Field, Visit},
    span::{Attributes, Id, Record},
};

use crate::{builder, read, settle, store::Store, subscribed, text};

/// Keeps the lines of the decisions of this thread.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "cache_decisions"
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(event.metadata().level().to_string());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        write!(self.0, " {field}={value:?}").unwrap();
    }
}

impl Lines {
    #[track_caller]
    fn assert_has(&self, words: &[&str]) {
        let lines = std::mem::take(&mut *self.0.lock().unwrap());
        let has = |line: &String| words.iter().all(|word| line.contains(word));
        assert!(lines.iter().any(has), "no {words:?} in {lines:#?}");
    }
}

#[tokio::test]
async fn each_decision_is_logged_with_its_reason() {
    let (redis, prefix, store) = (Redis::shared().await, unique_prefix(), Store::with_one());
    let lines = Lines::default();
    // While there is one subscriber, tracing asks that of the thread that comes to a line first whether it is of interest to
    // anybody, and that may be a thread of another test. Of several it asks all.
    let _second = tracing::Dispatch::new(Lines::default());
    let _logged = tracing::subscriber::set_default(lines.clone());
    let cache = builder(&redis.url(), &prefix, &store).await;
    let cache = subscribed(cache.mode(CacheMode::LogicalExpiry)).await;

    text(&cache, 1).await;
    lines.assert_has(&["DEBUG", "key=1", "cache=\"row\"", "stored in both levels"]);
    settle(&cache, 1).await;
    lines.assert_has(&["TRACE", "key=1", "hit in memory"]);
    let other = subscribed(builder(&redis.url(), &prefix, &store).await).await;
    text(&other, 1).await;
    lines.assert_has(&["DEBUG", "hit in Redis"]);

    store.gate.shut();
    cache.invalidate(&1).await.unwrap();
    lines.assert_has(&["DEBUG", "key=1", "invalidated"]);
    let (early, joined) = (read(&cache, 1), read(&cache, 1));
    store.gate.wait_for(1).await;
    let waiting = read(&other, 1);
    testkit::wait_until("the other to wait", crate::TEST_TIMEOUT, async || {
        other.stats().lease_waits > 0
    })
    .await;
    lines.assert_has(&["DEBUG", "another load holds the lease"]);
    other.invalidate(&1).await.unwrap();
    store.gate.reopen();
    for reader in [early, joined, waiting] {
        reader.await.unwrap();
    }
    lines.assert_has(&["DEBUG", "not stored: the key was invalidated"]);
}
