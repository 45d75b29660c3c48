//! Reads sessions from Redis: all that are missed at the same time in one call, which writes nothing.
//!
//! The first miss starts a call once the tasks that are ready have run, so that what arrived together goes out together.
//! While a call is in flight the next misses gather; they go out when it is back, or before if [`CALL_MIN`] of them wait. So
//! a lone request waits for nobody, and in a crowd a call carries many.
//!
//! A call is one `MGET`. In a Cluster the keys have different slots: each miss is a `GET` of its own, the connection of
//! each master sends those that are ready together, and a master that is down delays nobody else's.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use link::LinkError;
use tokio::sync::oneshot;

use crate::session_extender::SessionExtender;
use crate::session_memory::{FillSnapshot, SessionMemory, Span};
use crate::session_record::SessionRecord;
use crate::sessions::{Session, SessionHash, SessionLifetimes};
use crate::token_fingerprint::TokenFingerprint;
use crate::{Error, Kv};

/// Waiting misses that go out although a call is in flight.
const CALL_MIN: usize = 16;

/// More in flight would only wait in Redis.
const CALLS_MAX: usize = 4;

/// Sessions in one call: some hundred microseconds of Redis' time at most, for which others wait.
pub(crate) const CALL_SESSIONS_MAX: usize = 256;

/// Beyond it Redis does not keep up, and one more would wait in vain.
const WAITING_MAX: usize = 10_000;

/// Clocks of two machines differ by less than a millisecond more after so long.
const CLOCK_READ_EVERY: Duration = Duration::from_secs(60);

#[derive(Debug)]
pub(crate) struct SessionReader {
    kv: Kv,
    lifetimes: SessionLifetimes,
    memory: Arc<SessionMemory>,
    extender: Arc<SessionExtender>,
    misses: Mutex<Misses>,
    clock: Mutex<Option<ClockReading>>,
}

#[derive(Debug, Default)]
struct Misses {
    waiting: Vec<Miss>,
    /// A task is about to take what waits.
    is_starting: bool,
    calls_in_flight: usize,
}

#[derive(Debug)]
struct Miss {
    hash: SessionHash,
    fingerprint: TokenFingerprint,
    outcome: oneshot::Sender<Result<FoundSession, Error>>,
}

/// A session to read, and the fingerprint of its token if that was shown.
pub(crate) type WantedSession = (SessionHash, Option<TokenFingerprint>);

/// Nothing, if there is no such session.
pub(crate) type FoundSession = Option<Arc<Session>>;

/// Redis' clock at an instant of ours.
#[derive(Clone, Copy, Debug)]
struct ClockReading {
    redis_ms: u64,
    at: Instant,
}

impl Misses {
    fn should_start(&self) -> bool {
        let is_worth_a_call = match self.calls_in_flight {
            0 => !self.waiting.is_empty(),
            CALLS_MAX.. => false,
            _ => self.waiting.len() >= CALL_MIN,
        };
        !self.is_starting && is_worth_a_call
    }
}

impl SessionReader {
    pub(crate) fn new(
        kv: Kv,
        lifetimes: SessionLifetimes,
        memory: Arc<SessionMemory>,
        extender: Arc<SessionExtender>,
    ) -> Self {
        Self {
            kv,
            lifetimes,
            memory,
            extender,
            misses: Mutex::default(),
            clock: Mutex::default(),
        }
    }

    /// Reads a session that is not in memory, and puts it there.
    pub(crate) async fn read(
        self: &Arc<Self>,
        hash: SessionHash,
        fingerprint: TokenFingerprint,
    ) -> Result<FoundSession, Error> {
        if !self.kv.link.is_cluster() {
            let outcome = self.wait_for_call(hash, fingerprint)?.await;
            // Without an outcome the call has panicked, which its task reports.
            if let Ok(outcome) = outcome {
                return outcome;
            }
        }
        let mut found = self.fill(&[(hash, Some(fingerprint))]).await?;
        Ok(found.pop().flatten())
    }

    fn wait_for_call(
        self: &Arc<Self>,
        hash: SessionHash,
        fingerprint: TokenFingerprint,
    ) -> Result<oneshot::Receiver<Result<FoundSession, Error>>, Error> {
        let (outcome, receiver) = oneshot::channel();
        let should_start = {
            let mut misses = self.misses();
            if misses.waiting.len() >= WAITING_MAX {
                return Err(Error::during("read a session")(LinkError::Saturated));
            }
            misses.waiting.push(Miss {
                hash,
                fingerprint,
                outcome,
            });
            let should_start = misses.should_start();
            misses.is_starting |= should_start;
            should_start
        };
        if should_start {
            supervise::spawn_once("session reads", self.clone().call_while_worth_it());
        }
        Ok(receiver)
    }

    async fn call_while_worth_it(self: Arc<Self>) {
        loop {
            // Whoever is ready to run now may miss as well.
            tokio::task::yield_now().await;
            let (call, misses) = CallInFlight::start(&self);
            self.answer(misses).await;
            drop(call);
            let mut misses = self.misses();
            if !misses.should_start() {
                return;
            }
            misses.is_starting = true;
        }
    }

