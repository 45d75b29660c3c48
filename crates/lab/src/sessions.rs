//! Sessions: from the memory of one process to one that all processes share and that none serves for too long.
//!
//! A *process* is a value with a memory and a connection of its own; a restart creates a new value. Its connection to Redis
//! can be cut.

mod process_memory;
mod redis_and_memory;
mod redis_session;
mod signed_token;
mod tracked;

use std::time::Duration;

use anyhow::Result;
use futures_util::FutureExt as _;
use link::Link;
use testkit::{FaultProxy, Redis};
use tokio::time::{Instant, sleep};

use crate::experiment::{Experiment, Trial, TrialOutcome, Variant};
use crate::{services, version};

/// Requests that are counted in every trial but the last.
const REQUESTS: usize = 3;
/// Requests of somebody who looks around for a while.
const BUSY_REQUESTS: usize = 100;

/// How long a process may take to hear that a session has ended. On one machine it takes a thousandth of this.
const NEWS_LIMIT: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(5);

const USER: i64 = 7;

/// One way of knowing who asks.
trait Sessions: Sized + Send + Sync + 'static {
    /// Starts a process: nothing in memory, a connection of its own.
    fn start(link: Link) -> impl Future<Output = Result<Self>> + Send;

    /// Returns the token that the person's requests carry from here on.
    fn sign_in(&self, user: i64) -> impl Future<Output = Result<String>> + Send;

    /// Whose token this is, if it is good.
    fn who(&self, token: &str) -> impl Future<Output = Result<Option<i64>>> + Send;

    /// From here on the token must be good for nothing.
    fn sign_out(&self, token: &str) -> impl Future<Output = Result<()>> + Send;
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "sessions",
    title: ("Who is signed in: sessions", "谁登录了：会话"),
    what: (
        "One person, two processes behind a load balancer that picks either.",
        "一个人，负载均衡后面有两个进程，请求可能落到任何一个。",
    ),
    trials: &[OTHER_PROCESS, RESTART, SIGN_OUT, CUT_OFF, PRICE],
    ways: WAYS,
};

const OTHER_PROCESS: Trial = Trial {
    id: "other-process",
    title: ("The other process", "落到另一个进程"),
    what: (
        "Signs in at process 1; three requests at process 2. All must be answered.",
        "在进程 1 登录，三个请求落到进程 2：都应当认得。",
    ),
};
const RESTART: Trial = Trial {
    id: "restart",
    title: ("Restart", "重启"),
    what: (
        "Signs in, the process is started again (a new release), three requests. All must be answered.",
        "登录之后进程重启（比如发布新版本），再来三个请求：都应当认得。",
    ),
};
const SIGN_OUT: Trial = Trial {
    id: "sign-out",
    title: ("Signed out", "退出登录"),
    what: (
        "Signed in at process 2, signs out by way of process 1. Within five seconds process 2 must know it: of three \
         requests with the old token none may be answered.",
        "在进程 2 登录，退出的请求落到进程 1。五秒之内进程 2 必须知道：拿旧令牌来的三个请求，一个也不该认。",
    ),
};
const CUT_OFF: Trial = Trial {
    id: "cut-off",
    title: ("Signed out unheard", "退出时断网"),
    what: (
        "The same, but process 2 has lost its line to Redis and cannot hear of it. Whoever cannot know must not let in.",
        "同上，但进程 2 与 Redis 断了线，听不到退出的消息。无从知道，就不该放行。",
    ),
};
const PRICE: Trial = Trial {
    id: "price",
    title: ("Price", "代价"),
    what: (
        "A hundred requests of one person: how often Redis was asked.",
        "同一个人一百个请求：问了 Redis 多少次。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "process-memory",
        title: ("In the memory of the process", "进程内存（Tomcat Session）"),
        why: (
            "Only the process that signed somebody in knows them, until it is started again; and a sign-out that \
             arrives at another process ends nothing.",
            "只有办理登录的进程认得，重启就忘；退出的请求落到别的进程，什么也没结束。",
        ),
        file: "process_memory.rs",
        code: include_str!("sessions/process_memory.rs"),
        run: |_| run::<process_memory::ProcessMemory>().boxed_local(),
    },
    Variant {
        id: "signed-token",
        title: ("Signed token (JWT)", "签名令牌（JWT）"),
        why: (
            "Every process can check it and nothing is stored; for the same reason nothing can be taken back before \
             it ends by itself.",
            "每个进程都能验签，什么都不用存；正因为什么都没存，到期之前谁也收不回来。",
        ),
        file: "signed_token.rs",
        code: include_str!("sessions/signed_token.rs"),
        run: |_| run::<signed_token::SignedToken>().boxed_local(),
    },
    Variant {
        id: "redis-session",
        title: ("In Redis", "Redis 会话"),
        why: (
            "All processes ask the same place, so all know the same: right, for one question to Redis per request.",
            "所有进程问的是同一处，知道的也一样：正确，代价是每个请求问一次 Redis。",
        ),
        file: "redis_session.rs",
        code: include_str!("sessions/redis_session.rs"),
        run: |_| run::<redis_session::RedisSession>().boxed_local(),
    },
    Variant {
        id: "redis-and-memory",
        title: ("In Redis, with a copy in memory", "Redis 会话 + 本地缓存"),
        why: (
            "The copy saves the questions, and goes on letting in whoever signed out elsewhere, until it ends.",
            "本地副本省下了提问，也让已在别处退出的人继续通行，直到副本到期。",
        ),
        file: "redis_and_memory.rs",
        code: include_str!("sessions/redis_and_memory.rs"),
        run: |_| run::<redis_and_memory::RedisAndMemory>().boxed_local(),
    },
    Variant {
        id: "tracked",
        title: (
            "A copy that Redis takes back (as this site does)",
            "由 Redis 通知作废的副本（本站的做法）",
        ),
        why: (
            "Redis tells every process which sessions changed, and a process that cannot hear it trusts no copy: as \
             right as asking, and nearly free.",
            "哪个会话变了，Redis 会告诉每个进程；听不到通知的进程不信任何副本：和每次都问一样正确，几乎不花代价。",
        ),
        file: "tracked.rs",
        code: include_str!("sessions/tracked.rs"),
        run: |_| run::<tracked::Tracked>().boxed_local(),
    },
];

