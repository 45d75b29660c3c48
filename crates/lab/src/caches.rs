//! The tour for reads: four caches of the tutorials and the `cache` crate, under stampede, penetration and avalanche.
//!
//! A trial counts the queries of the database. It is deterministic: in the tutorials' caches a reader that found nothing
//! waits until all readers have looked ([`CallerBarrier`]), which is the worst case.

mod logical_expiry;
mod mutex;
mod no_cache;
mod null_values;
mod two_levels;

use std::sync::Arc;

use anyhow::Result;
use futures_util::future::{FutureExt as _, try_join_all};
use link::Link;

use crate::caller_barrier::CallerBarrier;
use crate::experiment::{self, Experiment, Trial, TrialOutcome};
use crate::services::Services;
use crate::shop_table::ShopTable;
use crate::version;

/// Readers who come at the same moment.
const READERS: i64 = 100;
/// Entries that end at the same moment, and readers of each.
const ENTRIES: i64 = 50;
const READERS_OF_EACH: i64 = 4;
/// Rows with ids from here on do not exist.
const FIRST_MADE_UP: i64 = 1_000_000;
/// Of a hundred absent ids, read twice, so many may pass a Bloom filter with one false positive in a thousand.
const PASSED_BY_MISTAKE: usize = 2;

/// Reads rows through a cache.
trait CachedReader: Sized + Send + Sync + 'static {
    fn open(
        link: Link,
        prefix: String,
        rows: Arc<ShopTable>,
    ) -> impl Future<Output = Result<Self>> + Send;

    /// The row's name, or nothing if there is no such row.
    fn get(
        &self,
        id: i64,
        barrier: &CallerBarrier,
    ) -> impl Future<Output = Result<Option<String>>> + Send;

    /// Puts a row into the cache, before the first read.
    fn warm(&self, id: i64) -> impl Future<Output = Result<()>> + Send;

    /// Expires an entry.
    fn expire(&self, id: i64) -> impl Future<Output = Result<()>> + Send;

    /// Called after a row was added to SQL.
    fn added(&self, _id: i64) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }

    /// Returns when no background task runs.
    fn rest(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "caches",
    title: ("Reading: caching strategies", "读：缓存的几种方案"),
    what: (
        "How many database queries so many reads cause at the worst moment: all readers miss before any of them loads.",
        "在最坏的时刻（所有请求都未命中之后才有人加载），这么多次读取查询了数据库多少次。",
    ),
    trials: &[STAMPEDE, PENETRATION, AVALANCHE, NEW_ROW],
    ways: WAYS,
};

const STAMPEDE: Trial = Trial {
    id: "stampede",
    title: ("Stampede", "缓存击穿"),
    what: (
        "A hot key expires, and a hundred readers read it at once. One load is enough.",
        "一个热点 key 失效，一百个人同时来读：查一次就够。",
    ),
};
const PENETRATION: Trial = Trial {
    id: "penetration",
    title: ("Penetration", "缓存穿透"),
    what: (
        "A hundred ids that do not exist, twice. None needs to be loaded.",
        "一百个不存在的 id，各读两次：一次也不必查。",
    ),
};
const AVALANCHE: Trial = Trial {
    id: "avalanche",
    title: ("Avalanche", "缓存雪崩"),
    what: (
        "Fifty keys expire at once, each with four readers. One load for each is enough.",
        "五十个 key 同时失效，每个四人来读：每个 key 查一次就够。",
    ),
};

const NEW_ROW: Trial = Trial {
    id: "new-row",
    title: ("A new row", "新增的行"),
    what: (
        "A row is read before it exists, then it is added. Of four readers after that, so many find it. All must.",
        "一行数据在新增之前就被读过。新增之后来的四个人，有几个读得到：都应当读得到。",
    ),
};

const WAYS: &[experiment::Variant] = &[
    experiment::Variant {
        id: "no-cache",
        title: ("No cache", "不用缓存"),
        why: (
            "Every read is a database query.",
            "每次读取都查询一次数据库。",
        ),
        file: "no_cache.rs",
        code: include_str!("caches/no_cache.rs"),
        run: |services| run::<no_cache::NoCache>(services).boxed_local(),
    },
    experiment::Variant {
        id: "null-values",
        title: ("Cache-aside with null values", "旁路缓存 + 缓存空值"),
        why: (
            "Absent rows are loaded once; but all readers that miss an expired key load it themselves.",
            "不存在的行只查一次；但缓存一失效，所有未命中的请求都各查一次数据库。",
        ),
        file: "null_values.rs",
        code: include_str!("caches/null_values.rs"),
        run: |services| run::<null_values::NullValues>(services).boxed_local(),
    },
    experiment::Variant {
        id: "mutex",
        title: ("Mutex", "互斥锁重建"),
        why: (
            "One reader loads, the others wait for it: one load per key, and every reader as slow as that load.",
            "一个请求重建、其余的等待：每个 key 只查一次，但所有请求都要等这一次。",
        ),
        file: "mutex.rs",
        code: include_str!("caches/mutex.rs"),
        run: |services| run::<mutex::Mutex>(services).boxed_local(),
    },
    experiment::Variant {
        id: "logical-expiry",
        title: ("Logical expiry", "逻辑过期"),
        why: (
            "No reader waits: the old value is served while one reader rebuilds. Rows that were not warmed up are not found.",
            "没有请求等待：重建期间返回旧值。但没有预热过的数据查不到。",
        ),
        file: "logical_expiry.rs",
        code: include_str!("caches/logical_expiry.rs"),
        run: |services| run::<logical_expiry::LogicalExpiry>(services).boxed_local(),
    },
    experiment::Variant {
        id: "two-levels",
        title: (
            "Our cache: two levels, leases, Bloom filter",
            "本项目的缓存：两级 + 租约 + 布隆过滤器",
        ),
        why: (
            "One load per key in the whole site, old values meanwhile, and absent ids are rejected without a query.",
            "全站每个 key 只查一次，期间返回旧值；不存在的 id 由布隆过滤器直接拦截。",
        ),
        file: "two_levels.rs",
        code: include_str!("caches/two_levels.rs"),
        run: |services| run::<two_levels::TwoLevels>(services).boxed_local(),
    },
];

