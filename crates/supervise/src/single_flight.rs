//! One task per key whose outcome all callers share: [`SingleFlight`].

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::hash::Hash;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use crate::spawn_once;

/// Runs at most one task per key; callers that come while it runs share its outcome.
///
/// The work runs in a task of its own ([`spawn_once`]), so a caller that is cancelled does not cancel it. A key is free
/// again when its task has ended, also by a panic. The number of keys in flight has a bound.
pub struct SingleFlight<K, T> {
    task: &'static str,
    max_in_flight: usize,
    in_flight: Arc<Mutex<InFlight<K, T>>>,
}

type InFlight<K, T> = HashMap<K, watch::Receiver<Option<T>>>;

/// Why a caller gets no outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOutcome {
    /// As many keys as allowed are in flight; the work was not started.
    TooMany,
    /// The task panicked, or the runtime is shutting down.
    Aborted,
}

impl fmt::Display for NoOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooMany => "too many tasks are in flight",
            Self::Aborted => "the task was aborted",
        })
    }
}

impl std::error::Error for NoOutcome {}

impl<K, T> SingleFlight<K, T> {
    /// Tasks run under this name, see [`spawn_once`]; at most `max_in_flight` of them at once.
    pub fn new(task: &'static str, max_in_flight: usize) -> Self {
        Self {
            task,
            max_in_flight,
            in_flight: Arc::default(),
        }
    }
}

impl<K, T> SingleFlight<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + Sync + 'static,
{
    /// Returns the outcome of the task in flight for this key, or starts `work` and returns its outcome.
    pub async fn join<F>(&self, key: K, work: impl FnOnce() -> F) -> Result<T, NoOutcome>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let mut outcome = self.join_or_start(key, work)?;
        let outcome = outcome.wait_for(Option::is_some).await;
        let outcome = outcome.ok().and_then(|outcome| outcome.clone());
        outcome.ok_or(NoOutcome::Aborted)
    }

    /// Starts `work` in the background, unless a task for this key is in flight or too many are.
    pub fn start<F>(&self, key: K, work: impl FnOnce() -> F)
    where
        F: Future<Output = T> + Send + 'static,
    {
        // Either way the caller does not wait.
        let _ = self.join_or_start(key, work);
    }

    fn join_or_start<F>(
        &self,
        key: K,
        work: impl FnOnce() -> F,
    ) -> Result<watch::Receiver<Option<T>>, NoOutcome>
    where
        F: Future<Output = T> + Send + 'static,
    {
        let mut in_flight = lock(&self.in_flight);
        if let Some(outcome) = in_flight.get(&key) {
            return Ok(outcome.clone());
        }
        if in_flight.len() >= self.max_in_flight {
            return Err(NoOutcome::TooMany);
        }
        let (sender, outcome) = watch::channel(None);
        in_flight.insert(key.clone(), outcome.clone());
        // A runtime that is shutting down drops the task inside of the spawn, and the entry takes this lock.
        drop(in_flight);
        let entry = RemoveOnDrop {
            in_flight: self.in_flight.clone(),
            key,
        };
        let work = work();
        spawn_once(self.task, async move {
            let value = work.await;
            // A caller that comes after the outcome starts a new task.
            drop(entry);
            sender.send_replace(Some(value));
        });
        Ok(outcome)
    }
}

impl<K: fmt::Debug, T> fmt::Debug for SingleFlight<K, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let keys: Vec<_> = lock(&self.in_flight)
            .keys()
            .map(|k| format!("{k:?}"))
            .collect();
        let mut shown = f.debug_struct("SingleFlight");
        shown.field("task", &self.task).field("in_flight", &keys);
        shown.finish_non_exhaustive()
    }
}

/// Frees the key when the task ends, also by a panic.
struct RemoveOnDrop<K: Eq + Hash, T> {
    in_flight: Arc<Mutex<InFlight<K, T>>>,
    key: K,
}

impl<K: Eq + Hash, T> Drop for RemoveOnDrop<K, T> {
    fn drop(&mut self) {
        lock(&self.in_flight).remove(&self.key);
    }
}

fn lock<K, T>(in_flight: &Mutex<InFlight<K, T>>) -> MutexGuard<'_, InFlight<K, T>> {
    // The map is consistent between any two statements, so poisoning is ignored.
    in_flight.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use futures_util::future::join_all;
    use tokio::sync::Notify;

    use super::*;

    #[tokio::test]
    async fn callers_of_one_key_share_one_task_and_later_callers_start_another() {
        let flight = SingleFlight::new("test", 1);
        let runs = Arc::new(AtomicU32::new(0));
        let work = || {
            let runs = runs.clone();
            async move { runs.fetch_add(1, Ordering::SeqCst) + 1 }
        };
        let outcomes = join_all((0..10).map(|_| flight.join(7, work))).await;
        assert_eq!(outcomes, [Ok(1); 10]);
        assert_eq!(flight.join(7, work).await, Ok(2));
    }

    #[tokio::test]
    async fn a_cancelled_caller_does_not_cancel_the_task() {
        let flight = SingleFlight::new("test", 1);
        let go = Arc::new(Notify::new());
        let waits = go.clone();
        let first = flight.join(7, || async move { waits.notified().await });
        assert!(futures_util::FutureExt::now_or_never(first).is_none());
        go.notify_one();
        assert_eq!(
            flight.join(7, || async { panic!("not started") }).await,
            Ok(())
        );
    }

    #[tokio::test]
    async fn the_number_of_tasks_has_a_bound() {
        let flight = SingleFlight::new("test", 2);
        for key in [1, 2] {
            flight.start(key, std::future::pending::<()>);
        }
        let refused = flight.join(3, || async {}).await;
        assert_eq!(refused, Err(NoOutcome::TooMany));
    }

    #[tokio::test]
    async fn a_panic_frees_the_key() {
        let flight = SingleFlight::<_, ()>::new("test", 1);
        let aborted = flight.join(7, || async { panic!("on purpose") }).await;
        assert_eq!(aborted, Err(NoOutcome::Aborted));
        assert_eq!(flight.join(7, || async {}).await, Ok(()));
    }

    #[test]
    fn a_runtime_that_shuts_down_gives_no_outcome_and_blocks_nobody() {
        let runtime = tokio::runtime::Builder::new_multi_thread().build().unwrap();
        let handle = runtime.handle().clone();
        runtime.shutdown_background();
        let (done, is_done) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let _entered = handle.enter();
            let flights: SingleFlight<u8, u8> = SingleFlight::new("test", 8);
            let outcome =
                futures_util::future::FutureExt::now_or_never(flights.join(1, async || 1));
            let _ = done.send((outcome, lock(&flights.in_flight).len()));
        });
        let outcome = is_done.recv_timeout(std::time::Duration::from_secs(10));
        assert_eq!(outcome, Ok((Some(Err(NoOutcome::Aborted)), 0)));
    }
}
