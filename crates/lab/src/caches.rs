//! The same walk for reading: four ways of the notes and the `cache` crate, under stampede, penetration and avalanche.
//!
//! What is counted is how often the database is asked. Chance is taken out of it: in the ways of the notes a reader that
//! found nothing waits until everybody has looked ([`Meeting`]), which is the worst moment there is.

mod logical_expiry;
mod meeting;
mod mutex;
mod no_cache;
mod null_values;
mod rows;
mod two_levels;

use std::sync::Arc;

use anyhow::Result;
use futures_util::future::{BoxFuture, FutureExt as _, try_join_all};
use link::Link;
use serde::{Deserialize, Serialize};

use crate::ground::Ground;
use crate::version;
use crate::words::Words;
use meeting::Meeting;
use rows::Rows;

/// Readers who come at the same moment.
const READERS: i64 = 100;
/// Entries that end at the same moment, and readers of each.
const ENTRIES: i64 = 50;
const READERS_OF_EACH: i64 = 4;
/// Rows with ids from here on do not exist.
const FIRST_MADE_UP: i64 = 1_000_000;

/// One way of reading a row by way of a cache.
trait Way: Sized + Send + Sync + 'static {
    fn open(
        link: Link,
        prefix: String,
        rows: Arc<Rows>,
    ) -> impl Future<Output = Result<Self>> + Send;

    /// The row's name, or nothing if there is no such row.
    fn get(
        &self,
        id: i64,
        meeting: &Meeting,
    ) -> impl Future<Output = Result<Option<String>>> + Send;

    /// Puts a row into the cache, before anybody asks.
    fn warm(&self, id: i64) -> impl Future<Output = Result<()>> + Send;

    /// Lets the lifetime of an entry be over.
    fn expire(&self, id: i64) -> impl Future<Output = Result<()>> + Send;

    /// Returns when nothing goes on in the background.
    fn rest(&self) -> impl Future<Output = ()> + Send {
        async {}
    }
}

/// How a cache is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CacheTrial {
    /// One popular entry ends, and a hundred readers come at once.
    Stampede,
    /// A hundred ids that do not exist, twice.
    Penetration,
    /// Fifty entries end at once, each with four readers.
    Avalanche,
}

/// What a trial showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CacheFinding {
    pub trial: CacheTrial,
    pub reads: usize,
    /// How often the database was asked.
    pub loads: usize,
}

/// What the trials of one way show, when they are over.
type Findings = BoxFuture<'static, Result<Vec<CacheFinding>>>;

/// A way with its name and file.
pub(crate) struct WayEntry {
    pub(crate) id: &'static str,
    pub(crate) title: (&'static str, &'static str),
    pub(crate) why: (&'static str, &'static str),
    pub(crate) file: &'static str,
    pub(crate) code: &'static str,
    run: fn(Link, Arc<Rows>) -> Findings,
}

impl CacheTrial {
    pub(crate) const ALL: [Self; 3] = [Self::Stampede, Self::Penetration, Self::Avalanche];

    pub(crate) fn title(self) -> Words {
        match self {
            Self::Stampede => Words::new("Stampede", "缓存击穿"),
            Self::Penetration => Words::new("Penetration", "缓存穿透"),
            Self::Avalanche => Words::new("Avalanche", "缓存雪崩"),
        }
    }
}

