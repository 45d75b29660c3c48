//! The cache beside what people use instead: a stampede, updates that race with loads, and warm reads.
//!
//! `cargo run --release --manifest-path examples/cache-compare/Cargo.toml` prints the table of the README of
//! `redis-two-level-cache`. Two processes are two caches on one Redis, each with connections and memory of its own. It starts a
//! `redis-server` of its own unless `REDIS_URL` names another.

use std::{
    collections::HashMap,
    convert::Infallible,
    error::Error,
    net::TcpListener,
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU64, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use cached::{AsyncRedisCache, ConcurrentCachedAsync as _};
use link::{Link, Options, Target};
use redis::aio::MultiplexedConnection;
use redis_two_level_cache::{Cache, Loader};
use tokio::task::JoinSet;

const READERS: usize = 1000;
const RACED_KEYS: u64 = 200;
const LOAD_TIME: Duration = Duration::from_millis(50);
const WARM: Duration = Duration::from_secs(1);
const STORED: u64 = 20_000;

/// Rows are numbers that only rise.
#[derive(Clone, Default)]
struct Database {
    rows: Arc<Mutex<HashMap<u64, u64>>>,
    loads: Arc<AtomicUsize>,
    load_ms: Arc<AtomicU64>,
}

impl Database {
    fn row(&self, key: u64) -> u64 {
        let rows = self.rows.lock().expect("no holder panics");
        rows.get(&key).copied().unwrap_or(0)
    }

    fn update(&self, key: u64) {
        *self
            .rows
            .lock()
            .expect("no holder panics")
            .entry(key)
            .or_default() += 1;
    }

    async fn query(&self, key: u64) -> u64 {
        self.loads.fetch_add(1, Ordering::SeqCst);
        let row = self.row(key);
        let ms = self.load_ms.load(Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(ms)).await;
        row
    }
}

impl Loader for Database {
    type Key = u64;
    type Value = u64;
    type Error = Infallible;

    async fn load(&self, key: &u64) -> Result<Option<u64>, Infallible> {
        Ok(Some(self.query(*key).await))
    }
}

/// One process with its cache.
#[derive(Clone)]
enum Node {
    TwoLevel(Cache<Database>),
    Moka(moka::future::Cache<u64, u64>, Database),
    Cached(AsyncRedisCache<u64, u64>, Database),
    CacheAside(MultiplexedConnection, Database, String),
}

impl Node {
    async fn get(&self, key: u64) -> Result<u64, Box<dyn Error + Send + Sync>> {
        match self {
            Self::TwoLevel(cache) => Ok(cache.get(&key).await?.map_or(0, |row| *row)),
            Self::Moka(cache, database) => Ok(cache.get_with(key, database.query(key)).await),
            // What its macro makes of a function.
            Self::Cached(cache, database) => {
                let query = async || database.query(key).await;
                Ok(cache.async_cache_get_or_set_with(key, query).await?)
            }
            Self::CacheAside(redis, database, prefix) => {
                let (mut redis, name) = (redis.clone(), format!("{prefix}{key}"));
                let found: Option<u64> = redis::Cmd::get(&name).query_async(&mut redis).await?;
                if let Some(row) = found {
                    return Ok(row);
                }
                let row = database.query(key).await;
                let store = redis::Cmd::set_ex(&name, row, 600);
                store.query_async::<()>(&mut redis).await?;
                Ok(row)
            }
        }
    }

    async fn invalidate(&self, key: u64) -> Result<(), Box<dyn Error + Send + Sync>> {
        match self {
            Self::TwoLevel(cache) => cache.invalidate(&key).await?,
            Self::Moka(cache, _) => cache.invalidate(&key).await,
            Self::Cached(cache, _) => {
                cache.async_cache_delete(&key).await?;
            }
            Self::CacheAside(redis, _, prefix) => {
                let delete = redis::Cmd::del(format!("{prefix}{key}"));
                delete.query_async::<()>(&mut redis.clone()).await?;
            }
        }
        Ok(())
    }
}

/// Two processes of one kind.
async fn nodes(
    kind: &str,
    url: &str,
) -> Result<([Node; 2], Database), Box<dyn Error + Send + Sync>> {
    let database = Database::default();
    let prefix = format!("compare-{}-{kind}:", std::process::id());
    let mut made = Vec::new();
    for _ in 0..2 {
        made.push(match kind {
            "two-level" => {
                let link = Link::connect(&Target::parse(url)?, Options::default()).await?;
                let cache = Cache::builder("row", link, database.clone())
                    .prefix(&prefix)
                    .l1_capacity(STORED * 2)
                    .build()?;
                while !cache.stats().subscribed {
                    tokio::time::sleep(Duration::from_millis(5)).await;
                }
                Node::TwoLevel(cache)
            }
            "moka" => Node::Moka(moka::future::Cache::new(STORED * 2), database.clone()),
            "cached" | "cached, client-side caching" => {
                let cache = AsyncRedisCache::builder(&prefix)
                    .connection_string(url)
                    .ttl(Duration::from_secs(600))
                    .client_side_caching(kind != "cached");
                Node::Cached(cache.build().await?, database.clone())
            }
            _ => {
                let client = redis::Client::open(url)?;
                let redis = client.get_multiplexed_async_connection().await?;
                Node::CacheAside(redis, database.clone(), prefix.clone())
            }
        });
    }
    let made = made.try_into().map_err(|_| "two were made")?;
    Ok((made, database))
}

/// Reads of one key that nobody holds, by all readers at once; returns the loads.
async fn stampede(
    nodes: &[Node; 2],
    database: &Database,
) -> Result<usize, Box<dyn Error + Send + Sync>> {
    database
        .load_ms
        .store(LOAD_TIME.as_millis() as u64, Ordering::SeqCst);
    let mut readers = JoinSet::new();
    for reader in 0..READERS {
        let node = nodes[reader % 2].clone();
        readers.spawn(async move { node.get(u64::MAX).await });
    }
    while let Some(read) = readers.join_next().await {
        read??;
    }
    Ok(database.loads.swap(0, Ordering::SeqCst))
}

/// Every row changes while it is loaded, then all is quiet; returns how many reads of the two processes are stale.
async fn stale_survivors(
    nodes: &[Node; 2],
    database: &Database,
) -> Result<usize, Box<dyn Error + Send + Sync>> {
    let mut readers = JoinSet::new();
    for node in nodes {
        for key in 0..RACED_KEYS {
            let node = node.clone();
            readers.spawn(async move { node.get(key).await });
        }
    }
    tokio::time::sleep(LOAD_TIME / 2).await;
    for key in 0..RACED_KEYS {
        database.update(key);
        nodes[0].invalidate(key).await?;
    }
    while let Some(read) = readers.join_next().await {
        read??;
    }
    tokio::time::sleep(Duration::from_millis(200)).await;
    let mut stale = 0;
    for node in nodes {
        for key in 0..RACED_KEYS {
            stale += usize::from(node.get(key).await? != database.row(key));
        }
    }
    Ok(stale)
}

/// Reads of one key that is cached, one after another.
async fn warm_reads_per_second(node: &Node) -> Result<f64, Box<dyn Error + Send + Sync>> {
    node.get(0).await?;
    tokio::time::sleep(Duration::from_millis(100)).await;
    let (since, mut reads) = (Instant::now(), 0_u32);
    while since.elapsed() < WARM {
        for _ in 0..100 {
            node.get(0).await?;
        }
        reads += 100;
    }
    Ok(f64::from(reads) / since.elapsed().as_secs_f64())
}

/// Bytes of this process that are in memory.
fn resident_bytes() -> Result<u64, Box<dyn Error + Send + Sync>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1));
    Ok(kilobytes.ok_or("no resident size")?.parse::<u64>()? * 1024)
}

