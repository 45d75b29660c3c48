//! Rate limits: from a counter in one process to one script for all processes.
//!
//! Time is simulated: every request has its time, and keys in Redis expire when the trial says so. Where an implementation
//! reads first and writes later, a [`CallerBarrier`] interleaves others.

mod gcra;
mod incr_expire;
mod process_counter;
mod sliding_log;

use anyhow::{Context as _, Result};
use futures_util::FutureExt as _;
use link::Link;
use testkit::Redis;

use crate::caller_barrier::CallerBarrier;
use crate::experiment::{Experiment, Trial, TrialOutcome, Variant};
use crate::{redis_clock, services, version};

/// The limit of every user: ten in ten minutes.
const LIMIT: u32 = 10;
const PERIOD_MS: u64 = 600_000;

/// One implementation of a limit.
trait Limiter: Sized + Send + Sync + 'static {
    /// Starts a process: nothing in memory, a connection of its own.
    fn start(link: Link) -> impl Future<Output = Result<Self>> + Send;

    /// Whether a request at this time may pass.
    fn take(
        &self,
        now_ms: u64,
        barrier: &CallerBarrier,
    ) -> impl Future<Output = Result<bool>> + Send;
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "limits",
    title: ("Rate limits", "限流"),
    what: (
        "Ten requests in ten minutes are allowed. How many passed?",
        "十分钟只许十个请求。实际放行了多少？",
    ),
    trials: &[TWO_PROCESSES, BOUNDARY, LAST_PLACE, KILL],
    ways: WAYS,
};

const TWO_PROCESSES: Trial = Trial {
    id: "two-processes",
    title: ("Two processes", "两个进程"),
    what: (
        "Ten requests at each of two processes, at the same time. Ten may pass.",
        "同一时刻，两个进程各来十个请求：只该放行十个。",
    ),
};
const BOUNDARY: Trial = Trial {
    id: "boundary",
    title: ("Around the end of a window", "窗口交界"),
    what: (
        "One request opens the window; ten come ten seconds before it ends and ten more right after. Of these twenty, \
         within ten seconds, ten may pass.",
        "一个请求开启窗口；窗口结束前十秒来十个，刚结束又来十个。这十秒里的二十个只该放行十个。",
    ),
};
const LAST_PLACE: Trial = Trial {
    id: "last-place",
    title: ("Two for the last slot", "抢最后一个名额"),
    what: (
        "Nine have passed; two requests at two processes both read before either writes. Ten may pass in all.",
        "已放行九个；两个进程上的两个请求都先读、再写。总共只该放行十个。",
    ),
};
const KILL: Trial = Trial {
    id: "kill",
    title: ("kill -9 in between", "中途 kill -9"),
    what: (
        "The process of the first request dies at the worst moment, and others use up the limit. Two periods later there \
         are ten requests. All ten must pass.",
        "第一个请求的进程死在最糟的一刻，名额随后被用完。两个周期之后再来十个请求：十个都该放行。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "process-counter",
        title: ("Counter in the process", "进程内计数器"),
        why: (
            "Each process counts alone, so two let twice as many pass; and around the end of a window nearly \
             twice as many pass again.",
            "每个进程各数各的，两个进程就放行两倍；窗口交界处又能放行将近两倍。",
        ),
        file: "process_counter.rs",
        code: include_str!("limits/process_counter.rs"),
        run: |_| run::<process_counter::ProcessCounter>().boxed_local(),
    },
    Variant {
        id: "incr-expire",
        title: (
            "Fixed window: INCR, then EXPIRE",
            "固定窗口：INCR 再 EXPIRE",
        ),
        why: (
            "All processes share one counter. But a full window may be followed at once by another; and a process that dies \
             between the two commands leaves a counter that never expires: no request passes any more.",
            "所有进程共用一个计数器。但用满一个窗口后，下一个窗口马上又能用满；在两条命令之间崩溃，计数器就永不过期，所有请求都被拒绝。",
        ),
        file: "incr_expire.rs",
        code: include_str!("limits/incr_expire.rs"),
        run: |_| run::<incr_expire::IncrExpire>().boxed_local(),
    },
    Variant {
        id: "sliding-log",
        title: (
            "Sliding log: ZCARD, then ZADD",
            "滑动窗口日志：ZCARD 再 ZADD",
        ),
        why: (
            "Exact at every moment, for an entry per request. But it reads and then writes: two requests both find \
             the last slot free.",
            "任何时刻都准确，代价是每个请求记一条。但它先读再写：两个请求都读到最后一个名额空着。",
        ),
        file: "sliding_log.rs",
        code: include_str!("limits/sliding_log.rs"),
        run: |_| run::<sliding_log::SlidingLog>().boxed_local(),
    },
    Variant {
        id: "gcra",
        title: (
            "One script, one number: GCRA (as this site does)",
            "一段脚本、一个数：GCRA（本站的做法）",
        ),
        why: (
            "One number stores when the allowance is full again, and one script reads and writes it: ten at once, then one \
             a minute, for all processes together.",
            "一个数记录额度何时恢复满，一段脚本原子地读写：一次最多十个，此后每分钟一个，所有进程共用。",
        ),
        file: "gcra.rs",
        code: include_str!("limits/gcra.rs"),
        run: |_| run::<gcra::Gcra>().boxed_local(),
    },
];

