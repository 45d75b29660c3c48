//! Background jobs: one process runs them at a time, a lost lock restarts them, a stop hands them over at once.

use std::convert::Infallible;
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use redis_locks::{Locks, Term};
use testkit::{FaultProxy, Redis, unique_prefix, wait_until};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use crate::{TEST_TIMEOUT, ask, key, locks, wait_until_free};

/// Long enough for a busy machine; a third of it is how soon a loss shows.
const LEASE: Duration = Duration::from_secs(6);

/// A process that wants to run the job.
struct Process {
    starts: Arc<AtomicI64>,
    running: Arc<AtomicI64>,
    stop: CancellationToken,
    task: JoinHandle<()>,
}

/// Counts a run of the job for as long as it lives.
struct Run(Arc<AtomicI64>);

impl Drop for Run {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Process {
    fn start(locks: &Locks) -> Self {
        let mutex = locks.mutex("job").term(Term::Renewed(LEASE));
        let (starts, running) = (Arc::default(), Arc::default());
        let stop = CancellationToken::new();
        let task = tokio::spawn({
            let (starts, running, stop) = (Arc::clone(&starts), Arc::clone(&running), stop.clone());
            async move {
                let job = || run(&starts, &running);
                mutex.run_while_held(&stop, job).await;
            }
        });
        Self {
            starts,
            running,
            stop,
            task,
        }
    }

    async fn has_started(&self, times: i64) {
        wait_until("the job to start", TEST_TIMEOUT, async || {
            self.starts.load(Ordering::SeqCst) == times
        })
        .await;
    }

    fn is_running(&self) -> bool {
        self.running.load(Ordering::SeqCst) == 1
    }

    async fn stop(self) {
        self.stop.cancel();
        timeout(TEST_TIMEOUT, self.task).await.unwrap().unwrap();
        assert_eq!(self.running.load(Ordering::SeqCst), 0);
    }
}

async fn run(starts: &AtomicI64, running: &Arc<AtomicI64>) -> Infallible {
    running.fetch_add(1, Ordering::SeqCst);
    let _run = Run(running.clone());
    starts.fetch_add(1, Ordering::SeqCst);
    pending().await
}

#[tokio::test]
async fn a_stopped_job_goes_on_in_the_next_process_without_waiting_for_the_lease() {
    let (redis, prefix) = (Redis::shared().await, unique_prefix());
    let first = Process::start(&locks(&redis.url(), &prefix).await);
    first.has_started(1).await;
    let second = Process::start(&locks(&redis.url(), &prefix).await);
    assert!(!second.is_running());

    first.stop().await;
    second.has_started(1).await;
    second.stop().await;
    wait_until_free(redis, &key(&prefix, "job")).await;
}

#[tokio::test]
async fn a_job_that_loses_its_lock_is_dropped_and_started_again() {
    let redis = Redis::builder().start().await;
    let prefix = unique_prefix();
    let process = Process::start(&locks(&redis.url(), &prefix).await);
    process.has_started(1).await;
    let other = format!("{}:1", "0".repeat(33));
    let words = ["SET", &key(&prefix, "job"), &other, "PX", "1500"];
    let _: () = ask(&redis, &words).await;
    process.has_started(2).await;
    assert!(process.is_running(), "the first run was dropped");
    process.stop().await;
}

#[tokio::test]
async fn a_stop_does_not_wait_for_a_redis_that_is_gone() {
    let redis = Redis::builder().start().await;
    let proxy = FaultProxy::start(redis.addr()).await;
    let url = format!("redis://{}", proxy.addr());
    let process = Process::start(&locks(&url, &unique_prefix()).await);
    process.has_started(1).await;
    proxy.black_hole().await;
    process.stop().await;
}
