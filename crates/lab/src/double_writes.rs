//! The double write: a row changes in SQL, and its copy in the cache must not outlive the change.
//!
//! A trial plays every order of the steps of one reader and one writer, then lets a process without any memory read: a value
//! that is not SQL's is a stale survivor. The reader is the cache-aside of the tutorials; only the last variant has its own.

mod cache_aside;
mod delayed_double_delete;
mod delete_then_write;
mod leased_fill;
mod shop_row;
mod write_then_delete;

use std::sync::Arc;

use anyhow::{Context as _, Result};
use futures_util::FutureExt as _;
use link::Link;
use testkit::Redis;

use crate::experiment::{Experiment, Trial, TrialOutcome, Variant};
use crate::schedule_walk::next_plan;
use crate::services::{self, Services};
use crate::step_by_step::{Act, SteppedTask, play};
use crate::step_control::StepControl;
use crate::version;
use shop_row::ShopRow;

/// How long an entry lives, as in the tutorials.
const TTL_SECS: u64 = 1_800;

/// More schedules than a reader and a writer of three steps each have.
const MAX_SCHEDULES: usize = 100;

const OLD: &str = "old name";
const NEW: &str = "new name";

/// Reads and changes one row through a cache. A value of it is a process.
trait CachedRow: Sized + Send + Sync + 'static {
    /// Starts a process: nothing in memory, a connection of its own.
    fn start(link: Link, row: Arc<ShopRow>) -> impl Future<Output = Result<Self>> + Send;

    /// The row's name, and what the reader did last.
    fn read(&self, steps: &StepControl) -> impl Future<Output = Result<RowRead>> + Send;

    /// Changes the row; returns what the writer did last.
    fn write(
        &self,
        name: &str,
        steps: &StepControl,
    ) -> impl Future<Output = Result<&'static str>> + Send;

    /// What a process does when it starts after another one died.
    fn recover(&self) -> impl Future<Output = Result<()>> + Send {
        async { Ok(()) }
    }
}

/// A name as read through the cache, and the last event of its reader.
struct RowRead {
    name: String,
    last: &'static str,
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "double-writes",
    title: (
        "Changing a row: SQL and the cache",
        "写：数据库与缓存的双写一致",
    ),
    what: (
        "One reader and one writer, in every order of their steps. Afterwards another process reads: in how many schedules \
         does it get a value that SQL no longer has?",
        "一个读请求、一个写请求，把各步骤的所有先后次序都试一遍，之后再由另一个进程来读：有多少种时序，它读到的是数据库里早已没有的旧值？",
    ),
    trials: &[EMPTY, CACHED, CRASH, STALE_FOR],
    ways: WAYS,
};

