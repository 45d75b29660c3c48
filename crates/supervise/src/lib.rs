//! Background tasks: what happens after a panic, one task per key, back-off between attempts, and a rate limit for logging
//! the failures.
//!
//! tokio catches the panic of a task and returns it to the caller that joins the task; the panic of a task that no caller
//! joins goes unnoticed. A process that has silently stopped one of its jobs is worse than one that did not start, so
//! tasks are not spawned with `tokio::spawn` but here:
//!
//! | task | function | after a panic |
//! |---|---|---|
//! | runs as long as its process or its owner | [`spawn`], or a [`Supervisor`] if it keeps state | logged, counted, restarted with [`Backoff`] |
//! | does one thing and ends | [`spawn_once`] | logged, counted; the caller that waits for it gets `None` |
//! | does one thing per key, for all callers that want it | [`SingleFlight`] | logged, counted; its callers get [`NoOutcome::Aborted`], and the key is free again |
//!
//! A panic is logged at `error` under the name of the task and counted in `supervised_task_panics_total{task}`. The delay
//! before a restart starts at [`FIRST_RESTART_DELAY`] and doubles up to [`LONGEST_RESTART_DELAY`]: a task that panics
//! repeatedly costs little, and continues within half a minute after the cause is repaired. A restart is safe because the
//! state of our tasks is in Redis, in SQL or behind locks that are consistent between any two statements: unfinished work
//! counts as not done, as if the process had been killed.

#![deny(missing_docs)]

mod backoff;
#[doc(hidden)]
pub mod fail_point;
mod log_rate_limit;
mod single_flight;
mod tick;

use std::any::Any;
use std::borrow::Cow;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

pub use backoff::Backoff;
pub use log_rate_limit::LogRateLimit;
pub use single_flight::{NoOutcome, SingleFlight};
pub use tick::next_tick;

/// The examples of the README, which must run like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The delay after the first panic; it doubles with each one.
pub const FIRST_RESTART_DELAY: Duration = Duration::from_millis(100);

/// The longest delay before a restart.
pub const LONGEST_RESTART_DELAY: Duration = Duration::from_secs(30);

/// A task that ran for this long without a panic starts with the first delay again.
const RESET_AFTER: Duration = Duration::from_secs(60);

/// Runs a task again after each panic, for tasks that keep state between runs.
///
/// ```
/// # async fn work(_queue: &mut Vec<u8>) {}
/// # async fn example() {
/// let mut queue = Vec::new();
/// let mut supervisor = supervise::Supervisor::new("queue");
/// while supervisor.run(work(&mut queue)).await.is_none() {}
/// # }
/// ```
#[derive(Debug)]
pub struct Supervisor {
    task: Cow<'static, str>,
    backoff: Backoff,
    stop: Option<CancellationToken>,
}

impl Supervisor {
    /// The name labels the log lines and the counter of the task: a few words, the same for every start.
    pub fn new(task: impl Into<Cow<'static, str>>) -> Self {
        Self {
            task: task.into(),
            backoff: Backoff::new(FIRST_RESTART_DELAY, LONGEST_RESTART_DELAY),
            stop: None,
        }
    }

    /// A task that is not restarted once `stop` is cancelled.
    pub fn until(task: impl Into<Cow<'static, str>>, stop: CancellationToken) -> Self {
        Self {
            stop: Some(stop),
            ..Self::new(task)
        }
    }

    /// Runs the task once. Returns `None` after a panic and its delay: the caller then runs it again, unless
    /// [`Self::is_stopped`].
    pub async fn run<F: Future>(&mut self, work: F) -> Option<F::Output> {
        let started = Instant::now();
        let panic = match AssertUnwindSafe(work).catch_unwind().await {
            Ok(output) => return Some(output),
            Err(panic) => panic,
        };
        if started.elapsed() >= RESET_AFTER {
            self.backoff.reset();
        }
        let delay = self.backoff.next_delay();
        report_panic(&self.task, &*panic, Some(delay));
        match &self.stop {
            Some(stop) => drop(stop.run_until_cancelled(tokio::time::sleep(delay)).await),
            None => tokio::time::sleep(delay).await,
        }
        None
    }

    /// Whether the stop token is cancelled.
    pub fn is_stopped(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(CancellationToken::is_cancelled)
    }
}