pub(crate) const WAYS: &[WayEntry] = &[
    WayEntry {
        id: "no-cache",
        title: ("No cache", "不用缓存"),
        why: (
            "Every read is a question to the database.",
            "每次读取都要问一次数据库。",
        ),
        file: "no_cache.rs",
        code: include_str!("caches/no_cache.rs"),
        run: |link, rows| run::<no_cache::NoCache>(link, rows).boxed(),
    },
    WayEntry {
        id: "null-values",
        title: ("Cache-aside with null values", "旁路缓存 + 缓存空值"),
        why: (
            "Absent rows are asked for once; but all who find an entry gone load it themselves.",
            "不存在的行只查一次；但缓存一失效，所有扑空的人都各查一次数据库。",
        ),
        file: "null_values.rs",
        code: include_str!("caches/null_values.rs"),
        run: |link, rows| run::<null_values::NullValues>(link, rows).boxed(),
    },
    WayEntry {
        id: "mutex",
        title: ("Mutex", "互斥锁重建"),
        why: (
            "One loads, the others wait for it: one load per entry, and everybody as slow as that load.",
            "一个人重建、其余的人等待：每个键只查一次，但大家都要等这一次。",
        ),
        file: "mutex.rs",
        code: include_str!("caches/mutex.rs"),
        run: |link, rows| run::<mutex::Mutex>(link, rows).boxed(),
    },
    WayEntry {
        id: "logical-expiry",
        title: ("Logical expiry", "逻辑过期"),
        why: (
            "Nobody waits: the old value is served while one rebuilds. What was not warmed up is not found at all.",
            "没有人等待：重建期间返回旧值。但没有预热过的数据根本查不到。",
        ),
        file: "logical_expiry.rs",
        code: include_str!("caches/logical_expiry.rs"),
        run: |link, rows| run::<logical_expiry::LogicalExpiry>(link, rows).boxed(),
    },
    WayEntry {
        id: "two-levels",
        title: (
            "Our `cache`: two levels, leases, Bloom filter",
            "本项目的 `cache`：两级缓存 + 租约 + 布隆过滤器",
        ),
        why: (
            "One load per entry in the whole site, old values meanwhile, and made-up ids are turned away unasked.",
            "全站每个键只查一次，期间返回旧值；编造的 id 不查任何地方就被挡下。",
        ),
        file: "two_levels.rs",
        code: include_str!("caches/two_levels.rs"),
        run: |link, rows| run::<two_levels::TwoLevels>(link, rows).boxed(),
    },
];

/// Tries every way, in order; `progress` hears the name of each before it begins.
pub async fn run_caches(
    ground: &Ground,
    progress: impl Fn(&str),
) -> Result<Vec<(&'static str, Vec<CacheFinding>)>> {
    let mut all = Vec::new();
    for way in WAYS {
        progress(way.id);
        let rows = Arc::new(Rows::open(&ground.database().await?.url, ENTRIES).await?);
        let link = version::connect(&ground.redis.url()).await?;
        all.push((way.id, (way.run)(link, rows).await?));
    }
    Ok(all)
}

async fn run<W: Way>(link: Link, rows: Arc<Rows>) -> Result<Vec<CacheFinding>> {
    let mut findings = Vec::new();
    for trial in CacheTrial::ALL {
        let prefix = format!("lab{:016x}.", rand::random::<u64>());
        let way = Arc::new(W::open(link.clone(), prefix, rows.clone()).await?);
        let waves = prepare(&*way, trial).await?;
        rows.forget_count();
        for wave in &waves {
            let meeting = Arc::new(Meeting::of(wave.len()));
            let readers = wave
                .iter()
                .map(|id| read(way.clone(), *id, meeting.clone()));
            try_join_all(readers).await?;
            way.rest().await;
        }
        findings.push(CacheFinding {
            trial,
            reads: waves.iter().map(Vec::len).sum(),
            loads: rows.count(),
        });
    }
    Ok(findings)
}

/// Brings the cache into the state the trial begins with, and says who then reads what, wave by wave.
async fn prepare<W: Way>(way: &W, trial: CacheTrial) -> Result<Vec<Vec<i64>>> {
    let (entries, waves) = match trial {
        CacheTrial::Stampede => (1, vec![(0..READERS).map(|_| 1).collect()]),
        CacheTrial::Penetration => {
            let made_up: Vec<i64> = (FIRST_MADE_UP..FIRST_MADE_UP + READERS).collect();
            (0, vec![made_up.clone(), made_up])
        }
        CacheTrial::Avalanche => {
            let reader = |n: i64| 1 + n % ENTRIES;
            (
                ENTRIES,
                vec![(0..ENTRIES * READERS_OF_EACH).map(reader).collect()],
            )
        }
    };
    for id in 1..=entries {
        way.warm(id).await?;
    }
    for id in 1..=entries {
        way.expire(id).await?;
    }
    Ok(waves)
}

async fn read<W: Way>(way: Arc<W>, id: i64, meeting: Arc<Meeting>) -> Result<()> {
    let reader = tokio::spawn(async move {
        let found = way.get(id, &meeting).await;
        meeting.leave();
        anyhow::ensure!(
            found?.is_some() == (id < FIRST_MADE_UP),
            "row {id} was misread"
        );
        Ok(())
    });
    reader.await?
}
