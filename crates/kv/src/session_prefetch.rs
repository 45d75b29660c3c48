//! Prefetch: reads the sessions of Redis into memory before a request shows their tokens.
//!
//! When the subscription comes up, all sessions are read once, with pauses that leave Redis to other work; from then on
//! every session that is opened or changed anywhere is read again after its invalidation. Both stop when memory is nearly
//! full, and neither is needed for correctness: a session that is missing is read when its token is shown.
//!
//! A Cluster is not searched for its sessions; those that are opened or changed are read as elsewhere.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::session_memory::SessionMemory;
use crate::session_reader::{CALL_SESSIONS_MAX, SessionReader};
use crate::sessions::SessionHash;
use crate::{Error, Kv};

/// Of its time, one part is reading and this many are pauses. Every process reads all sessions when a failover is over.
const PAUSES_PER_STEP: u32 = 4;

/// Delay before reading starts anew after a failure.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Keys that Redis looks at in one step: some hundred microseconds, for which others wait.
const KEYS_PER_STEP: usize = 1_000;

/// Two megabytes of hashes; more changes than memory can follow are read when their tokens are shown.
const CHANGED_MAX: usize = 65_536;

#[derive(Debug)]
pub(crate) struct SessionPrefetch {
    kv: Kv,
    reader: Arc<SessionReader>,
    memory: Arc<SessionMemory>,
    is_started: AtomicBool,
    /// All sessions are to be read.
    is_cold: AtomicBool,
    changed: Mutex<VecDeque<SessionHash>>,
    woken: Notify,
}

impl SessionPrefetch {
    pub(crate) fn new(kv: Kv, reader: Arc<SessionReader>, memory: Arc<SessionMemory>) -> Self {
        Self {
            kv,
            reader,
            memory,
            is_started: AtomicBool::new(false),
            is_cold: AtomicBool::new(true),
            changed: Mutex::default(),
            woken: Notify::new(),
        }
    }

    /// Prefetches from here on. A process that answers no requests never starts.
    pub(crate) fn start(&self) {
        if !self.memory.is_off() {
            self.is_started.store(true, Ordering::Release);
            self.woken.notify_one();
        }
    }

    /// The subscription came up: memory is empty.
    pub(crate) fn note_cold(&self) {
        self.is_cold.store(true, Ordering::Release);
        self.woken.notify_one();
    }

    /// This session was opened, changed or ended.
    pub(crate) fn note_changed(&self, hash: SessionHash) {
        if !self.is_started.load(Ordering::Acquire) {
            return;
        }
        let mut changed = self.changed();
        if changed.len() < CHANGED_MAX {
            changed.push_back(hash);
            drop(changed);
            self.woken.notify_one();
        }
    }

    /// Prefetches for as long as the process lives. After a failed read all sessions are read again.
    pub(crate) async fn run(&self) {
        loop {
            self.woken.notified().await;
            if !self.is_started.load(Ordering::Acquire) || !self.memory.is_subscribed() {
                continue;
            }
            let mut read = self.read_changed().await;
            if read.is_ok() && self.is_cold.swap(false, Ordering::AcqRel) {
                read = self.read_all().await;
            }
            if let Err(error) = read {
                tracing::debug!(%error, "session prefetch failed, retrying");
                tokio::time::sleep(RETRY_DELAY).await;
                self.note_cold();
            }
        }
    }

    async fn read_changed(&self) -> Result<(), Error> {
        loop {
            let hashes: Vec<SessionHash> = {
                let mut changed = self.changed();
                let count = changed.len().min(CALL_SESSIONS_MAX);
                changed.drain(..count).collect()
            };
            if hashes.is_empty() {
                return Ok(());
            }
            if !self.memory.is_nearly_full() {
                self.fill(&hashes).await?;
            }
        }
    }

    async fn read_all(&self) -> Result<(), Error> {
        if self.kv.link.is_cluster() {
            return Ok(());
        }
        let mut cursor = 0;
        loop {
            let began = Instant::now();
            let (next, hashes) = self.kv.scan_sessions(cursor, KEYS_PER_STEP).await?;
            for call in hashes.chunks(CALL_SESSIONS_MAX) {
                self.fill(call).await?;
            }
            self.read_changed().await?;
            if next == 0 || self.memory.is_nearly_full() {
                return Ok(());
            }
            cursor = next;
            tokio::time::sleep(began.elapsed() * PAUSES_PER_STEP).await;
        }
    }

    async fn fill(&self, hashes: &[SessionHash]) -> Result<(), Error> {
        let wanted: Vec<_> = hashes.iter().map(|hash| (*hash, None)).collect();
        self.reader.fill(&wanted).await?;
        Ok(())
    }

    fn changed(&self) -> MutexGuard<'_, VecDeque<SessionHash>> {
        self.changed.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Kv {
    /// The next cursor, zero at the end, and sessions among the keys that were looked at.
    async fn scan_sessions(
        &self,
        cursor: u64,
        keys: usize,
    ) -> Result<(u64, Vec<SessionHash>), Error> {
        let prefix = self.keys.session_prefix();
        let mut cmd = redis::cmd("SCAN");
        cmd.arg(cursor).arg("MATCH").arg(pattern_of(&prefix));
        cmd.arg("COUNT").arg(keys);
        let found = self.link.run(&cmd).await;
        let (next, found): (u64, Vec<String>) =
            found.map_err(Error::during("look for sessions"))?;
        let hash = |key: &String| SessionHash::from_hex(key.strip_prefix(&prefix)?);
        Ok((next, found.iter().filter_map(hash).collect()))
    }
}

/// Keys with this prefix, whatever characters it has.
fn pattern_of(prefix: &str) -> String {
    let mut pattern = String::with_capacity(prefix.len() + 1);
    for character in prefix.chars() {
        if matches!(character, '*' | '?' | '[' | ']' | '^' | '\\') {
            pattern.push('\\');
        }
        pattern.push(character);
    }
    pattern.push('*');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_no_pattern() {
        assert_eq!(pattern_of("a:login:"), "a:login:*");
        assert_eq!(pattern_of(r"*[x]\?"), r"\*\[x\]\\\?*");
    }
}
