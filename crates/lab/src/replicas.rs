//! Read after write: a master, and a replica that lags behind it.
//!
//! The lag is real: the replica follows through a proxy that carries nothing for a while. A person writes at the master, gets
//! the reply, and reads.

mod cached_replica;
mod master_only;
mod replica_reads;
mod versioned;
mod waits_for_replica;

use std::time::Duration;

use anyhow::Result;
use futures_util::FutureExt as _;
use link::Link;
use testkit::{FaultProxy, Redis, wait_until};

use crate::experiment::{Experiment, Trial, TrialOutcome, Variant};
use crate::{services, version};

/// Changes of the person while the replica lags.
const WRITES: u64 = 3;
/// Reads of the last trial.
const READS: usize = 100;

/// The value that the person changes.
const KEY: &str = "profile:7";

/// A replica on the same machine catches up within a thousandth of this.
const SYNC_LIMIT: Duration = Duration::from_secs(60);

/// The connections of one process.
struct Nodes {
    master: Link,
    replica: Link,
    /// A cache beside both.
    cache: Link,
}

/// One way of reading and writing a value that is replicated. The value of the profile is a number that rises.
trait ReplicatedValue: Sized + Send + Sync + 'static {
    /// Starts a process.
    fn start(nodes: Nodes) -> impl Future<Output = Result<Self>> + Send;

    /// Changes the value; returns whether the person is told that it is done.
    fn write(&self, value: u64) -> impl Future<Output = Result<bool>> + Send;

    fn read(&self) -> impl Future<Output = Result<u64>> + Send;
}

pub(crate) const EXPERIMENT: Experiment = Experiment {
    id: "replicas",
    title: ("Read after write on a replica", "读写分离：写完马上读"),
    what: (
        "A person changes a profile three times and reads it after each change, while the replica receives nothing.",
        "一个人把资料改了三次，每次改完马上读；这期间从节点收不到任何数据。",
    ),
    trials: &[OWN_WRITE, CAUGHT_UP, ACKNOWLEDGED, MASTER_READS],
    ways: WAYS,
};

const OWN_WRITE: Trial = Trial {
    id: "own-write",
    title: ("One's own write", "读自己刚写的"),
    what: (
        "Of the three reads, each after a change that was acknowledged, so many get an old value. None may.",
        "改动得到确认之后马上读，三次里有几次读到旧值：一次也不应有。",
    ),
};
const CAUGHT_UP: Trial = Trial {
    id: "caught-up",
    title: ("After the replica caught up", "从节点追上之后"),
    what: (
        "The replica has everything again. Of three reads so many get an old value. None may.",
        "从节点已经追上，再读三次，有几次读到旧值：一次也不应有。",
    ),
};
const ACKNOWLEDGED: Trial = Trial {
    id: "acknowledged",
    title: ("Acknowledged meanwhile", "期间确认的写入"),
    what: (
        "Of the three changes while the replica lagged, so many were acknowledged. To refuse is safe, so this is a price.",
        "从节点落后期间的三次改动，有几次得到了确认。不确认并不会出错，所以这里只算代价。",
    ),
};
const MASTER_READS: Trial = Trial {
    id: "master-reads",
    title: ("Reads at the master", "主节点的读取量"),
    what: (
        "Of a hundred reads, with nothing wrong, so many went to the master.",
        "一切正常时读一百次，有多少次落在主节点上。",
    ),
};

