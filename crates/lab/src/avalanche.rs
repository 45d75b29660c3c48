//! The avalanche: many entries end together, or the cache as a whole is gone. How many queries does the database get?
//!
//! Time is simulated (`redis_clock`): entries live for half an hour, and a round of reads comes every ten seconds. Where a
//! reader misses, it waits until all readers have looked ([`CallerBarrier`]), which is the worst case.

mod jittered;
mod same_ttl;
mod two_levels;

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, ensure};
use futures_util::FutureExt as _;
use futures_util::future::try_join_all;
use link::Link;
use testkit::{FaultProxy, Redis};
use tokio::time::Instant;

use crate::caller_barrier::CallerBarrier;
use crate::experiment::{Experiment, Trial, TrialOutcome, Variant};
use crate::services::{self, Services};
use crate::shop_table::ShopTable;
use crate::{redis_clock, version};

/// Entries that are cached at the same moment, as a warm-up does.
const ENTRIES: i64 = 200;

/// How long an entry lives, and how much longer at most with jitter.
const TTL: Duration = Duration::from_secs(1_800);
const JITTER: Duration = Duration::from_secs(300);

/// A round of reads, five seconds before or after every tenth second, so that a busy machine shifts nothing into the next.
const ROUND: Duration = Duration::from_secs(10);
const FIRST_ROUND: Duration = Duration::from_secs(1_615);
const LAST_ROUND: Duration = Duration::from_secs(2_105);

/// Readers of each entry, and how often they come, while Redis is down.
const READERS_OF_EACH: i64 = 4;
const WAVES: usize = 3;

/// Queries in ten seconds that are no avalanche: a fifth of the entries.
const CALM: usize = ENTRIES as usize / 5;
/// Queries at the same time that a database of this size serves well.
const AT_ONCE: usize = 64;

/// Reads rows through a cache. A value of it is a process.
trait ExpiringCache: Sized + Send + Sync + 'static {
    /// Starts a process: nothing in memory, a connection of its own.
    fn start(link: Link, rows: Arc<ShopTable>) -> impl Future<Output = Result<Self>> + Send;

    fn get(
        &self,
        id: i64,
        barrier: &CallerBarrier,
    ) -> impl Future<Output = Result<Option<String>>> + Send;
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "avalanche",
    title: (
        "Avalanche: everything ends at once",
        "缓存雪崩：同时失效与 Redis 宕机",
    ),
    what: (
        "Two hundred rows are cached at the same moment and read all the time. How many queries reach the database when the \
         entries end, and when Redis is down?",
        "两百行数据在同一时刻写入缓存，此后一直有人读。缓存到期时、Redis 宕机时，有多少查询打到数据库？",
    ),
    trials: &[WORST_ROUND, REDIS_DOWN, IN_FLIGHT],
    ways: WAYS,
};

const WORST_ROUND: Trial = Trial {
    id: "worst-round",
    title: ("The worst ten seconds", "最糟的十秒"),
    what: (
        "Queries in the worst ten seconds around the end of the entries' lives. A fifth of all rows is no avalanche.",
        "缓存陆续到期的那段时间里，最糟的十秒查询了数据库多少次。不超过总数的五分之一，就不算雪崩。",
    ),
};
const REDIS_DOWN: Trial = Trial {
    id: "redis-down",
    title: ("Redis is down: all queries", "Redis 宕机：总查询数"),
    what: (
        "Redis is gone; three waves of four readers for each row. One query for each row and wave is enough.",
        "Redis 宕机，每行数据来三批、每批四个人：每行每批查一次就够。",
    ),
};
const IN_FLIGHT: Trial = Trial {
    id: "in-flight",
    title: ("Redis is down: queries at a time", "Redis 宕机：同时查询数"),
    what: (
        "The most queries that were under way at the same time meanwhile. More than 64 would be a queue in front of the \
         database.",
        "这期间同时进行的查询最多有多少个。超过 64 个，就是在数据库门口排长队。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "same-ttl",
        title: ("The same TTL for all", "统一的过期时间"),
        why: (
            "What was cached together ends together: all rows are loaded in the same moment. With Redis down every read is a \
             query.",
            "一起写入的一起过期：所有的行在同一刻重新查库。Redis 宕机时，每次读取都是一次查询。",
        ),
        file: "same_ttl.rs",
        code: include_str!("avalanche/same_ttl.rs"),
        run: |services| run::<same_ttl::SameTtl>(services).boxed_local(),
    },
    Variant {
        id: "jittered",
        title: ("TTL plus a random part", "过期时间加随机值"),
        why: (
            "The ends spread over five minutes, and no ten seconds get more than a few. It is no help when Redis is down.",
            "到期时间分散在五分钟里，任何十秒都只有几次查询。但 Redis 宕机时毫无帮助。",
        ),
        file: "jittered.rs",
        code: include_str!("avalanche/jittered.rs"),
        run: |services| run::<jittered::Jittered>(services).boxed_local(),
    },
    Variant {
        id: "two-levels",
        title: (
            "Our cache: jitter, memory, bounded loads",
            "本项目的缓存：随机值 + 本地缓存 + 限制并发",
        ),
        why: (
            "Lives are shortened at random; with Redis down the readers of a row share one query, memory serves the next ones \
             for a second, and no more than 64 queries are under way.",
            "有效期随机缩短；Redis 宕机时，同一行的请求共用一次查询，结果在本地缓存留一秒，同时进行的查询不超过 64 个。",
        ),
        file: "two_levels.rs",
        code: include_str!("avalanche/two_levels.rs"),
        run: |services| run::<two_levels::TwoLevels>(services).boxed_local(),
    },
];

