//! Ids are distinct whatever the clock, Redis, the ledger and other processes do; else they are refused.

mod counted;
mod faults;
mod own;
mod races;
mod snowflake;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use flash::{Clock, IdChoice, IdError, Keys, OrderId, OrderIds};
use jiff::Timestamp;
use link::{Link, Options, Target};
use testkit::{Redis, unique_prefix};

use crate::memory_ledger::MemoryLedger;

/// Long enough for a busy machine, short enough to notice what hangs.
const PATIENCE: Duration = Duration::from_secs(30);

/// A site: one ledger, one prefix, one clock that the test sets. Its processes are made with [`Site::process`].
struct Site {
    redis: &'static Redis,
    book: Arc<MemoryLedger>,
    prefix: String,
    clock_ms: Arc<AtomicI64>,
}

impl Site {
    /// At noon of a day.
    async fn open() -> Self {
        let site = Self {
            redis: Redis::shared().await,
            book: Arc::new(MemoryLedger::default()),
            prefix: unique_prefix(),
            clock_ms: Arc::default(),
        };
        site.set_clock("2026-11-15T12:00:00Z");
        site
    }

    fn set_clock(&self, time: &str) {
        let time: Timestamp = time.parse().unwrap();
        self.clock_ms.store(time.as_millisecond(), Ordering::SeqCst);
    }

    fn move_clock(&self, by_ms: i64) {
        self.clock_ms.fetch_add(by_ms, Ordering::SeqCst);
    }

    /// A process of the site that counts its ids.
    async fn process(&self) -> OrderIds<MemoryLedger> {
        self.process_at(&self.redis.url()).await
    }

    async fn process_at(&self, url: &str) -> OrderIds<MemoryLedger> {
        self.process_with(link(url).await, IdChoice::Counted)
    }

    fn process_with(&self, link: Link, choice: IdChoice) -> OrderIds<MemoryLedger> {
        OrderIds::with_clock(
            link,
            Keys::new(&self.prefix),
            self.book.clone(),
            choice,
            Clock::Manual(self.clock_ms.clone()),
        )
    }

    fn counter_key(&self) -> String {
        let ms = self.clock_ms.load(Ordering::SeqCst);
        let now = Timestamp::from_millisecond(ms).unwrap();
        format!("{}ids:order:{}", self.prefix, now.strftime("%Y:%m:%d"))
    }

    async fn counter(&self) -> Option<String> {
        self.ask(&["GET", &self.counter_key()]).await
    }

    async fn ask<T: redis::FromRedisValue>(&self, words: &[&str]) -> T {
        ask(self.redis, words).await
    }
}

async fn ask<T: redis::FromRedisValue>(redis: &Redis, words: &[&str]) -> T {
    let mut cmd = redis::Cmd::new();
    cmd.arg(words);
    let mut connection = redis.connection().await;
    cmd.query_async(&mut connection).await.unwrap()
}

async fn link(url: &str) -> Link {
    let options = Options {
        connect_timeout: Duration::from_millis(500),
        response_timeout: Duration::from_millis(500),
        heartbeat: Duration::from_millis(200),
        ..Options::default()
    };
    let target = Target::parse(url).unwrap();
    Link::connect(&target, options).await.unwrap()
}

async fn take(process: &OrderIds<MemoryLedger>, n: usize) -> Result<Vec<OrderId>, IdError> {
    let mut ids = Vec::with_capacity(n);
    process.take_many(n, &mut ids).await?;
    assert_eq!(ids.len(), n);
    Ok(ids)
}

#[track_caller]
fn assert_distinct(mut ids: Vec<OrderId>) {
    let given = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), given, "some id was given out twice");
    assert!(ids.iter().all(|id| id.0 > 0));
}

/// The day's count inside a counted id.
fn count_of(id: OrderId) -> i64 {
    id.0 & 0xffff_ffff
}

/// The time inside a counted id.
fn time_of(id: OrderId) -> String {
    let begin: Timestamp = "2022-01-01T00:00:00Z".parse().unwrap();
    let time = Timestamp::from_second(begin.as_second() + (id.0 >> 32)).unwrap();
    time.to_string()
}
