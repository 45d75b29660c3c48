//! Ten thousand readers in four processes read one row that no level holds: the loader runs once.
//!
//! The children are this test binary again. The loader counts itself in Redis, under a key that no cache knows.

use std::{
    convert::Infallible,
    process::{Child, Command, Stdio},
    time::Duration,
};

use redis::aio::MultiplexedConnection;
use redis_two_level_cache::{Cache, CacheMode, Loader};
use testkit::{Redis, unique_prefix, wait_until};
use tokio::task::JoinSet;

use crate::{TEST_TIMEOUT, ask, link};

const PROCESSES: usize = 4;
const READERS: usize = 2500;

/// Longer than it takes all processes to get going.
const LOAD_TIME: Duration = Duration::from_millis(300);

/// The parent's arguments for a child: where Redis is, the prefix, the mode.
const ORDERS: &str = "REDIS_TWO_LEVEL_CACHE_TEST_CHILD";

struct Slow {
    redis: MultiplexedConnection,
    counter: String,
}

impl Loader for Slow {
    type Key = u64;
    type Value = u64;
    type Error = Infallible;

    async fn load(&self, key: &u64) -> Result<Option<u64>, Infallible> {
        let mut redis = self.redis.clone();
        let count = redis::Cmd::incr(&self.counter, 1);
        let _: i64 = count.query_async(&mut redis).await.unwrap();
        tokio::time::sleep(LOAD_TIME).await;
        Ok(Some(key + 1))
    }
}

/// Does nothing unless a parent started this test binary as one of its children.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_child_process_runs_the_commands_of_its_parent() {
    let Ok(orders) = std::env::var(ORDERS) else {
        return;
    };
    let words: Vec<&str> = orders.split(' ').collect();
    let [url, prefix, mode] = words[..] else {
        panic!("orders are three words: {orders}");
    };
    let client = redis::Client::open(url).unwrap();
    let mut redis = client.get_multiplexed_async_connection().await.unwrap();
    let loader = Slow {
        redis: redis.clone(),
        counter: format!("{prefix}loads"),
    };
    let cache = Cache::builder("row", link(url).await, loader).prefix(prefix);
    let cache = cache.mode(if mode == "mutex" {
        CacheMode::Mutex
    } else {
        CacheMode::LogicalExpiry
    });
    // On a machine that is busy with something else, Redis may take its time; it must not be given up for that.
    let cache = cache
        .l2_timeout(Duration::from_secs(5))
        .hard_timeout(TEST_TIMEOUT);
    let cache = cache.tombstone_ttl(TEST_TIMEOUT * 2).build().unwrap();
    let ready = redis::Cmd::incr(format!("{prefix}ready"), 1);
    let _: i64 = ready.query_async(&mut redis).await.unwrap();
    wait_until("all to be ready", TEST_TIMEOUT, async || {
        let ready = redis::Cmd::get(format!("{prefix}ready"));
        ready.query_async::<usize>(&mut redis).await.unwrap() == PROCESSES
    })
    .await;
    let mut readers = JoinSet::new();
    for _ in 0..READERS {
        let cache = cache.clone();
        readers.spawn(async move { cache.get(&41).await.unwrap().as_deref().copied() });
    }
    let values = readers.join_all().await;
    assert!(values.iter().all(|value| *value == Some(42)));
}

fn start_child(orders: &str) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "processes::the_child_process_runs_the_commands_of_its_parent",
        ])
        // What a child has to say goes to stderr; its counts would be taken for the parent's.
        .arg("--nocapture")
        .stdout(Stdio::null())
        .env(ORDERS, orders)
        .spawn()
        .unwrap()
}

#[tokio::test]
async fn ten_thousand_readers_in_four_processes_cause_one_load() {
    let redis = Redis::shared().await;
    for mode in ["mutex", "logical-expiry"] {
        let prefix = unique_prefix();
        let orders = format!("{} {prefix} {mode}", redis.url());
        let children: Vec<Child> = (0..PROCESSES).map(|_| start_child(&orders)).collect();
        for mut child in children {
            let ended = tokio::task::spawn_blocking(move || child.wait().unwrap());
            assert!(ended.await.unwrap().success());
        }
        let loads: usize = ask(redis, &["GET", &format!("{prefix}loads")]).await;
        assert_eq!(loads, 1, "{mode}");
    }
}
