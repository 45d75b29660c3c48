//! Writes behind what requests do to sessions: their last use, and the longer life that comes from it.
//!
//! A session lives in Redis for its idle time and a quarter more ([`SessionLifetimes::life_without_use`]), and its use is
//! written once a quarter is over. So whenever it is used, Redis keeps it for the whole idle time from then on, or the use
//! is written within [`GATHER_FOR`], together with others. What a killed process did not write is lost: those sessions end
//! when they would have ended without that use. A process that is stopped writes it ([`SessionExtender::flush`]).
//!
//! The script changes no session that has ended, so nothing that was signed out comes back, however late the write is.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future;
use link::Script;
use tokio::sync::Notify;

use crate::session_memory::SessionMemory;
use crate::sessions::{SessionHash, SessionLifetimes};
use crate::{Error, Kv};

static EXTEND: Script = Script::new(include_str!("lua/extend_sessions.lua"));

/// How long uses are gathered: what a killed process loses at most.
const GATHER_FOR: Duration = Duration::from_millis(200);

/// Sessions in one call: a millisecond of Redis' time, for which others wait.
const CALL_SESSIONS_MAX: usize = 128;

/// Delay before a write is repeated while Redis is unavailable.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Ten megabytes of uses that wait for Redis; the next ones are noted when they come again.
const WAITING_MAX: usize = 200_000;

#[derive(Debug)]
pub(crate) struct SessionExtender {
    kv: Kv,
    lifetimes: SessionLifetimes,
    memory: Arc<SessionMemory>,
    waiting: Mutex<HashMap<SessionHash, Instant>>,
    /// Held while uses are being written: a flush that finds nothing to write ends after those that are in flight.
    writing: tokio::sync::Mutex<()>,
    woken: Notify,
}

/// When a session was used last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionUse {
    pub(crate) hash: SessionHash,
    pub(crate) at: Instant,
}

impl SessionExtender {
    pub(crate) fn new(kv: Kv, lifetimes: SessionLifetimes, memory: Arc<SessionMemory>) -> Self {
        Self {
            kv,
            lifetimes,
            memory,
            waiting: Mutex::default(),
            writing: tokio::sync::Mutex::default(),
            woken: Notify::new(),
        }
    }

    /// Notes a use that is due; whether there was room for it.
    pub(crate) fn note(&self, hash: SessionHash, at: Instant) -> bool {
        let has_room = {
            let mut waiting = self.waiting();
            let has_room = waiting.len() < WAITING_MAX;
            if has_room {
                waiting.insert(hash, at);
            }
            has_room
        };
        self.woken.notify_one();
        has_room
    }

    /// Writes what was noted, for as long as the process lives.
    pub(crate) async fn run(&self) {
        loop {
            self.woken.notified().await;
            tokio::time::sleep(GATHER_FOR).await;
            while let Err(error) = self.flush().await {
                tracing::debug!(%error, "session uses not written, retrying");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }

    /// Writes what was noted so far. What fails stays noted, and so does what a cancelled flush did not write.
    pub(crate) async fn flush(&self) -> Result<(), Error> {
        let _writing = self.writing.lock().await;
        let mut unwritten = UnwrittenUses::take(self);
        let mut failed = Vec::new();
        let mut outcome = Ok(());
        while let Some(call) = unwritten.uses.rchunks(CALL_SESSIONS_MAX).next() {
            let size = call.len();
            let failed_before = failed.len();
            let extended = self.kv.extend_sessions(call, &self.lifetimes).await;
            for (noted, extended) in call.iter().zip(extended) {
                match extended {
                    Ok(true) => {}
                    Ok(false) => self.memory.invalidate(&noted.hash),
                    Err(error) => {
                        failed.push(*noted);
                        outcome = Err(error);
                    }
                }
            }
            let left = unwritten.uses.len() - size;
            unwritten.uses.truncate(left);
            if failed.len() - failed_before == size {
                // Redis is unavailable: the other calls would only wait for the same.
                break;
            }
        }
        unwritten.uses.extend(failed);
        outcome
    }

    fn waiting(&self) -> MutexGuard<'_, HashMap<SessionHash, Instant>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Uses that were taken to be written; what is left of them when it is dropped is noted again.
struct UnwrittenUses<'a> {
    extender: &'a SessionExtender,
    uses: Vec<SessionUse>,
}

impl<'a> UnwrittenUses<'a> {
    fn take(extender: &'a SessionExtender) -> Self {
        let noted = std::mem::take(&mut *extender.waiting());
        let uses = noted.into_iter().map(|(hash, at)| SessionUse { hash, at });
        Self {
            extender,
            uses: uses.collect(),
        }
    }
}

impl Drop for UnwrittenUses<'_> {
    fn drop(&mut self) {
        let mut waiting = self.extender.waiting();
        for SessionUse { hash, at } in self.uses.drain(..) {
            // Unless it was used again meanwhile.
            waiting.entry(hash).or_insert(at);
        }
    }
}

impl Kv {
    /// Writes uses of sessions, and whether each session is still there. One call; in a Cluster one for each.
    pub(crate) async fn extend_sessions(
        &self,
        uses: &[SessionUse],
        lifetimes: &SessionLifetimes,
    ) -> Vec<Result<bool, Error>> {
        if self.link.is_cluster() {
            let each = uses.iter().map(async |noted| {
                let extended = self.extend(std::slice::from_ref(noted), lifetimes).await?;
                Ok(extended == [true])
            });
            return future::join_all(each).await;
        }
        match self.extend(uses, lifetimes).await {
            Ok(alive) => alive.into_iter().map(Ok).collect(),
            Err(error) => uses.iter().map(|_| Err(error.clone())).collect(),
        }
    }

    async fn extend(
        &self,
        uses: &[SessionUse],
        lifetimes: &SessionLifetimes,
    ) -> Result<Vec<bool>, Error> {
        let keys: Vec<String> = uses
            .iter()
            .map(|noted| self.keys.session(&noted.hash))
            .collect();
        let ages_ms = uses.iter().map(|noted| noted.at.elapsed().as_millis());
        let life_ms = lifetimes.life_without_use().as_millis();
        let args: Vec<String> = std::iter::once(life_ms)
            .chain(ages_ms)
            .map(|ms| ms.to_string())
            .collect();
        let extended = self.link.eval(&EXTEND, &keys, &args).await;
        extended.map_err(Error::during("extend sessions"))
    }
}
