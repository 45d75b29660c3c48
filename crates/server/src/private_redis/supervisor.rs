//! The thread that keeps a server running until it is told to stop.

use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use supervise::Backoff;
use tokio::sync::{oneshot, watch};

use super::child::{Child, Current, Plan, describe};
use super::client::{self, Answer};
use super::log_file::last_words;
use super::memory;
use super::orphan;
use super::{PrivateRedisError, SIGTERM_LIMIT, State};
use crate::telemetry::LogRateLimit;

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Short enough that the site is whole again within seconds of the cause being gone.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// A run of this length was a good one: the next failure is a new story.
const STABLE_AFTER: Duration = Duration::from_secs(60);
/// An idle machine has the socket open within 50 ms.
const READY_POLL: Duration = Duration::from_millis(10);
/// No sign of life for so long means that none will come. Reading a large file does give signs.
const SILENCE_LIMIT: Duration = Duration::from_secs(15);
/// A server that ends again and again is told of so often.
const LOG_EVERY: Duration = Duration::from_secs(60);
/// How often the log's size and the memory are looked at. Sessions fill a gigabyte in minutes, not in seconds.
const LOOK_EVERY: Duration = Duration::from_secs(5);

pub(super) struct Keeper {
    plan: Arc<Plan>,
    current: Arc<Current>,
    states: watch::Sender<State>,
    /// Disconnected means "stop".
    stop: Receiver<()>,
    exits: LogRateLimit,
    failed_starts: LogRateLimit,
}

impl Keeper {
    pub(super) fn new(
        plan: Arc<Plan>,
        current: Arc<Current>,
        states: watch::Sender<State>,
        stop: Receiver<()>,
    ) -> Self {
        Self {
            plan,
            current,
            states,
            stop,
            exits: LogRateLimit::every(LOG_EVERY),
            failed_starts: LogRateLimit::every(LOG_EVERY),
        }
    }

    /// `started` hears about the first start only; `_ending` closes when this returns.
    pub(super) fn run(
        self,
        started: oneshot::Sender<Result<(), PrivateRedisError>>,
        _ending: Sender<()>,
    ) {
        let first = orphan::end_orphan(&self.plan).and_then(|()| self.start());
        match first {
            Ok(child) => {
                // Nobody listening means that the start was given up; the stop order says so as well.
                let _ = started.send(Ok(()));
                self.keep(child);
            }
            Err(error) => {
                let _ = started.send(Err(error));
            }
        }
        self.states.send_replace(State::Stopped);
    }

    fn keep(&self, mut child: Child) {
        let mut backoff = Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
        loop {
            let running_since = Instant::now();
            let status = self.watch_over(&mut child);
            if self.is_told_to_stop_within(Duration::ZERO) {
                return;
            }
            if running_since.elapsed() >= STABLE_AFTER {
                backoff.reset();
            }
            // With `appendfsync always` Redis exits when the disk is full, each time it is started, until there is room.
            let logged = self.exits.pass();
            if let Some(held_back) = logged {
                tracing::error!(
                    log = %self.plan.log.path().display(),
                    held_back,
                    "the private Redis ended unexpectedly ({}); starting it again",
                    describe(status)
                );
            }
            match self.start_again(&mut backoff) {
                Some(next) => {
                    if logged.is_some() {
                        tracing::info!(pid = next.pid(), "the private Redis is back");
                    }
                    child = next;
                }
                None => return,
            }
        }
    }

    fn watch_over(&self, child: &mut Child) -> ExitStatus {
        let mut memory = memory::Watch::default();
        loop {
            if let Some(usage) = client::usage(&self.plan.socket) {
                memory.note(usage);
            }
            if let Some(status) = child.exited_within(LOOK_EVERY) {
                return status;
            }
            self.plan.log.rotate_if_large();
        }
    }

    /// Tries until it works; nothing when told to stop.
    fn start_again(&self, backoff: &mut Backoff) -> Option<Child> {
        loop {
            let pause = backoff.next_delay();
            self.states.send_replace(State::Restarting { pause });
            if self.is_told_to_stop_within(pause) {
                return None;
            }
            match self.start() {
                Ok(child) => return Some(child),
                Err(PrivateRedisError::Stopped) => return None,
                Err(error) => {
                    if let Some(held_back) = self.failed_starts.pass() {
                        tracing::error!(%error, next_try_in = ?backoff.peek_delay(), held_back, "private Redis not started, retrying");
                    }
                }
            }
        }
    }

    fn start(&self) -> Result<Child, PrivateRedisError> {
        self.plan.log.rotate_if_large();
        let log_start = self.plan.log.len();
        let child = Child::spawn(&self.plan, &self.current)?;
        let child = self.wait_until_ready(child, log_start)?;
        let pid = child.pid();
        tracing::debug!(pid, socket = %self.plan.socket.display(), "the private Redis is ready");
        self.report_truncation(log_start);
        self.states.send_replace(State::Running { pid });
        Ok(child)
    }

    fn wait_until_ready(
        &self,
        mut child: Child,
        log_start: u64,
    ) -> Result<Child, PrivateRedisError> {
        let mut last_sign = Instant::now();
        loop {
            if let Some(status) = child.exited_within(READY_POLL) {
                return Err(PrivateRedisError::Exited {
                    status: describe(status),
                    last_words: last_words(&self.plan.log.since(log_start)),
                    log: self.plan.log.path().to_owned(),
                });
            }
            match client::ask(&self.plan.socket) {
                Answer::Ready => return Ok(child),
                Answer::Loading => last_sign = Instant::now(),
                Answer::Silent => {}
            }
            if self.is_told_to_stop_within(Duration::ZERO) {
                child.end(SIGTERM_LIMIT);
                return Err(PrivateRedisError::Stopped);
            }
            if last_sign.elapsed() > SILENCE_LIMIT {
                child.end(SIGTERM_LIMIT);
                let log = self.plan.log.path().to_owned();
                return Err(PrivateRedisError::Silent { log });
            }
        }
    }

    /// A machine that lost power in the middle of a write leaves half a command, which was never answered, so dropping it is right.
    fn report_truncation(&self, log_start: u64) {
        if self
            .plan
            .log
            .since(log_start)
            .contains("Truncating the AOF")
        {
            tracing::warn!(
                log = %self.plan.log.path().display(),
                "the private Redis found its file cut off in the middle of a write and dropped the incomplete command"
            );
        }
    }

    fn is_told_to_stop_within(&self, pause: Duration) -> bool {
        self.stop.recv_timeout(pause) != Err(RecvTimeoutError::Timeout)
    }
}