/// Bytes per entry of memory and of Redis.
async fn bytes_per_entry(url: &str) -> Result<(u64, u64), Box<dyn Error + Send + Sync>> {
    let ([node, _], _) = nodes("two-level", url).await?;
    let client = redis::Client::open(url)?;
    let mut redis = client.get_multiplexed_async_connection().await?;
    let used =
        async |redis: &mut MultiplexedConnection| -> Result<u64, Box<dyn Error + Send + Sync>> {
            let info: String = redis::cmd("INFO").arg("memory").query_async(redis).await?;
            let line = info
                .lines()
                .find_map(|line| line.strip_prefix("used_memory:"));
            Ok(line.ok_or("no used_memory")?.trim().parse()?)
        };
    let before = (resident_bytes()?, used(&mut redis).await?);
    for key in 1_000_000..1_000_000 + STORED {
        node.get(key).await?;
    }
    let after = (resident_bytes()?, used(&mut redis).await?);
    Ok(((after.0 - before.0) / STORED, (after.1 - before.1) / STORED))
}

/// A `redis-server` that keeps nothing and ends with this program.
struct Server {
    url: String,
    child: Child,
}

impl Server {
    async fn start() -> Result<Self, Box<dyn Error + Send + Sync>> {
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let mut command = Command::new("redis-server");
        command.args(["--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        command.arg("--port").arg(port.to_string());
        let child = command.stdout(Stdio::null()).spawn()?;
        let url = format!("redis://127.0.0.1:{port}");
        let server = Self { url, child };
        let client = redis::Client::open(server.url.as_str())?;
        let started = Instant::now();
        while client.get_multiplexed_async_connection().await.is_err() {
            if started.elapsed() > Duration::from_secs(30) {
                return Err("redis-server does not answer".into());
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        Ok(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (url, _server) = match std::env::var("REDIS_URL") {
        Ok(url) => (url, None),
        Err(_) => {
            let server = Server::start().await?;
            (server.url.clone(), Some(server))
        }
    };
    println!(
        "| | loads, {READERS} readers of two processes | stale of {} reads after the race | warm reads per second |",
        RACED_KEYS * 2
    );
    println!("|---|---|---|---|");
    for kind in [
        "two-level",
        "moka",
        "cached",
        "cached, client-side caching",
        "cache-aside",
    ] {
        let (nodes, database) = nodes(kind, &url).await?;
        let loads = stampede(&nodes, &database).await?;
        let stale = stale_survivors(&nodes, &database).await?;
        let reads = warm_reads_per_second(&nodes[0]).await?;
        println!("| {kind} | {loads} | {stale} | {reads:.0} |");
    }
    let (in_memory, in_redis) = bytes_per_entry(&url).await?;
    println!(
        "an entry with a number as value: {in_memory} bytes of the process, {in_redis} bytes of Redis"
    );
    Ok(())
}