/// Spawns a task that is restarted after each panic, until it returns.
pub fn spawn<F>(
    task: impl Into<Cow<'static, str>>,
    start: impl FnMut() -> F + Send + 'static,
) -> JoinHandle<()>
where
    F: Future<Output = ()> + Send + 'static,
{
    tokio::spawn(restart(Supervisor::new(task), start))
}

/// As [`spawn`], within a task that exists already.
pub async fn restart<F>(mut supervisor: Supervisor, mut start: impl FnMut() -> F)
where
    F: Future<Output = ()>,
{
    while supervisor.run(start()).await.is_none() && !supervisor.is_stopped() {}
}

/// Spawns a task that does one thing. After a panic its handle returns `None`.
pub fn spawn_once<F>(task: impl Into<Cow<'static, str>>, work: F) -> JoinHandle<Option<F::Output>>
where
    F: Future + Send + 'static,
    F::Output: Send + 'static,
{
    let task = task.into();
    tokio::spawn(async move { run_once(&task, work).await })
}

/// As [`spawn_once`], within a task that exists already.
pub async fn run_once<F: Future>(task: &str, work: F) -> Option<F::Output> {
    let done = AssertUnwindSafe(work).catch_unwind().await;
    done.inspect_err(|panic| report_panic(task, &**panic, None))
        .ok()
}

fn report_panic(task: &str, panic: &(dyn Any + Send), restart_in: Option<Duration>) {
    metrics::counter!("supervised_task_panics_total", "task" => task.to_owned()).increment(1);
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let panic = text.unwrap_or("no message");
    match restart_in {
        Some(delay) => {
            let restart_in_ms = u64::try_from(delay.as_millis()).unwrap_or(u64::MAX);
            tracing::error!(
                task,
                panic,
                restart_in_ms,
                "background task panicked, restarting"
            );
        }
        None => tracing::error!(task, panic, "background task panicked"),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn a_task_that_panics_is_restarted_until_it_ends() {
        let starts = Arc::new(AtomicU32::new(0));
        let counted = starts.clone();
        let task = spawn("clumsy", move || {
            let start = counted.fetch_add(1, Ordering::SeqCst);
            async move { assert!(start >= 2, "on purpose") }
        });
        task.await.unwrap();
        assert_eq!(starts.load(Ordering::SeqCst), 3);
    }

    #[tokio::test]
    async fn the_queue_of_a_task_survives_a_panic() {
        let mut queue = vec![1, 2, 3];
        let mut supervisor = Supervisor::new("queue");
        let mut taken = Vec::new();
        let work = async |queue: &mut Vec<u32>, taken: &mut Vec<u32>| {
            while let Some(item) = queue.pop() {
                assert_ne!(item, 2, "on purpose");
                taken.push(item);
            }
        };
        while supervisor.run(work(&mut queue, &mut taken)).await.is_none() {}
        assert_eq!(taken, [3, 1]);
    }

    #[tokio::test]
    async fn a_stopped_task_is_not_restarted() {
        let stop = CancellationToken::new();
        let supervisor = Supervisor::until("stopped", stop.clone());
        let starts = AtomicU32::new(0);
        restart(supervisor, || {
            starts.fetch_add(1, Ordering::SeqCst);
            stop.cancel();
            async { panic!("on purpose") }
        })
        .await;
        assert_eq!(starts.load(Ordering::SeqCst), 1);
    }

    #[tokio::test]
    async fn the_caller_of_a_task_that_panicked_gets_none() {
        let task = spawn_once("once", async { panic!("on purpose") });
        assert_eq!(task.await.unwrap(), None::<()>);
        let task = spawn_once("once", async { 7 });
        assert_eq!(task.await.unwrap(), Some(7));
    }

    #[tokio::test]
    async fn restart_delays_grow_up_to_the_longest() {
        let mut supervisor = Supervisor::until("delays", CancellationToken::new());
        supervisor.stop.as_ref().unwrap().cancel();
        for _ in 0..20 {
            assert_eq!(
                supervisor.run(async { panic!("on purpose") }).await,
                None::<()>
            );
        }
        assert_eq!(supervisor.backoff.next_delay(), LONGEST_RESTART_DELAY);
    }
}
