//! Four processes with a hundred tasks each fight for one lock while everything goes wrong, and a witness that none of
//! them can fool looks on.
//!
//! The witness is a second Redis that no fault touches. A task that believes to hold the lock says so when it enters and
//! when it leaves, and writes to a register that checks fences. A holder that is notified of a loss leaves at once; so no two
//! may ever be inside, except that one whose process was stopped inside cannot leave. That one, when it wakes up, writes
//! once more on purpose: the register must refuse it.

use std::{
    process::{Child, Command, Stdio},
    time::Duration,
};

use redis::aio::MultiplexedConnection;
use redis_locks::{Guard, Mutex, Term};
use rustix::process::{Pid, Signal, kill_process};
use testkit::{Redis, unique_prefix, wait_for, wait_until};
use tokio::task::JoinSet;

use crate::{ask, locks};

const PROCESSES: usize = 4;
const TASKS: usize = 100;

/// Long enough that a twentieth of it covers a machine that is busy, short enough to wait for its end.
const LEASE: Duration = Duration::from_secs(3);

/// Several outages that outlast a lease, on a busy machine.
const LIMIT: Duration = Duration::from_secs(60);

/// The arguments of a child: the lock's Redis, the witness, the prefix.
const ORDERS: &str = "REDIS_LOCKS_TEST_CHILD";

/// Who is inside: `holders` holds pid:fence; those of a process in `frozen` do not count. Whoever has left may still have
/// a stale write before it: `unfinished`.
const ENTER: &str = "
for _, holder in ipairs(redis.call('SMEMBERS', 'holders')) do
  local pid = string.match(holder, '^%d+')
  if redis.call('SISMEMBER', 'frozen', pid) == 0 then redis.call('RPUSH', 'violations', holder .. ' ' .. ARGV[1]) end
end
redis.call('SADD', 'holders', ARGV[1])
redis.call('SADD', 'unfinished', ARGV[1])
return redis.call('INCR', 'grants')";

/// The register that the lock protects: refuses who is older than the last who wrote.
const WRITE: &str = "
if tonumber(ARGV[1]) < tonumber(redis.call('GET', 'fence') or '0') then
  redis.call('INCR', 'refused')
  return 0
end
redis.call('SET', 'fence', ARGV[1])
return 1";

/// Does nothing unless a parent started this test binary as one of its children.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_child_process_runs_the_commands_of_its_parent() {
    let Ok(orders) = std::env::var(ORDERS) else {
        return;
    };
    let words: Vec<&str> = orders.split(' ').collect();
    let [lock_url, witness_url, prefix] = words[..] else {
        panic!("orders are three words: {orders}");
    };
    let locks = locks(lock_url, prefix).await;
    let client = redis::Client::open(witness_url).unwrap();
    // An answer may come to a process that is stopped.
    let patient = redis::AsyncConnectionConfig::new().set_response_timeout(None);
    let witness = client.get_multiplexed_async_connection_with_config(&patient);
    let witness = witness.await.unwrap();
    let mut tasks = JoinSet::new();
    for _ in 0..TASKS {
        let mutex = locks.mutex("a").term(Term::Renewed(LEASE));
        tasks.spawn(contend(mutex, witness.clone()));
    }
    while tasks.join_next().await.transpose().unwrap().is_some() {}
}

/// Takes the lock again and again until the parent has seen enough.
async fn contend(mutex: Mutex, mut witness: MultiplexedConnection) {
    while !said::<bool>(&mut witness, &["EXISTS", "stop"]).await {
        // Outages are part of the game.
        if let Ok(guard) = mutex.lock().await {
            hold(&guard, &mut witness).await;
            // Losing it is, too.
            let _ = guard.release().await;
        }
    }
}

async fn hold(guard: &Guard, witness: &mut MultiplexedConnection) {
    let (fence, name) = (
        guard.fence().to_string(),
        format!("{}:{}", std::process::id(), guard.fence()),
    );
    let work = async {
        said::<i64>(witness, &["EVAL", ENTER, "0", &name]).await;
        for _ in 0..3 {
            said::<i64>(witness, &["EVAL", WRITE, "0", &fence]).await;
        }
    };
    let lost = guard.protect(work).await.is_err();
    said::<i64>(witness, &["SREM", "holders", &name]).await;
    if lost {
        said::<i64>(witness, &["EVAL", WRITE, "0", &fence]).await;
    }
    said::<i64>(witness, &["SREM", "unfinished", &name]).await;
}