/// So many entries have just ended, and readers come, wave by wave, each for a row.
struct Rush {
    trial: &'static Trial,
    ended: i64,
    waves: Vec<Vec<i64>>,
    /// Loads that suffice.
    enough: usize,
}

fn rushes() -> [Rush; 3] {
    let made_up: Vec<i64> = (FIRST_MADE_UP..FIRST_MADE_UP + READERS).collect();
    let of_each = (0..ENTRIES * READERS_OF_EACH).map(|reader| 1 + reader % ENTRIES);
    [
        Rush {
            trial: &STAMPEDE,
            ended: 1,
            waves: vec![(0..READERS).map(|_| 1).collect()],
            enough: 1,
        },
        Rush {
            trial: &PENETRATION,
            ended: 0,
            waves: vec![made_up.clone(), made_up],
            enough: PASSED_BY_MISTAKE,
        },
        Rush {
            trial: &AVALANCHE,
            ended: ENTRIES,
            waves: vec![of_each.collect()],
            enough: ENTRIES as usize,
        },
    ]
}

async fn run<W: CachedReader>(services: &Services) -> Result<Vec<TrialOutcome>> {
    let rows = Arc::new(ShopTable::open(&services.database().await?.url, ENTRIES).await?);
    let link = version::connect(&services.redis.url()).await?;
    let mut outcomes = Vec::new();
    for rush in rushes() {
        let way = W::open(link.clone(), unique_prefix(), rows.clone()).await?;
        let loads = count_loads(way, &rows, &rush).await?;
        let reads = rush.waves.iter().map(Vec::len).sum();
        let is_right = loads <= rush.enough;
        outcomes.push(TrialOutcome::judged(rush.trial, loads, reads, is_right));
    }
    let found = find_new_row::<W>(link, rows).await?;
    let readers = READERS_OF_EACH as usize;
    outcomes.push(TrialOutcome::judged(
        &NEW_ROW,
        found,
        readers,
        found == readers,
    ));
    Ok(outcomes)
}

async fn count_loads<W: CachedReader>(way: W, rows: &ShopTable, rush: &Rush) -> Result<usize> {
    let way = Arc::new(way);
    for id in 1..=rush.ended {
        way.warm(id).await?;
    }
    for id in 1..=rush.ended {
        way.expire(id).await?;
    }
    rows.forget_count();
    for wave in &rush.waves {
        let barrier = Arc::new(CallerBarrier::of(wave.len()));
        let readers = wave
            .iter()
            .map(|id| read(way.clone(), *id, barrier.clone()));
        try_join_all(readers).await?;
        way.rest().await;
    }
    Ok(rows.count())
}

/// How many readers find a row that was read before it existed.
async fn find_new_row<W: CachedReader>(link: Link, rows: Arc<ShopTable>) -> Result<usize> {
    const ID: i64 = ENTRIES + 1;
    let way = W::open(link, unique_prefix(), rows.clone()).await?;
    way.get(ID, &CallerBarrier::of(1)).await?;
    rows.add(ID).await?;
    way.added(ID).await?;
    let mut found = 0;
    for _ in 0..READERS_OF_EACH {
        let row = way.get(ID, &CallerBarrier::of(1)).await?;
        found += usize::from(row.is_some());
    }
    Ok(found)
}

/// What the keys of one trial begin with, so that none sees those of another.
fn unique_prefix() -> String {
    format!("lab{:016x}.", rand::random::<u64>())
}

async fn read<W: CachedReader>(way: Arc<W>, id: i64, barrier: Arc<CallerBarrier>) -> Result<()> {
    let reader = tokio::spawn(async move {
        let found = way.get(id, &barrier).await;
        barrier.leave();
        anyhow::ensure!(
            found?.is_some() == (id < FIRST_MADE_UP),
            "row {id} was misread"
        );
        Ok(())
    });
    reader.await?
}
