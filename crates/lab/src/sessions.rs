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
/// Requests of one user in a visit.
const BUSY_REQUESTS: usize = 100;

/// How long a process may take to learn that a session has ended. On one machine it takes a thousandth of this.
const NEWS_LIMIT: Duration = Duration::from_secs(5);
const POLL: Duration = Duration::from_millis(5);

const USER: i64 = 7;

/// One implementation of sessions.
trait Sessions: Sized + Send + Sync + 'static {
    /// Starts a process: nothing in memory, a connection of its own.
    fn start(link: Link) -> impl Future<Output = Result<Self>> + Send;

    /// Returns the token of the user's requests.
    fn sign_in(&self, user: i64) -> impl Future<Output = Result<String>> + Send;

    /// The user of a token, if it is valid.
    fn who(&self, token: &str) -> impl Future<Output = Result<Option<i64>>> + Send;

    /// Invalidates the token.
    fn sign_out(&self, token: &str) -> impl Future<Output = Result<()>> + Send;
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "sessions",
    title: ("Sessions", "登录会话"),
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
        "在进程 1 登录，三个请求落到进程 2：都应当通过认证。",
    ),
};
const RESTART: Trial = Trial {
    id: "restart",
    title: ("Restart", "重启"),
    what: (
        "Signs in, the process is started again (a new release), three requests. All must be answered.",
        "登录之后进程重启（比如发布新版本），再来三个请求：都应当通过认证。",
    ),
};
const SIGN_OUT: Trial = Trial {
    id: "sign-out",
    title: ("Signed out", "退出登录"),
    what: (
        "Signed in at process 2, signs out at process 1. Process 2 must notice within five seconds: of three \
         requests with the old token none may be answered.",
        "在进程 2 登录，退出的请求落到进程 1。五秒之内进程 2 必须生效：带旧令牌的三个请求，一个也不应通过。",
    ),
};
const CUT_OFF: Trial = Trial {
    id: "cut-off",
    title: ("Signed out while disconnected", "退出时断网"),
    what: (
        "The same, but process 2 has lost its connection to Redis and gets no notification. A process that cannot verify a session must refuse it.",
        "同上，但进程 2 与 Redis 的连接断开，收不到退出通知。无法验证会话，就不应放行。",
    ),
};
const PRICE: Trial = Trial {
    id: "price",
    title: ("Price", "代价"),
    what: (
        "A hundred requests of one user: how many Redis queries.",
        "同一个人一百个请求：查询了 Redis 多少次。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "process-memory",
        title: ("In the memory of the process", "进程内存（Tomcat Session）"),
        why: (
            "Only the process that signed a user in has the session, until it restarts; and a sign-out at another process \
             has no effect.",
            "只有处理登录的进程有会话，重启就丢失；退出的请求落到别的进程则不起作用。",
        ),
        file: "process_memory.rs",
        code: include_str!("sessions/process_memory.rs"),
        run: |_| run::<process_memory::ProcessMemory>().boxed_local(),
    },
    Variant {
        id: "signed-token",
        title: ("Signed token (JWT)", "签名令牌（JWT）"),
        why: (
            "Every process can verify it and nothing is stored; for the same reason it cannot be revoked before it expires.",
            "每个进程都能验签，服务端不存任何东西；正因如此，到期之前无法吊销。",
        ),
        file: "signed_token.rs",
        code: include_str!("sessions/signed_token.rs"),
        run: |_| run::<signed_token::SignedToken>().boxed_local(),
    },
    Variant {
        id: "redis-session",
        title: ("In Redis", "Redis 会话"),
        why: (
            "All processes read the same Redis: right, for one Redis query per request.",
            "所有进程读的是同一个 Redis：正确，代价是每个请求查询一次 Redis。",
        ),
        file: "redis_session.rs",
        code: include_str!("sessions/redis_session.rs"),
        run: |_| run::<redis_session::RedisSession>().boxed_local(),
    },
    Variant {
        id: "redis-and-memory",
        title: ("In Redis, with a copy in memory", "Redis 会话 + 本地缓存"),
        why: (
            "The copy saves the queries, and still admits users who signed out elsewhere, until it expires.",
            "本地缓存省下了查询，也让已在别处退出的用户继续通过，直到缓存到期。",
        ),
        file: "redis_and_memory.rs",
        code: include_str!("sessions/redis_and_memory.rs"),
        run: |_| run::<redis_and_memory::RedisAndMemory>().boxed_local(),
    },
    Variant {
        id: "tracked",
        title: (
            "A copy that Redis invalidates (as this site does)",
            "由 Redis 通知失效的本地缓存（本站的做法）",
        ),
        why: (
            "Redis notifies every process of changed sessions, and a process without that connection uses no copy: as right \
             as a query per request, and nearly free.",
            "会话变化时 Redis 通知每个进程；收不到通知的进程不使用任何缓存：和每次都查询一样正确，几乎没有代价。",
        ),
        file: "tracked.rs",
        code: include_str!("sessions/tracked.rs"),
        run: |_| run::<tracked::Tracked>().boxed_local(),
    },
];

/// A Redis for two processes, with a proxy for each.
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
        TrialOutcome::priced(&PRICE, count_queries::<S>().await?, BUSY_REQUESTS),
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

/// The second process's connection to Redis, while the user signs out.
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

async fn count_queries<S: Sessions>() -> Result<usize> {
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