/// A Redis of their own for two processes, and a line for each.
struct Site {
    redis: Redis,
    lines: [FaultProxy; 2],
}

impl Site {
    async fn open() -> Self {
        let redis = services::start_redis().await;
        let lines = [
            FaultProxy::start(redis.addr()).await,
            FaultProxy::start(redis.addr()).await,
        ];
        Self { redis, lines }
    }

    async fn start<S: Sessions>(&self, process: usize) -> Result<S> {
        let url = format!("redis://{}", self.lines[process].addr());
        S::start(version::connect(&url).await?).await
    }
}

async fn run<S: Sessions>() -> Result<Vec<TrialOutcome>> {
    let all = |trial, count| TrialOutcome::judged(trial, count, REQUESTS, count == REQUESTS);
    let none = |trial, count| TrialOutcome::judged(trial, count, REQUESTS, count == 0);
    Ok(vec![
        all(&OTHER_PROCESS, ask_the_other::<S>().await?),
        all(&RESTART, ask_after_restart::<S>().await?),
        none(
            &SIGN_OUT,
            ask_after_sign_out::<S>(RedisConnection::Up).await?,
        ),
        none(
            &CUT_OFF,
            ask_after_sign_out::<S>(RedisConnection::Cut).await?,
        ),
        TrialOutcome::priced(&PRICE, count_questions::<S>().await?, BUSY_REQUESTS),
    ])
}

async fn ask_the_other<S: Sessions>() -> Result<usize> {
    let site = Site::open().await;
    let (one, two): (S, S) = (site.start(0).await?, site.start(1).await?);
    let token = one.sign_in(USER).await?;
    Ok(count_answered(&two, &token, REQUESTS).await)
}

async fn ask_after_restart<S: Sessions>() -> Result<usize> {
    let site = Site::open().await;
    let before: S = site.start(0).await?;
    let token = before.sign_in(USER).await?;
    drop(before);
    let after: S = site.start(0).await?;
    Ok(count_answered(&after, &token, REQUESTS).await)
}

/// The second process's line to Redis, while somebody signs out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RedisConnection {
    Up,
    Cut,
}

async fn ask_after_sign_out<S: Sessions>(line: RedisConnection) -> Result<usize> {
    let site = Site::open().await;
    let (one, two): (S, S) = (site.start(0).await?, site.start(1).await?);
    let token = two.sign_in(USER).await?;
    two.who(&token).await?;
    if line == RedisConnection::Cut {
        site.lines[1].cut().await;
    }
    one.sign_out(&token).await?;
    let until = Instant::now() + NEWS_LIMIT;
    while count_answered(&two, &token, 1).await > 0 && Instant::now() < until {
        sleep(POLL).await;
    }
    Ok(count_answered(&two, &token, REQUESTS).await)
}

async fn count_questions<S: Sessions>() -> Result<usize> {
    let site = Site::open().await;
    let one: S = site.start(0).await?;
    let token = one.sign_in(USER).await?;
    count_answered(&one, &token, BUSY_REQUESTS).await;
    Ok(usize::try_from(site.redis.command_count("get").await)?)
}

/// How many requests with this token are taken for the person's. An error lets nobody in.
async fn count_answered<S: Sessions>(process: &S, token: &str, requests: usize) -> usize {
    let mut answered = 0;
    for _ in 0..requests {
        if let Ok(Some(USER)) = process.who(token).await {
            answered += 1;
        }
    }
    answered
}