    async fn answer(&self, misses: Vec<Miss>) {
        if misses.is_empty() {
            return;
        }
        let wanted: Vec<_> = misses
            .iter()
            .map(|miss| (miss.hash, Some(miss.fingerprint)))
            .collect();
        match self.fill(&wanted).await {
            Ok(found) => {
                for (miss, session) in misses.into_iter().zip(found) {
                    // A caller that hung up needs no answer.
                    let _ = miss.outcome.send(Ok(session));
                }
            }
            Err(error) => {
                for miss in misses {
                    let _ = miss.outcome.send(Err(error.clone()));
                }
            }
        }
    }

    /// Reads sessions and puts them into memory; the sessions in the order of the hashes. One whose token was shown is used
    /// by that.
    pub(crate) async fn fill(&self, wanted: &[WantedSession]) -> Result<Vec<FoundSession>, Error> {
        let snapshots: Vec<FillSnapshot> = wanted
            .iter()
            .map(|(hash, _)| self.memory.snapshot(hash))
            .collect();
        let clock = self.read_clock().await?;
        let hashes = wanted.iter().map(|(hash, _)| hash);
        let records = self.kv.read_session_records(hashes).await?;
        let read = wanted.iter().zip(snapshots).zip(records);
        let keep = |((wanted, snapshot), record): ((_, _), Option<Vec<u8>>)| {
            let record = record?;
            let record = SessionRecord::parse(&record, self.kv.session_stamp())?;
            self.keep(wanted, &record, clock, snapshot)
        };
        Ok(read.map(keep).collect())
    }

    fn keep(
        &self,
        &(hash, fingerprint): &WantedSession,
        record: &SessionRecord<'_>,
        clock: ClockReading,
        snapshot: FillSnapshot,
    ) -> FoundSession {
        let now = Instant::now();
        let ends_at = clock.instant(record.ends_ms);
        if ends_at <= now {
            return None;
        }
        // A clock that was set, or another master's, may be ahead: a use in the future would never be due.
        let seen_at = clock.instant(record.seen_ms).min(now);
        let due_at = seen_at + self.lifetimes.between_extensions();
        let ends_at = ends_at.min(seen_at + self.lifetimes.life_without_use());
        let is_due = fingerprint.is_some() && due_at <= now;
        let is_noted = is_due && self.extender.note(hash, now, ends_at);
        let span = Span {
            ends_at,
            due_at: (!is_noted).then_some(due_at),
        };
        let session = Arc::new(record.to_session());
        self.memory
            .insert(&hash, fingerprint, &session, span, snapshot);
        Some(session)
    }

    /// Redis' clock, by which sessions are dated. Read now and then; in between ours goes on from there.
    async fn read_clock(&self) -> Result<ClockReading, Error> {
        let known = *self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(clock) = known
            && clock.at.elapsed() < CLOCK_READ_EVERY
        {
            return Ok(clock);
        }
        // Before the call: a session then seems older than it is by the time of the call, and is extended that much earlier.
        let at = Instant::now();
        let redis_ms = self.kv.read_clock_ms().await?;
        let clock = ClockReading { redis_ms, at };
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = Some(clock);
        Ok(clock)
    }

    /// Redis may be another server from here on.
    pub(crate) fn forget_clock(&self) {
        *self.clock.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    fn misses(&self) -> MutexGuard<'_, Misses> {
        // It is consistent between any two statements that may panic.
        self.misses.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts as a call in flight until it is dropped, also by a panic.
struct CallInFlight<'a>(&'a SessionReader);

impl<'a> CallInFlight<'a> {
    /// With the misses that go out together.
    fn start(reader: &'a SessionReader) -> (Self, Vec<Miss>) {
        let mut misses = reader.misses();
        misses.is_starting = false;
        misses.calls_in_flight += 1;
        let count = misses.waiting.len().min(CALL_SESSIONS_MAX);
        let taken = misses.waiting.drain(..count).collect();
        (Self(reader), taken)
    }
}

impl Drop for CallInFlight<'_> {
    fn drop(&mut self) {
        self.0.misses().calls_in_flight -= 1;
    }
}

impl ClockReading {
    /// Our instant of a time of Redis' clock.
    fn instant(self, ms: u64) -> Instant {
        let later = Duration::from_millis(ms.saturating_sub(self.redis_ms));
        let earlier = Duration::from_millis(self.redis_ms.saturating_sub(ms));
        // Nothing reaches back before the machine's start; then it is as old as can be told.
        self.at.checked_sub(earlier).unwrap_or(self.at) + later
    }
}

impl Kv {
    /// The records of these sessions as they are written in Redis, in the order of the hashes. One call, and in a Cluster
    /// one for each.
    pub(crate) async fn read_session_records(
        &self,
        hashes: impl ExactSizeIterator<Item = &SessionHash>,
    ) -> Result<Vec<Option<Vec<u8>>>, Error> {
        let keys = hashes.map(|hash| self.keys.session(hash));
        if !self.link.is_cluster() {
            let mut cmd = redis::cmd("MGET");
            for key in keys {
                cmd.arg(key);
            }
            let records = self.link.run(&cmd).await;
            return records.map_err(Error::during("read sessions"));
        }
        let mut pipe = redis::Pipeline::with_capacity(keys.len());
        for key in keys {
            pipe.get(key);
        }
        let records = self.link.pipe(&pipe).await;
        records.map_err(Error::during("read sessions"))
    }

    async fn read_clock_ms(&self) -> Result<u64, Error> {
        let time = self.link.run(&redis::cmd("TIME")).await;
        let (secs, micros): (u64, u64) = time.map_err(Error::during("read the clock"))?;
        Ok(secs * 1000 + micros / 1000)
    }
}