async fn run<C: ExpiringCache>(services: &Services) -> Result<Vec<TrialOutcome>> {
    let rows = Arc::new(ShopTable::open(&services.database().await?.url, ENTRIES).await?);
    let entries = usize::try_from(ENTRIES)?;
    let worst = count_worst_round::<C>(&rows).await?;
    let readers = usize::try_from(ENTRIES * READERS_OF_EACH)?;
    let (all, in_flight) = count_without_redis::<C>(&rows).await?;
    let is_shared = all <= entries * WAVES;
    Ok(vec![
        TrialOutcome::judged(&WORST_ROUND, worst, entries, worst <= CALM),
        TrialOutcome::judged(&REDIS_DOWN, all, readers * WAVES, is_shared),
        TrialOutcome::judged(&IN_FLIGHT, in_flight, readers, in_flight <= AT_ONCE),
    ])
}

/// All entries are cached at once. From before the first end to after the last one, every row is read every ten seconds.
async fn count_worst_round<C: ExpiringCache>(rows: &Arc<ShopTable>) -> Result<usize> {
    let redis = services::start_redis().await;
    let start = async || C::start(version::connect(&redis.url()).await?, rows.clone()).await;
    let process: C = start().await?;
    read_all(&process, 1).await?;
    let mut clock = ShiftedClock::begin(&redis);
    let (mut round, mut worst) = (FIRST_ROUND, 0);
    while round <= LAST_ROUND {
        clock.advance_to(round).await?;
        rows.forget_count();
        // Another process each time: what counts is the cache that all of them share.
        let process: C = start().await?;
        read_all(&process, 1).await?;
        worst = worst.max(rows.count());
        round += ROUND;
    }
    Ok(worst)
}

/// All entries are cached, then Redis is gone. Returns all queries, and the most at the same time.
async fn count_without_redis<C: ExpiringCache>(rows: &Arc<ShopTable>) -> Result<(usize, usize)> {
    let redis = services::start_redis().await;
    let line = FaultProxy::start(redis.addr()).await;
    let link = version::connect(&format!("redis://{}", line.addr())).await?;
    let warm = C::start(link.clone(), rows.clone()).await?;
    read_all(&warm, 1).await?;
    drop(warm);
    let process = C::start(link, rows.clone()).await?;
    line.cut().await;
    rows.forget_count();
    for _ in 0..WAVES {
        read_all(&process, READERS_OF_EACH).await?;
    }
    Ok((rows.count(), rows.most_in_flight()))
}

/// So many readers of every row, at the same moment.
async fn read_all<C: ExpiringCache>(process: &C, readers_of_each: i64) -> Result<()> {
    let ids = (0..ENTRIES * readers_of_each).map(|reader| 1 + reader % ENTRIES);
    let barrier = CallerBarrier::of(ids.clone().count());
    let reads = ids.map(async |id| {
        let found = process.get(id, &barrier).await;
        barrier.leave();
        ensure!(found?.is_some(), "row {id} was misread");
        Ok(())
    });
    try_join_all(reads).await?;
    Ok(())
}

/// The age of the entries: the time that has really passed, and what was added.
struct ShiftedClock<'a> {
    redis: &'a Redis,
    began: Instant,
    added: Duration,
}

impl<'a> ShiftedClock<'a> {
    fn begin(redis: &'a Redis) -> Self {
        Self {
            redis,
            began: Instant::now(),
            added: Duration::ZERO,
        }
    }

    async fn advance_to(&mut self, age: Duration) -> Result<()> {
        let missing = age.saturating_sub(self.began.elapsed() + self.added);
        self.added += missing;
        redis_clock::pass(self.redis, u64::try_from(missing.as_millis())?).await
    }
}
