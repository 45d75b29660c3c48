//! What becomes of a background task that panics. This crate alone decides it, for every task of every other crate.
//!
//! tokio catches the panic of a task and tells whoever joins it; of a task that nobody joins, nobody learns that it is
//! gone. A process that has silently stopped to do something is worse than one that was never started, so tasks are not
//! spawned with `tokio::spawn` but here:
//!
//! | task | function | after a panic |
//! |---|---|---|
//! | works for as long as its process, or its owner, lives | [`spawn`], or a [`Supervisor`] where it keeps state | logged, counted, restarted with growing pauses |
//! | does one thing and ends | [`spawn_once`] | logged, counted; whoever waits for it sees that it is gone |
//!
//! A panic is logged at `error` under the name of the task and counted in `tandian_task_panics_total{task}`. The pause
//! before a restart begins at [`FIRST_PAUSE`] and doubles up to [`LONGEST_PAUSE`]: a task that panics over the same thing
//! again and again costs little, and goes on within half a minute of its repair. Restarting is safe because the state of
//! our tasks is in Redis, in SQL or behind locks that are whole between any two statements: what was under way counts as
//! not done, as if the process had been killed.

use std::any::Any;
use std::borrow::Cow;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::{Duration, Instant};

use futures_util::FutureExt as _;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// The pause after a first panic; it doubles with each one.
pub const FIRST_PAUSE: Duration = Duration::from_millis(100);

/// The longest pause before a restart.
pub const LONGEST_PAUSE: Duration = Duration::from_secs(30);

/// A task that ran for this long without a panic begins with the first pause again.
const CALM: Duration = Duration::from_secs(60);

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
    pause: Duration,
    stop: Option<CancellationToken>,
}

impl Supervisor {
    /// A task of this name, which is in its log lines and on its counter: a few words, the same for every start.
    pub fn new(task: impl Into<Cow<'static, str>>) -> Self {
        Self {
            task: task.into(),
            pause: FIRST_PAUSE,
            stop: None,
        }
    }

    /// A task that is not restarted once this token fired.
    pub fn until(task: impl Into<Cow<'static, str>>, stop: CancellationToken) -> Self {
        Self {
            stop: Some(stop),
            ..Self::new(task)
        }
    }

    /// Runs the task once. Nothing if it panicked: the pause is over by then, and it is to be run again, unless
    /// [`Self::is_over`].
    pub async fn run<F: Future>(&mut self, work: F) -> Option<F::Output> {
        let begun = Instant::now();
        let panic = match AssertUnwindSafe(work).catch_unwind().await {
            Ok(output) => return Some(output),
            Err(panic) => panic,
        };
        if begun.elapsed() >= CALM {
            self.pause = FIRST_PAUSE;
        }
        let pause = self.pause;
        note_panic(&self.task, &*panic, Some(pause));
        self.pause = LONGEST_PAUSE.min(pause * 2);
        match &self.stop {
            Some(stop) => drop(stop.run_until_cancelled(tokio::time::sleep(pause)).await),
            None => tokio::time::sleep(pause).await,
        }
        None
    }

    /// Whether the task is not wanted any more.
    pub fn is_over(&self) -> bool {
        self.stop
            .as_ref()
            .is_some_and(CancellationToken::is_cancelled)
    }
}

/// Spawns a task that is started again after each panic, until it returns.
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
    while supervisor.run(start()).await.is_none() && !supervisor.is_over() {}
}

/// Spawns a task that does one thing. After a panic its handle answers nothing.
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
    done.inspect_err(|panic| note_panic(task, &**panic, None))
        .ok()
}

fn note_panic(task: &str, panic: &(dyn Any + Send), restart_in: Option<Duration>) {
    metrics::counter!("tandian_task_panics_total", "task" => task.to_owned()).increment(1);
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let panic = text.unwrap_or("no message");
    match restart_in {
        Some(pause) => {
            let restart_in_ms = u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
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
    async fn a_task_that_panics_is_started_again_until_it_ends() {
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
    async fn what_a_task_has_queued_is_there_after_a_panic() {
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
    async fn a_task_that_is_told_to_stop_is_not_started_again() {
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
    async fn whoever_waits_for_a_task_that_panicked_gets_nothing() {
        let task = spawn_once("once", async { panic!("on purpose") });
        assert_eq!(task.await.unwrap(), None::<()>);
        let task = spawn_once("once", async { 7 });
        assert_eq!(task.await.unwrap(), Some(7));
    }

    #[tokio::test]
    async fn pauses_grow_and_have_an_end() {
        let mut supervisor = Supervisor::until("pauses", CancellationToken::new());
        supervisor.stop.as_ref().unwrap().cancel();
        for _ in 0..20 {
            assert_eq!(
                supervisor.run(async { panic!("on purpose") }).await,
                None::<()>
            );
        }
        assert_eq!(supervisor.pause, LONGEST_PAUSE);
    }
}