async fn said<T: redis::FromRedisValue>(to: &mut MultiplexedConnection, words: &[&str]) -> T {
    let mut cmd = redis::Cmd::new();
    cmd.arg(words).query_async(to).await.unwrap()
}

/// The parent's side.
struct Arena {
    redis: Redis,
    witness: Redis,
    children: Vec<Child>,
}

impl Arena {
    async fn open() -> Self {
        let redis = Redis::builder().arg("--enable-debug-command", "yes");
        let (redis, witness) =
            tokio::join!(redis.start(), Redis::builder().sync_every_second().start());
        let orders = format!("{} {} {}", redis.url(), witness.url(), unique_prefix());
        let start = |_| {
            Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "processes::the_child_process_runs_the_commands_of_its_parent",
                ])
                .arg("--nocapture")
                .env(ORDERS, &orders)
                .stdout(Stdio::null())
                .spawn()
                .unwrap()
        };
        let children = (0..PROCESSES).map(start).collect();
        Self {
            redis,
            witness,
            children,
        }
    }

    async fn count(&self, name: &str) -> u64 {
        let count: Option<u64> = ask(&self.witness, &["GET", name]).await;
        count.unwrap_or_default()
    }

    /// Waits until the lock has changed hands so often again.
    async fn see_grants(&self, number: u64) {
        let seen = self.count("grants").await;
        wait_until("the lock to change hands", LIMIT, async || {
            self.count("grants").await >= seen + number
        })
        .await;
    }

    /// Stops a process while one of its tasks is inside; the second value is the task's name.
    async fn freeze_holder(&self) -> (Pid, String) {
        wait_for("a holder to be caught inside", LIMIT, async || {
            let inside: Option<String> = ask(&self.witness, &["SRANDMEMBER", "holders"]).await;
            let (pid, _) = inside.as_deref()?.split_once(':')?;
            let process = Pid::from_raw(pid.parse().unwrap()).unwrap();
            let _: i64 = ask(&self.witness, &["SADD", "frozen", pid]).await;
            kill_process(process, Signal::STOP).unwrap();
            let mut caught: Vec<String> = ask(&self.witness, &["SMEMBERS", "holders"]).await;
            caught.retain(|holder| holder.starts_with(pid));
            if let Some(holder) = caught.pop() {
                return Some((process, holder));
            }
            kill_process(process, Signal::CONT).unwrap();
            let _: i64 = ask(&self.witness, &["SREM", "frozen", pid]).await;
            None
        })
        .await
    }

    async fn thaw(&self, process: Pid, holder: &str) {
        kill_process(process, Signal::CONT).unwrap();
        wait_until("the stale holder to finish", LIMIT, async || {
            let unfinished: i64 = ask(&self.witness, &["SISMEMBER", "unfinished", holder]).await;
            unfinished == 0
        })
        .await;
        let pid = process.as_raw_nonzero().to_string();
        let _: i64 = ask(&self.witness, &["SREM", "frozen", &pid]).await;
    }

    /// A holder that slept past its lease writes in vain. One that was caught behind its last write has nothing left to
    /// write, so several are caught.
    async fn see_stale_write_refused(&self) {
        wait_until("the stale write to be refused", LIMIT, async || {
            let (frozen, holder) = self.freeze_holder().await;
            self.see_grants(100).await;
            let refused = self.count("refused").await;
            self.thaw(frozen, &holder).await;
            self.count("refused").await > refused
        })
        .await;
    }

    /// Ends the children and checks what the witness saw.
    async fn close(mut self) {
        let _: () = ask(&self.witness, &["SET", "stop", "1"]).await;
        for child in &mut self.children {
            wait_until("a child to end", LIMIT, async || {
                child.try_wait().unwrap().is_some()
            })
            .await;
            assert!(child.wait().unwrap().success());
        }
        let violations: Vec<String> =
            ask(&self.witness, &["LRANGE", "violations", "0", "-1"]).await;
        assert!(violations.is_empty(), "{violations:?}");
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        for child in &mut self.children {
            // Most have ended already.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

#[tokio::test]
async fn one_holder_at_a_time_whatever_goes_wrong() {
    let arena = Arena::open().await;
    arena.see_grants(400).await;

    arena.see_stale_write_refused().await;

    let _: () = ask(&arena.redis, &["CLIENT", "PAUSE", "4000", "ALL"]).await;
    arena.see_grants(100).await;
    let _: () = ask(&arena.redis, &["DEBUG", "SLEEP", "4"]).await;
    arena.see_grants(100).await;
    arena.redis.stop_hard();
    arena.redis.start_again().await;
    arena.see_grants(100).await;
    arena.close().await;
}
