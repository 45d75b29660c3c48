//! Reads that callers share when many ask for the same at once.
//!
//! A caller joins a read that has **not begun** yet, so what it gets was read after it asked: sharing makes nothing older.
//! While a read runs, later callers wait for the next one, all together. With one caller at a time every read is its own;
//! with a crowd there are two reads under way per key, however many people wait.
//!
//! An error is shared as a value is. An outage also ends the read that waits behind it: a database that does not answer
//! costs a caller one timeout, not one for each read before its own.

use std::collections::HashMap;
use std::hash::Hash;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::FutureExt as _;
use futures_util::future::{BoxFuture, Shared};

use crate::Error;

type Read<V> = Shared<BoxFuture<'static, Result<Arc<V>, Arc<Error>>>>;

/// The reads under way. Holds no more keys than there are callers.
#[derive(Debug)]
pub(crate) struct SharedReads<K, V> {
    latest: Mutex<HashMap<K, PendingRead<V>>>,
}

#[derive(Debug)]
struct PendingRead<V> {
    has_begun: Arc<AtomicBool>,
    read: Read<V>,
}

impl<K, V> Default for SharedReads<K, V> {
    fn default() -> Self {
        Self {
            latest: Mutex::default(),
        }
    }
}

impl<K: Clone + Eq + Hash, V: Send + Sync + 'static> SharedReads<K, V> {
    /// What `read` returns, called by this caller or by one that came before it began.
    pub(crate) async fn join<F>(&self, key: K, read: F) -> Result<Arc<V>, Error>
    where
        F: Future<Output = Result<V, Error>> + Send + 'static,
    {
        let read = self.join_or_queue(&key, read);
        let _joined = JoinedRead {
            read: Some(read.clone()),
            reads: self,
            key,
        };
        read.await.map_err(Error::Shared)
    }

    fn join_or_queue<F>(&self, key: &K, read: F) -> Read<V>
    where
        F: Future<Output = Result<V, Error>> + Send + 'static,
    {
        let mut latest = self.lock();
        let current = latest.get(key);
        if let Some(current) = current
            && !current.has_begun.load(Ordering::Acquire)
        {
            return current.read.clone();
        }
        // The outcome of one that has ended is older than this caller.
        let before = current.map(|current| current.read.clone());
        let before = before.filter(|before| before.peek().is_none());
        let has_begun = Arc::new(AtomicBool::new(false));
        let begins = has_begun.clone();
        let queued = async move {
            // Its panic concerns those who wait for it.
            let before = match before {
                Some(before) => AssertUnwindSafe(before).catch_unwind().await.ok(),
                None => None,
            };
            begins.store(true, Ordering::Release);
            match before {
                Some(Err(error)) if error.is_outage() => Err(error),
                _ => read.await.map(Arc::new).map_err(Arc::new),
            }
        };
        let read = queued.boxed().shared();
        let pending = PendingRead {
            has_begun,
            read: read.clone(),
        };
        latest.insert(key.clone(), pending);
        read
    }
}

impl<K, V> SharedReads<K, V> {
    /// No code panics while it holds this lock, so a poisoned map is consistent.
    fn lock(&self) -> MutexGuard<'_, HashMap<K, PendingRead<V>>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A caller's part in a read. The last one takes the read out of the map, finished or not: an unfinished one that nobody
/// waits for would keep its connection to SQL.
struct JoinedRead<'a, K: Eq + Hash, V> {
    reads: &'a SharedReads<K, V>,
    key: K,
    read: Option<Read<V>>,
}

