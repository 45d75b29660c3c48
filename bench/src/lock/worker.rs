//! A process that fights for a lock: tasks take it and give it back for a while, by one of three libraries.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use lock::Locks;
use tokio::{task::JoinSet, time::Instant};

use super::link;

/// Ours renews and never needs it; the others hold for microseconds.
const LEASE: Duration = Duration::from_secs(30);

/// How often the plain loop tries. Shorter pauses load Redis more than they win.
const POLL: Duration = Duration::from_millis(10);

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Rival {
    Ours,
    Rslock,
    Poll,
}

#[derive(Clone, Debug, Args)]
pub(crate) struct WorkerArgs {
    pub(crate) rival: Rival,
    pub(crate) url: String,
    pub(crate) key: String,
    pub(crate) tasks: usize,
    pub(crate) millis: u64,
}

/// One way to take a lock and give it back.
#[derive(Clone)]
enum Contender {
    Ours(lock::Mutex),
    Rslock(rslock::LockManager, String),
    Poll(link::Link, String),
}

/// Fights, and prints how often it won.
#[expect(clippy::print_stdout, reason = "the parent reads it")]
pub(crate) async fn work(orders: WorkerArgs) -> Result<()> {
    println!("{}", fight(orders).await?);
    Ok(())
}

/// How often the tasks had the lock.
pub(super) async fn fight(orders: WorkerArgs) -> Result<u64> {
    let contender = Contender::new(&orders).await?;
    let grants = Arc::new(AtomicU64::new(0));
    let until = Instant::now() + Duration::from_millis(orders.millis);
    let mut tasks = JoinSet::new();
    for _ in 0..orders.tasks {
        let (contender, grants) = (contender.clone(), grants.clone());
        tasks.spawn(async move {
            while Instant::now() < until {
                contender.take_turn().await?;
                grants.fetch_add(1, Ordering::Relaxed);
            }
            anyhow::Ok(())
        });
    }
    while let Some(ended) = tasks.join_next().await {
        ended??;
    }
    Ok(grants.load(Ordering::Relaxed))
}

impl Contender {
    async fn new(orders: &WorkerArgs) -> Result<Self> {
        Ok(match orders.rival {
            Rival::Ours => Self::Ours(Locks::new(link(&orders.url).await?).mutex(&orders.key)),
            Rival::Rslock => {
                let manager = rslock::LockManager::new(vec![orders.url.clone()]);
                Self::Rslock(manager, format!("rslock:{}", orders.key))
            }
            Rival::Poll => Self::Poll(link(&orders.url).await?, format!("poll:{}", orders.key)),
        })
    }

    async fn take_turn(&self) -> Result<()> {
        match self {
            Self::Ours(mutex) => mutex.lock().await?.release().await?,
            Self::Rslock(manager, key) => {
                let held = loop {
                    // It gives up after three tries: call it again.
                    if let Ok(held) = manager.lock(key.as_str(), LEASE).await {
                        break held;
                    }
                };
                manager.unlock(&held).await;
            }
            Self::Poll(link, key) => poll(link, key).await?,
        }
        Ok(())
    }
}

/// The loop that everybody writes first: `SET NX`, or wait a little; `DEL` if it is still ours.
async fn poll(link: &link::Link, key: &str) -> Result<()> {
    static RELEASE: link::Script = link::Script::new(
        "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end",
    );
    let token: u64 = rand::random();
    let mut set = redis::cmd("SET");
    set.arg(key).arg(token).arg("NX").arg("PX").arg(30_000);
    while !link.run::<bool>(&set).await? {
        tokio::time::sleep(POLL).await;
    }
    let released: Option<i64> = link.eval(&RELEASE, &[key], token).await?;
    released.map(drop).context("the lock was lost")
}
