//! The truth that the caches of a test are in front of: rows in memory, with gates to stop a load at.

use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
};

use redis_two_level_cache::{LoadedRows, Loader};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::TEST_TIMEOUT;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) version: u64,
    pub(crate) text: String,
}

#[derive(Debug, thiserror::Error)]
#[error("the store is down")]
pub(crate) struct Down;

/// Cheap to clone: all clones are the same rows.
#[derive(Clone)]
pub(crate) struct Store {
    inner: Arc<Inner>,
    pub(crate) gate: Arc<Gate>,
}

struct Inner {
    rows: Mutex<BTreeMap<u64, Row>>,
    is_down: AtomicBool,
    panics: AtomicBool,
    calls: AtomicUsize,
    keys: AtomicUsize,
}

/// Stops loads after they have read their row and before they hand it in.
pub(crate) struct Gate {
    is_shut: watch::Sender<bool>,
    waiting: watch::Sender<usize>,
}

impl Gate {
    fn open() -> Self {
        Self {
            is_shut: watch::Sender::new(false),
            waiting: watch::Sender::new(0),
        }
    }

    pub(crate) fn shut(&self) {
        self.is_shut.send_replace(true);
    }

    pub(crate) fn reopen(&self) {
        self.is_shut.send_replace(false);
    }

    /// Returns when so many loads stand at the gate.
    pub(crate) async fn wait_for(&self, loads: usize) {
        let mut waiting = self.waiting.subscribe();
        let arrived = waiting.wait_for(|waiting| *waiting >= loads);
        let arrived = tokio::time::timeout(TEST_TIMEOUT, arrived).await;
        arrived.expect("loads arrive at the gate").unwrap();
    }

    async fn pass(&self) {
        let mut is_shut = self.is_shut.subscribe();
        self.waiting.send_modify(|waiting| *waiting += 1);
        let _leaving = Leaving(self);
        is_shut.wait_for(|is_shut| !is_shut).await.unwrap();
    }
}

/// A load that is cancelled at the gate leaves it too.
struct Leaving<'a>(&'a Gate);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.waiting.send_modify(|waiting| *waiting -= 1);
    }
}

impl Store {
    pub(crate) fn new() -> Self {
        Self {
            inner: Arc::new(Inner {
                rows: Mutex::default(),
                is_down: AtomicBool::new(false),
                panics: AtomicBool::new(false),
                calls: AtomicUsize::new(0),
                keys: AtomicUsize::new(0),
            }),
            gate: Arc::new(Gate::open()),
        }
    }

    /// With row 1, whose text is "one".
    pub(crate) fn with_one() -> Self {
        let store = Self::new();
        store.write(1, "one");
        store
    }

    /// Another way to the same rows, with a gate of its own.
    pub(crate) fn other_node(&self) -> Self {
        Self {
            inner: self.inner.clone(),
            gate: Arc::new(Gate::open()),
        }
    }

    /// Creates or changes a row and returns its version.
    pub(crate) fn write(&self, id: u64, text: &str) -> u64 {
        let mut rows = self.inner.rows.lock().unwrap();
        let version = rows.get(&id).map_or(0, |row| row.version + 1);
        let text = text.to_owned();
        rows.insert(id, Row { version, text });
        version
    }

    pub(crate) fn write_many(&self, ids: std::ops::Range<u64>) {
        for id in ids {
            self.write(id, &format!("row {id}"));
        }
    }

    /// Creates or changes a row, with a version of the test's choice.
    pub(crate) fn write_version(&self, id: u64, text: &str, version: u64) {
        let text = text.to_owned();
        let mut rows = self.inner.rows.lock().unwrap();
        rows.insert(id, Row { version, text });
    }

    pub(crate) fn row(&self, id: u64) -> Option<Row> {
        self.inner.rows.lock().unwrap().get(&id).cloned()
    }

    pub(crate) fn ids_after(&self, last: Option<u64>, limit: usize) -> Vec<u64> {
        let rows = self.inner.rows.lock().unwrap();
        let first = last.map_or(0, |last| last + 1);
        rows.range(first..).map(|(id, _)| *id).take(limit).collect()
    }

    pub(crate) fn set_down(&self, is_down: bool) {
        self.inner.is_down.store(is_down, Ordering::SeqCst);
    }

    pub(crate) fn set_panics(&self, panics: bool) {
        self.inner.panics.store(panics, Ordering::SeqCst);
    }

    /// How often it was asked.
    pub(crate) fn calls(&self) -> usize {
        self.inner.calls.load(Ordering::SeqCst)
    }

    /// How many keys it was asked for.
    pub(crate) fn keys(&self) -> usize {
        self.inner.keys.load(Ordering::SeqCst)
    }

    async fn answer(&self, keys: &[u64]) -> Result<LoadedRows<Self>, Down> {
        self.inner.calls.fetch_add(1, Ordering::SeqCst);
        self.inner.keys.fetch_add(keys.len(), Ordering::SeqCst);
        assert!(
            !self.inner.panics.load(Ordering::SeqCst),
            "as the test wants"
        );
        let rows = keys.iter().filter_map(|id| Some((*id, self.row(*id)?)));
        let rows = rows.collect();
        self.gate.pass().await;
        if self.inner.is_down.load(Ordering::SeqCst) {
            return Err(Down);
        }
        Ok(rows)
    }
}

impl Loader for Store {
    type Key = u64;
    type Value = Row;
    type Error = Down;

    async fn load(&self, key: &u64) -> Result<Option<Row>, Down> {
        let mut rows = self.answer(&[*key]).await?;
        Ok(rows.pop().map(|(_, row)| row))
    }

    async fn load_many(&self, keys: &[u64]) -> Result<LoadedRows<Self>, Down> {
        self.answer(keys).await
    }

    fn version(row: &Row) -> Option<u64> {
        Some(row.version)
    }
}
