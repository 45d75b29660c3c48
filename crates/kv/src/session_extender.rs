//! Writes behind what requests do to sessions: their last use, and the longer life that comes from it.
//!
//! A session lives in Redis for its idle time and a quarter more ([`SessionLifetimes::life_without_use`]), and its use is
//! written once a quarter is over. So whenever it is used, Redis keeps it for the whole idle time from then on, or the use
//! is written soon, together with others: after [`GATHER_FOR`], or when a rush is over, because a crowd that clicks in the same
//! second needs Redis for its claims; but writing begins after [`LONGEST_DELAY`] at the latest, and at once where a session is
//! about to end. What a killed process did not write is lost: those sessions end when they would have ended without that
//! use. A process that is stopped writes it ([`SessionExtender::flush`]).
//!
//! The script changes no session that has ended, so nothing that was signed out comes back, however late the write is.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::future;
use link::Script;
use tokio::sync::Notify;

use crate::session_memory::SessionMemory;
use crate::sessions::{SessionHash, SessionLifetimes};
use crate::{Error, Kv};

static EXTEND: Script = Script::new(include_str!("lua/extend_sessions.lua"));

/// How long uses are gathered, and how often it is looked whether a rush goes on.
const GATHER_FOR: Duration = Duration::from_millis(200);

/// How long a rush may put off writing. A killed process loses the uses of so long, and of the seconds that writing takes.
const LONGEST_DELAY: Duration = Duration::from_secs(10);

/// A session that would end sooner than this is not kept waiting.
const LIFE_LEFT_MIN: Duration = Duration::from_secs(30);

/// Sessions in one call: a millisecond of Redis' time, for which others wait. While more are noted within [`GATHER_FOR`],
/// a rush goes on.
const CALL_SESSIONS_MAX: usize = 128;

/// Between two calls there is a pause of so many times the length of the first: others have the rest of Redis.
const PAUSE_TIMES: u32 = 3;
/// A slow Redis is no reason for a longer one.
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Delay before a write is repeated while Redis is unavailable.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// Ten megabytes of uses that wait for Redis; the next ones are noted when they come again.
const WAITING_MAX: usize = 200_000;

#[derive(Debug)]
pub(crate) struct SessionExtender {
    kv: Kv,
    lifetimes: SessionLifetimes,
    memory: Arc<SessionMemory>,
    waiting: Mutex<WaitingUses>,
    /// Whether somebody waits for a flush, so that calls follow each other without pauses.
    is_urgent: AtomicBool,
    /// Held while uses are being written: a flush that finds nothing to write ends after those that are in flight.
    writing: tokio::sync::Mutex<()>,
    woken: Notify,
}

/// Uses that are not written yet.
#[derive(Debug, Default)]
struct WaitingUses {
    last_used: HashMap<SessionHash, Instant>,
    /// How many were noted since it was last asked.
    noted: usize,
    /// When all of them must be written; nothing while there are none.
    write_by: Option<Instant>,
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
            is_urgent: AtomicBool::new(false),
            writing: tokio::sync::Mutex::default(),
            woken: Notify::new(),
        }
    }

    /// Notes a use that is due, of a session that ends at that time without it; whether there was room for it.
    pub(crate) fn note(&self, hash: SessionHash, at: Instant, ends_at: Instant) -> bool {
        let has_room = {
            let mut waiting = self.waiting();
            let has_room = waiting.last_used.len() < WAITING_MAX;
            if has_room {
                waiting.note(hash, at, ends_at);
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
            while self.waiting().is_rush(Instant::now()) {
                tokio::time::sleep(GATHER_FOR).await;
            }
            while let Err(error) = self.write().await {
                tracing::debug!(%error, "session uses not written, retrying");
                tokio::time::sleep(RETRY_DELAY).await;
            }
        }
    }

    /// Writes what was noted so far. What fails stays noted, and so does what a cancelled flush did not write.
    pub(crate) async fn flush(&self) -> Result<(), Error> {
        self.is_urgent.store(true, Ordering::Relaxed);
        let written = self.write().await;
        self.is_urgent.store(false, Ordering::Relaxed);
        written
    }

    async fn write(&self) -> Result<(), Error> {
        let _writing = self.writing.lock().await;
        let mut unwritten = UnwrittenUses::take(self);
        let mut failed = Vec::new();
        let mut outcome = Ok(());
        while let Some(call) = unwritten.uses.rchunks(CALL_SESSIONS_MAX).next() {
            let size = call.len();
            let failed_before = failed.len();
            let began = Instant::now();
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
            if left > 0 && !self.is_pressing() {
                let pause = began.elapsed() * PAUSE_TIMES;
                tokio::time::sleep(pause.min(LONGEST_PAUSE)).await;
            }
        }
        unwritten.uses.extend(failed);
        outcome
    }

    /// Whether somebody waits for what is being written, or a session that was used meanwhile is about to end.
    fn is_pressing(&self) -> bool {
        self.is_urgent.load(Ordering::Relaxed) || self.waiting().is_overdue(Instant::now())
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingUses> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl WaitingUses {
    fn note(&mut self, hash: SessionHash, at: Instant, ends_at: Instant) {
        let before_its_end = ends_at.checked_sub(LIFE_LEFT_MIN).unwrap_or(at);
        let write_by = before_its_end.min(at + LONGEST_DELAY);
        self.write_by = Some(self.write_by.map_or(write_by, |by| by.min(write_by)));
        self.last_used.insert(hash, at);
        self.noted += 1;
    }

    /// Whether so many were noted since the last call that they can wait for the others who come.
    fn is_rush(&mut self, now: Instant) -> bool {
        let noted = std::mem::take(&mut self.noted);
        noted >= CALL_SESSIONS_MAX && !self.is_overdue(now)
    }

    fn is_overdue(&self, now: Instant) -> bool {
        self.write_by.is_some_and(|by| by <= now)
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
        let uses = noted
            .last_used
            .into_iter()
            .map(|(hash, at)| SessionUse { hash, at });
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
            waiting.last_used.entry(hash).or_insert(at);
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

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3_600);

    fn hash(number: u8) -> SessionHash {
        SessionHash::from_hex(&format!("{number:02x}").repeat(32)).expect("a hash")
    }

    /// Uses of so many people at once, of sessions that end an hour later.
    fn noted(people: usize, at: Instant) -> WaitingUses {
        let mut waiting = WaitingUses::default();
        for _ in 0..people {
            waiting.note(hash(1), at, at + HOUR);
        }
        waiting
    }

    #[test]
    fn a_few_uses_do_not_wait() {
        let now = Instant::now();
        assert!(!noted(CALL_SESSIONS_MAX - 1, now).is_rush(now));
    }

    #[test]
    fn a_rush_ends_when_nobody_comes_and_lasts_ten_seconds_at_most() {
        let now = Instant::now();
        let mut waiting = noted(CALL_SESSIONS_MAX, now);
        assert!(waiting.is_rush(now));
        assert!(!waiting.is_rush(now), "nobody came since");
        let late = now + LONGEST_DELAY;
        assert!(!noted(CALL_SESSIONS_MAX, now).is_rush(late));
    }

    #[test]
    fn a_session_that_would_end_ends_the_wait_of_all() {
        let now = Instant::now();
        let mut waiting = noted(CALL_SESSIONS_MAX, now);
        waiting.note(hash(2), now, now + LIFE_LEFT_MIN);
        assert!(waiting.is_overdue(now), "nothing pauses for others either");
        assert!(!waiting.is_rush(now));
    }
}