impl<K: Eq + Hash, V> Drop for JoinedRead<'_, K, V> {
    fn drop(&mut self) {
        let mut latest = self.reads.lock();
        let Some(mine) = self.read.take() else {
            return;
        };
        let Some(current) = latest.get(&self.key) else {
            return;
        };
        if !current.read.ptr_eq(&mine) {
            return;
        }
        drop(mine);
        // `None` says that it is finished.
        if current.read.strong_count().is_none_or(|count| count == 1) {
            latest.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicUsize;
    use std::time::Duration;

    use tokio::sync::Notify;
    use tokio::task::yield_now;

    use super::*;

    #[derive(Default)]
    struct Source {
        reads: AtomicUsize,
        may_end: Notify,
    }

    async fn number_of_read(source: Arc<Source>) -> Result<usize, Error> {
        let number = source.reads.fetch_add(1, Ordering::SeqCst);
        source.may_end.notified().await;
        Ok(number)
    }

    /// Only the first read waits.
    async fn fail(source: Arc<Source>, error: Error) -> Result<usize, Error> {
        if source.reads.fetch_add(1, Ordering::SeqCst) == 0 {
            source.may_end.notified().await;
        }
        Err(error)
    }

    fn outage() -> Error {
        Error::Busy {
            retry_after: Duration::from_secs(1),
        }
    }

    async fn wait_until_begun(source: &Source) {
        while source.reads.load(Ordering::SeqCst) == 0 {
            yield_now().await;
        }
    }

    async fn let_others_run() {
        for _ in 0..100 {
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn callers_that_come_while_a_read_runs_share_the_next_one() {
        let (reads, source) = (
            Arc::new(SharedReads::default()),
            Arc::new(Source::default()),
        );
        let ask = || {
            let (reads, source) = (reads.clone(), source.clone());
            tokio::spawn(async move { reads.join(7, number_of_read(source)).await })
        };
        let first = ask();
        wait_until_begun(&source).await;
        let later: Vec<_> = (0..50).map(|_| ask()).collect();
        let_others_run().await;
        assert_eq!(source.reads.load(Ordering::SeqCst), 1, "the next waits");
        source.may_end.notify_one();
        assert_eq!(*first.await.unwrap().unwrap(), 0);
        source.may_end.notify_one();
        for asked in later {
            assert_eq!(*asked.await.unwrap().unwrap(), 1);
        }
        assert!(reads.lock().is_empty(), "nothing is kept");
    }

    #[tokio::test]
    async fn an_outage_answers_all_who_wait_and_no_caller_reads_again() {
        let (reads, source) = (
            Arc::new(SharedReads::default()),
            Arc::new(Source::default()),
        );
        let ask = || {
            let (reads, source) = (reads.clone(), source.clone());
            tokio::spawn(async move { reads.join(7, fail(source, outage())).await })
        };
        let first = ask();
        wait_until_begun(&source).await;
        let later: Vec<_> = (0..50).map(|_| ask()).collect();
        let_others_run().await;
        source.may_end.notify_one();
        for asked in later.into_iter().chain([first]) {
            let error = asked.await.unwrap().unwrap_err();
            assert!(error.is_outage(), "{error:?}");
        }
        assert_eq!(source.reads.load(Ordering::SeqCst), 1);
        source.may_end.notify_one();
        let next = reads.join(7, number_of_read(source.clone())).await;
        assert_eq!(*next.unwrap(), 1, "the next caller reads");
    }

    #[tokio::test]
    async fn another_error_concerns_those_alone_who_share_the_read() {
        let (reads, source) = (
            Arc::new(SharedReads::default()),
            Arc::new(Source::default()),
        );
        let (failing, there) = (reads.clone(), source.clone());
        let error = Error::IdempotencyMismatch;
        let first = tokio::spawn(async move { failing.join(7, fail(there, error)).await });
        wait_until_begun(&source).await;
        let (joining, there) = (reads.clone(), source.clone());
        let later = tokio::spawn(async move { joining.join(7, number_of_read(there)).await });
        let_others_run().await;
        source.may_end.notify_one();
        assert!(matches!(first.await.unwrap(), Err(Error::Shared(_))));
        source.may_end.notify_one();
        assert_eq!(*later.await.unwrap().unwrap(), 1);
    }

    #[tokio::test]
    async fn a_caller_who_leaves_and_a_read_that_fails_or_panics_hold_nobody_up() {
        let reads = Arc::new(SharedReads::<u8, u8>::default());
        let stuck = reads.clone();
        let left = tokio::spawn(async move {
            let never = std::future::pending::<Result<u8, Error>>();
            stuck.join(1, never).await
        });
        yield_now().await;
        left.abort();
        assert!(left.await.unwrap_err().is_cancelled());
        assert!(reads.lock().is_empty(), "nobody waits for it");
        let failed = reads.join(1, async { Err(outage()) }).await;
        assert!(failed.is_err());
        let panicking = reads.clone();
        let panicked = tokio::spawn(async move { panicking.join(1, panics()).await });
        assert!(panicked.await.unwrap_err().is_panic());
        assert_eq!(*reads.join(1, async { Ok(3) }).await.unwrap(), 3);
    }

    async fn panics() -> Result<u8, Error> {
        panic!("as a bug would")
    }
}