/// A Redis of its own, and the time of day.
struct Site {
    redis: Redis,
    now_ms: u64,
}

impl Site {
    async fn open() -> Self {
        let redis = services::start_redis().await;
        // Windows by the clock begin at whole periods.
        let now_ms = PERIOD_MS * 1_000;
        Self { redis, now_ms }
    }

    async fn start<L: Limiter>(&self) -> Result<L> {
        L::start(version::connect(&self.redis.url()).await?).await
    }

    /// Time passes, for the processes and for what Redis keeps for a while.
    async fn pass(&mut self, ms: u64) -> Result<()> {
        self.now_ms += ms;
        redis_clock::pass(&self.redis, ms).await
    }

    /// So many requests, one after the other; how many of them passed?
    async fn ask<L: Limiter>(&self, process: &L, requests: u32) -> Result<u32> {
        let mut passed = 0;
        for _ in 0..requests {
            let nobody_else = CallerBarrier::of(1);
            passed += u32::from(process.take(self.now_ms, &nobody_else).await?);
        }
        Ok(passed)
    }
}

async fn run<L: Limiter>() -> Result<Vec<TrialOutcome>> {
    let judge = |trial, passed, is_right| {
        TrialOutcome::judged(trial, passed as usize, LIMIT as usize, is_right)
    };
    let no_more = |trial, passed| judge(trial, passed, passed <= LIMIT);
    let passed_later = ask_after_kill::<L>().await?;
    Ok(vec![
        no_more(&TWO_PROCESSES, ask_two_processes::<L>().await?),
        no_more(&BOUNDARY, ask_around_boundary::<L>().await?),
        no_more(&LAST_PLACE, ask_for_last_place::<L>().await?),
        judge(&KILL, passed_later, passed_later == LIMIT),
    ])
}

async fn ask_two_processes<L: Limiter>() -> Result<u32> {
    let site = Site::open().await;
    let (one, two): (L, L) = (site.start().await?, site.start().await?);
    Ok(site.ask(&one, LIMIT).await? + site.ask(&two, LIMIT).await?)
}

async fn ask_around_boundary<L: Limiter>() -> Result<u32> {
    const BEFORE_END_MS: u64 = 10_000;
    let mut site = Site::open().await;
    let process: L = site.start().await?;
    site.ask(&process, 1).await?;
    site.pass(PERIOD_MS - BEFORE_END_MS).await?;
    let before = site.ask(&process, LIMIT).await?;
    site.pass(BEFORE_END_MS).await?;
    Ok(before + site.ask(&process, LIMIT).await?)
}

async fn ask_for_last_place<L: Limiter>() -> Result<u32> {
    let site = Site::open().await;
    let (one, two): (L, L) = (site.start().await?, site.start().await?);
    let before = site.ask(&one, LIMIT - 1).await?;
    let barrier = CallerBarrier::of(2);
    let take = async |process: &L| {
        let passed = process.take(site.now_ms, &barrier).await;
        barrier.leave();
        passed
    };
    let (first, second) = tokio::join!(take(&one), take(&two));
    Ok(before + u32::from(first?) + u32::from(second?))
}

async fn ask_after_kill<L: Limiter>() -> Result<u32> {
    let mut site = Site::open().await;
    let killed: L = site.start().await?;
    // The other one it waits for does not come.
    let barrier = CallerBarrier::of(2);
    tokio::select! {
        taken = killed.take(site.now_ms, &barrier) => {
            taken.context("it has no such moment")?;
        }
        () = barrier.missing_are(1) => {}
    }
    drop(killed);
    let process: L = site.start().await?;
    site.ask(&process, LIMIT).await?;
    site.pass(PERIOD_MS * 2).await?;
    site.ask(&process, LIMIT).await
}
