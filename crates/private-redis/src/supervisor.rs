//! The supervisor: a thread that restarts the Redis server whenever it exits, until it is stopped.

use std::process::ExitStatus;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use supervise::{Backoff, LogRateLimit};
use tokio::sync::{oneshot, watch};

use crate::child::{Child, CurrentProcess, StartPlan, describe};
use crate::client::{self, PingResult};
use crate::log_file::last_log_line;
use crate::memory;
use crate::orphan;
use crate::{PrivateRedisError, SIGTERM_LIMIT, State};

const FIRST_PAUSE: Duration = Duration::from_millis(100);
/// Short enough that the site recovers within seconds after the cause is gone.
const LONGEST_PAUSE: Duration = Duration::from_secs(3);
/// A run of this length resets the pause between restarts.
const STABLE_AFTER: Duration = Duration::from_secs(60);
/// An idle machine has the socket open within 50 ms.
const READY_POLL: Duration = Duration::from_millis(10);
/// A server that answers nothing for so long has failed to start. One that loads a large file does answer.
const SILENCE_LIMIT: Duration = Duration::from_secs(15);
/// How often repeated exits are logged.
const LOG_EVERY: Duration = Duration::from_secs(60);
/// How often the supervisor checks the log's size and the memory. Sessions fill a gigabyte in minutes, not in seconds.
const LOOK_EVERY: Duration = Duration::from_secs(5);

pub(crate) struct RedisSupervisor {
    plan: Arc<StartPlan>,
    current: Arc<CurrentProcess>,
    states: watch::Sender<State>,
    /// Disconnected means "stop".
    stop: Receiver<()>,
    exits: LogRateLimit,
    failed_starts: LogRateLimit,
}

impl RedisSupervisor {
    pub(crate) fn new(
        plan: Arc<StartPlan>,
        current: Arc<CurrentProcess>,
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

    /// `started` gets the result of the first start; `_ending` closes when this returns.
    pub(crate) fn run(
        self,
        started: oneshot::Sender<Result<(), PrivateRedisError>>,
        _ending: Sender<()>,
    ) {
        let first = orphan::end_orphan(&self.plan).and_then(|()| self.start());
        match first {
            Ok(child) => {
                // A dropped receiver means that the caller gave the start up; then the stop channel is closed as well.
                let _ = started.send(Ok(()));
                self.restart_on_exit(child);
            }
            Err(error) => {
                let _ = started.send(Err(error));
            }
        }
        self.states.send_replace(State::Stopped);
    }

    fn restart_on_exit(&self, mut child: Child) {
        let mut backoff = Backoff::new(FIRST_PAUSE, LONGEST_PAUSE);
        loop {
            let running_since = Instant::now();
            let status = self.wait_for_exit(&mut child);
            if self.is_stopped_within(Duration::ZERO) {
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
                    status = describe(status),
                    "private Redis exited: restarting it"
                );
            }
            match self.restart(&mut backoff) {
                Some(next) => {
                    if logged.is_some() {
                        tracing::info!(pid = next.pid(), "private Redis restarted");
                    }
                    child = next;
                }
                None => return,
            }
        }
    }

    fn wait_for_exit(&self, child: &mut Child) -> ExitStatus {
        let mut memory = memory::MemoryMonitor::default();
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

    /// Retries until the server runs; `None` when stopped.
    fn restart(&self, backoff: &mut Backoff) -> Option<Child> {
        loop {
            let pause = backoff.next_delay();
            self.states.send_replace(State::Restarting { pause });
            if self.is_stopped_within(pause) {
                return None;
            }
            match self.start() {
                Ok(child) => return Some(child),
                Err(PrivateRedisError::Stopped) => return None,
                Err(error) => {
                    if let Some(held_back) = self.failed_starts.pass() {
                        tracing::error!(%error, next_try_in = ?backoff.peek_delay(), held_back, "private Redis not started: retrying");
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
        tracing::debug!(pid, socket = %self.plan.socket.display(), "private Redis ready");
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
                    last_words: last_log_line(&self.plan.log.since(log_start)),
                    log: self.plan.log.path().to_owned(),
                });
            }
            match client::ping(&self.plan.socket) {
                PingResult::Ready => return Ok(child),
                PingResult::Loading => last_sign = Instant::now(),
                PingResult::Silent => {}
            }
            if self.is_stopped_within(Duration::ZERO) {
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

    /// A machine that lost power during a write leaves half a command. Redis never acknowledged it, so dropping it is right.
    fn report_truncation(&self, log_start: u64) {
        if self
            .plan
            .log
            .since(log_start)
            .contains("Truncating the AOF")
        {
            tracing::warn!(
                log = %self.plan.log.path().display(),
                "private Redis dropped an incomplete command at the end of its file"
            );
        }
    }

    fn is_stopped_within(&self, pause: Duration) -> bool {
        self.stop.recv_timeout(pause) != Err(RecvTimeoutError::Timeout)
    }
}