const EMPTY: Trial = Trial {
    id: "empty",
    title: ("The cache is empty", "缓存里没有"),
    what: (
        "The reader misses, reads SQL and stores what it read, while the writer changes the row. No schedule may leave the \
         old value behind.",
        "读请求未命中，查数据库再写缓存；同时写请求在修改这一行。任何时序都不应留下旧值。",
    ),
};
const CACHED: Trial = Trial {
    id: "cached",
    title: ("The old value is cached", "缓存里是旧值"),
    what: (
        "The same, with the old value in the cache before. No schedule may leave it, or bring it back.",
        "同上，但缓存里事先就有旧值。任何时序都不应把它留下，也不应让它又回来。",
    ),
};
const CRASH: Trial = Trial {
    id: "crash",
    title: ("kill -9 of the writer", "写到一半 kill -9"),
    what: (
        "The old value is cached; the writer dies at each of its steps, another process starts, and a reader comes. At no \
         step may the death leave a value that SQL does not have.",
        "缓存里是旧值，写请求的进程在每一步各死一次，另一个进程随后启动，再来一个读请求：死在哪一步，都不应读到数据库里没有的值。",
    ),
};
const STALE_FOR: Trial = Trial {
    id: "stale-for",
    title: ("For how long", "旧值留多久"),
    what: (
        "The longest that a stale value stays in the cache after the worst of all these schedules, in seconds. An entry lives \
         for 1800.",
        "在上面最坏的时序里，旧值会在缓存里留多少秒。缓存的有效期是 1800 秒。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "delete-then-write",
        title: ("Delete the entry, then write SQL", "先删缓存，再写数据库"),
        why: (
            "Between the two there is time for a reader to miss, to read the old row and to store it again: in more than half \
             of all schedules the old value stays until it expires.",
            "两步之间，读请求有足够的时间未命中、读到旧行、再写回缓存：一半以上的时序会把旧值一直留到过期。",
        ),
        file: "delete_then_write.rs",
        code: include_str!("double_writes/delete_then_write.rs"),
        run: |services| run::<delete_then_write::DeleteThenWrite>(services).boxed_local(),
    },
    Variant {
        id: "write-then-delete",
        title: ("Write SQL, then delete the entry", "先写数据库，再删缓存"),
        why: (
            "One schedule is left: a reader that has read the old row stores it after the delete. And a writer that dies in \
             between deletes nothing at all.",
            "只剩一种时序会出错：读请求先读到旧行，等缓存删完之后才写回去。另外，写请求死在两步之间，缓存就没人删了。",
        ),
        file: "write_then_delete.rs",
        code: include_str!("double_writes/write_then_delete.rs"),
        run: |services| run::<write_then_delete::WriteThenDelete>(services).boxed_local(),
    },
    Variant {
        id: "delayed-double-delete",
        title: ("Delayed double delete", "延迟双删"),
        why: (
            "The second delete removes what readers stored during the pause. It is a bet on the length of the pause: a reader \
             that takes longer still stores the old value for good.",
            "第二次删除会清掉停顿期间写回的旧值。停顿多久全凭猜测：读请求只要比它更慢，旧值照样留到过期。",
        ),
        file: "delayed_double_delete.rs",
        code: include_str!("double_writes/delayed_double_delete.rs"),
        run: |services| run::<delayed_double_delete::DelayedDoubleDelete>(services).boxed_local(),
    },
    Variant {
        id: "leased-fill",
        title: (
            "Our cache: leased fills and an outbox",
            "本项目的缓存：凭租约回填 + 发件箱补删",
        ),
        why: (
            "Invalidating deletes the lease of a reader under way, so Redis refuses its fill; and a row that is written with the \
             change makes the next process repeat an invalidation that was lost.",
            "失效操作会收回正在回填的读请求的租约，Redis 拒绝它写入旧值；和业务数据同一个事务写下的发件箱记录，保证丢掉的失效操作由下一个进程补上。",
        ),
        file: "leased_fill.rs",
        code: include_str!("double_writes/leased_fill.rs"),
        run: |services| run::<leased_fill::LeasedFill>(services).boxed_local(),
    },
];

/// What the cache holds when a trial begins.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CacheBefore {
    Empty,
    OldValue,
}

/// A Redis and a row of its own.
struct Site {
    redis: Redis,
    row: Arc<ShopRow>,
    /// The longest that a stale entry had left to live.
    stale_secs: usize,
}

impl Site {
    async fn open(services: &Services) -> Result<Self> {
        Ok(Self {
            redis: services::start_redis().await,
            row: Arc::new(ShopRow::open(&services.database().await?.url).await?),
            stale_secs: 0,
        })
    }

    async fn start<W: CachedRow>(&self) -> Result<Arc<W>> {
        let link = version::connect(&self.redis.url()).await?;
        Ok(Arc::new(W::start(link, self.row.clone()).await?))
    }

    async fn begin<W: CachedRow>(&self, before: CacheBefore) -> Result<()> {
        self.redis.flush().await;
        self.row.reset(OLD).await?;
        if before == CacheBefore::OldValue {
            let process: Arc<W> = self.start().await?;
            process.read(&StepControl::free()).await?;
        }
        Ok(())
    }