const WAYS: &[Variant] = &[
    Variant {
        id: "replica-reads",
        title: (
            "Write to the master, read from the replica",
            "写主节点，读从节点",
        ),
        why: (
            "The master does not wait for its replicas: until they have the change, the person reads as if nothing had been \
             saved.",
            "主节点不等从节点。从节点没收到之前，用户读到的就像什么都没保存过。",
        ),
        file: "replica_reads.rs",
        code: include_str!("replicas/replica_reads.rs"),
        run: |_| run::<replica_reads::ReplicaReads>().boxed_local(),
    },
    Variant {
        id: "cached-replica",
        title: ("The same with a cache in front", "读从节点，前面再加缓存"),
        why: (
            "The old value goes from the replica into the cache, and stays there when the replica has long caught up: a lag of a \
             second becomes half an hour.",
            "旧值从从节点进了缓存，从节点早已追上，缓存里还是旧的：一秒的延迟变成了半小时。",
        ),
        file: "cached_replica.rs",
        code: include_str!("replicas/cached_replica.rs"),
        run: |_| run::<cached_replica::CachedReplica>().boxed_local(),
    },
    Variant {
        id: "waits-for-replica",
        title: ("WAIT before the reply", "写完 WAIT 再答复"),
        why: (
            "Nothing is acknowledged that the replica does not have, so nobody reads an old value after an acknowledgement. While \
             it lags, no change is acknowledged at all.",
            "从节点没有的，就不确认，所以确认之后不会读到旧值；但从节点一落后，任何改动都得不到确认。",
        ),
        file: "waits_for_replica.rs",
        code: include_str!("replicas/waits_for_replica.rs"),
        run: |_| run::<waits_for_replica::WaitsForReplica>().boxed_local(),
    },
    Variant {
        id: "master-only",
        title: (
            "Read from the master too (as this site does)",
            "读也走主节点（本站的做法）",
        ),
        why: (
            "What was written is what is read. The replicas are there to take over, not to be read; memory in the process saves \
             the reads instead.",
            "写进去的就是读出来的。从节点只用来接替主节点，不用来分担读取；读取由进程里的本地缓存来省。",
        ),
        file: "master_only.rs",
        code: include_str!("replicas/master_only.rs"),
        run: |_| run::<master_only::MasterOnly>().boxed_local(),
    },
    Variant {
        id: "versioned",
        title: (
            "Replica with versions (our cache)",
            "读从节点，按版本号校验（本项目的缓存）",
        ),
        why: (
            "A person's session knows the version of its last change, and asks the master if the replica is older; the cache \
             refuses a value older than the announced one. The master is read only during a lag.",
            "会话记得自己最后写入的版本，从节点更旧就改读主节点；缓存拒绝存入比已宣布版本更旧的值。只有落后期间才读主节点。",
        ),
        file: "versioned.rs",
        code: include_str!("replicas/versioned.rs"),
        run: |_| run::<versioned::Versioned>().boxed_local(),
    },
];

/// A master, its replica behind a proxy, and a cache.
struct Site {
    master: Redis,
    line: FaultProxy,
    replica: Redis,
    cache: Redis,
}

impl Site {
    async fn open() -> Self {
        let (master, cache) = tokio::join!(services::start_redis(), services::start_redis());
        let line = FaultProxy::start(master.addr()).await;
        let replica = services::start_replica(line.port()).await;
        Self {
            master,
            line,
            replica,
            cache,
        }
    }

    async fn start<V: ReplicatedValue>(&self) -> Result<V> {
        let nodes = Nodes {
            master: version::connect(&self.master.url()).await?,
            replica: version::connect(&self.replica.url()).await?,
            cache: version::connect(&self.cache.url()).await?,
        };
        V::start(nodes).await
    }

    /// Returns when the replica has what the master has.
    async fn wait_for_replica(&self) -> Result<()> {
        let wanted = value_at(&self.master).await?;
        wait_until("the replica to catch up", SYNC_LIMIT, async || {
            value_at(&self.replica).await.ok() == Some(wanted)
        })
        .await;
        Ok(())
    }
}

async fn run<V: ReplicatedValue>() -> Result<Vec<TrialOutcome>> {
    let site = Site::open().await;
    let process: V = site.start().await?;
    process.write(1).await?;
    site.wait_for_replica().await?;
    let master_reads = count_master_reads(&site, &process).await?;

    site.line.black_hole().await;
    let (mut acknowledged, mut stale) = (0, 0);
    for value in 2..2 + WRITES {
        if process.write(value).await? {
            acknowledged += 1;
            stale += usize::from(process.read().await? != value);
        }
    }
    site.line.pass().await;
    site.wait_for_replica().await?;
    let last = value_at(&site.master).await?;
    let mut stale_later = 0;
    for _ in 0..WRITES {
        stale_later += usize::from(process.read().await? != last);
    }
    let writes = usize::try_from(WRITES)?;
    Ok(vec![
        TrialOutcome::judged(&OWN_WRITE, stale, writes, stale == 0),
        TrialOutcome::judged(&CAUGHT_UP, stale_later, writes, stale_later == 0),
        TrialOutcome::priced(&ACKNOWLEDGED, acknowledged, writes),
        TrialOutcome::priced(&MASTER_READS, master_reads, READS),
    ])
}

async fn count_master_reads<V: ReplicatedValue>(site: &Site, process: &V) -> Result<usize> {
    let before = site.master.command_count("get").await;
    for _ in 0..READS {
        process.read().await?;
    }
    let after = site.master.command_count("get").await;
    Ok(usize::try_from(after - before)?)
}

async fn value_at(redis: &Redis) -> Result<u64> {
    let mut connection = redis.connection().await;
    Ok(redis::cmd("GET")
        .arg(KEY)
        .query_async(&mut connection)
        .await?)
}

/// Reads the value from a node.
async fn get(node: &Link) -> Result<u64> {
    Ok(node.run(redis::cmd("GET").arg(KEY)).await?)
}

/// Writes the value at the master.
async fn set(master: &Link, value: u64) -> Result<()> {
    Ok(master.run(redis::cmd("SET").arg(KEY).arg(value)).await?)
}