    /// Whether a process without memory reads something else than SQL has.
    async fn is_stale<W: CachedRow>(&mut self) -> Result<bool> {
        let process: Arc<W> = self.start().await?;
        let read = process.read(&StepControl::free()).await?;
        let is_stale = read.name != self.row.name().await?;
        if is_stale {
            self.stale_secs = self.stale_secs.max(self.longest_life_secs().await?);
        }
        Ok(is_stale)
    }

    async fn longest_life_secs(&self) -> Result<usize> {
        let mut redis = self.redis.connection().await;
        let keys: Vec<String> = redis::cmd("KEYS").arg("*").query_async(&mut redis).await?;
        let mut longest_ms = 0;
        for key in keys {
            let left_ms: i64 = redis::cmd("PTTL").arg(&key).query_async(&mut redis).await?;
            longest_ms = longest_ms.max(left_ms);
        }
        Ok(usize::try_from(longest_ms)?.div_ceil(1_000))
    }
}

async fn run<W: CachedRow>(services: &Services) -> Result<Vec<TrialOutcome>> {
    let mut site = Site::open(services).await?;
    let mut outcomes = vec![
        try_schedules::<W>(&mut site, &EMPTY, CacheBefore::Empty).await?,
        try_schedules::<W>(&mut site, &CACHED, CacheBefore::OldValue).await?,
        kill_writer::<W>(&mut site).await?,
    ];
    let (stale, of) = (site.stale_secs, usize::try_from(TTL_SECS)?);
    outcomes.push(TrialOutcome::judged(&STALE_FOR, stale, of, stale == 0));
    Ok(outcomes)
}

/// Every order of the steps of a reader and a writer in two processes.
async fn try_schedules<W: CachedRow>(
    site: &mut Site,
    trial: &'static Trial,
    before: CacheBefore,
) -> Result<TrialOutcome> {
    let (mut plan, mut schedules, mut stale) = (Vec::new(), 0, 0);
    let mut first_stale = Vec::new();
    for _ in 0..MAX_SCHEDULES {
        site.begin::<W>(before).await?;
        let acts = [
            ("reader", reader::<W>(site.start().await?)),
            ("writer", writer::<W>(site.start().await?)),
        ];
        let played = play(acts, &plan).await?;
        schedules += 1;
        if site.is_stale::<W>().await? {
            stale += 1;
            if first_stale.is_empty() {
                first_stale = played.moments;
            }
        }
        match next_plan(played.choices) {
            Some(next) => plan = next,
            None => {
                let outcome = TrialOutcome::judged(trial, stale, schedules, stale == 0);
                return Ok(TrialOutcome {
                    moments: first_stale,
                    ..outcome
                });
            }
        }
    }
    anyhow::bail!("more schedules than {MAX_SCHEDULES}")
}

/// The writer goes as far as each of its steps and no further.
async fn kill_writer<W: CachedRow>(site: &mut Site) -> Result<TrialOutcome> {
    let (mut deaths, mut stale) = (0, 0);
    loop {
        site.begin::<W>(CacheBefore::OldValue).await?;
        let (mut task, _) = SteppedTask::start(writer::<W>(site.start().await?)).await?;
        for _ in 0..deaths {
            if !task.is_done() {
                task.advance().await?;
            }
        }
        if task.is_done() {
            return Ok(TrialOutcome::judged(&CRASH, stale, deaths, stale == 0));
        }
        drop(task);
        deaths += 1;
        let next: Arc<W> = site.start().await?;
        next.recover().await.context("a process starts")?;
        stale += usize::from(site.is_stale::<W>().await?);
    }
}

fn reader<W: CachedRow>(process: Arc<W>) -> Act {
    Box::new(|steps| async move { Ok(process.read(&steps).await?.last) }.boxed())
}

fn writer<W: CachedRow>(process: Arc<W>) -> Act {
    Box::new(|steps| async move { process.write(NEW, &steps).await }.boxed())
}
