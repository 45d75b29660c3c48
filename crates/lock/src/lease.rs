//! A granted lease: [`Lease`].
//!
//! The holder's deadline counts from *before* the last request that the server confirmed, on a monotonic clock, and lies
//! before the end of the lease on the server. At the deadline, or when the server replies that the token does not hold the
//! lock, the holder is notified with the reason; the deadline needs no server. A single failed renewal has no effect. A
//! holder that watches its guard is also notified by a message when the lock is taken from it by force.
//!
//! The watchdog task starts when the first renewal is due (see [`watchdog_scheduler`](crate::watchdog_scheduler)) and ends
//! with the lease at the latest, so a lease that is not held is not renewed.

use std::{
    sync::{
        Arc, Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use link::LinkError;
use tokio::{
    task::JoinHandle,
    time::{Instant, sleep_until},
};
use tokio_util::{sync::CancellationToken, task::AbortOnDropHandle};

use crate::{
    Error, Fence, LostReason, Term,
    core::lock,
    limits::RELEASE_LIMIT,
    local_queue, meter,
    remote_lock::{LockKind, Ownership, RemoteLock},
    retry::Retry,
    token::Token,
    wake_subscriber::WakeSubscriber,
    watchdog_scheduler::ScheduleKey,
};

/// Dropping it releases the lock in the background, unless it is released already.
#[derive(Debug)]
pub(crate) struct Lease {
    state: Arc<LeaseState>,
    fence: Fence,
    since: Instant,
    schedule_key: ScheduleKey,
    /// Whether the server still has to release the token.
    must_release: bool,
}

/// Shared by the holder and the watchdog task.
#[derive(Debug)]
pub(crate) struct LeaseState {
    remote: Arc<RemoteLock>,
    token: Token,
    term: Term,
    /// When the last request that the server confirmed was sent.
    confirmed: Mutex<Instant>,
    watchdog: Mutex<Watchdog>,
    reason: OnceLock<LostReason>,
    lost: CancellationToken,
    /// Whether the wake subscriber knows this lease.
    is_watched: AtomicBool,
}

/// The watchdog task of a lease.
#[derive(Debug)]
enum Watchdog {
    NotStarted,
    Running {
        _ends_with_this: AbortOnDropHandle<()>,
    },
    /// The lease has ended.
    Ended,
}

impl Lease {
    /// Starts a lease with a grant whose request was sent at `sent`.
    pub(crate) fn begin(
        remote: Arc<RemoteLock>,
        token: Token,
        term: Term,
        fence: Fence,
        sent: Instant,
    ) -> Self {
        let core = remote.core.clone();
        let state = Arc::new(LeaseState {
            remote,
            token,
            term,
            confirmed: Mutex::new(sent),
            watchdog: Mutex::new(Watchdog::NotStarted),
            reason: OnceLock::new(),
            lost: CancellationToken::new(),
            is_watched: AtomicBool::new(false),
        });
        let due = match term.renew_after() {
            Some(interval) => core.renewals.due_after(sent, interval),
            None => sent + term.usable(),
        };
        Self {
            schedule_key: core.watchdogs.schedule(due, state.clone()),
            state,
            fence,
            since: Instant::now(),
            must_release: true,
        }
    }

    pub(crate) fn state(&self) -> &Arc<LeaseState> {
        &self.state
    }

    pub(crate) fn token(&self) -> Token {
        self.state.token
    }

    pub(crate) fn fence(&self) -> Fence {
        self.fence
    }

    /// When the grant was known.
    pub(crate) fn since(&self) -> Instant {
        self.since
    }

    /// Ends the lease without a release: the server has granted the lock to another token of this process.
    pub(crate) fn superseded(mut self) {
        self.must_release = false;
    }

    /// Releases the lock; an error if it was lost before. If this is cancelled, the release continues in the background.
    pub(crate) async fn release(mut self) -> Result<(), Error> {
        self.end_watchdog();
        if let Some(reason) = self.state.reason() {
            return Err(Error::Lost(reason));
        }
        let (remote, token) = (self.state.remote.clone(), self.state.token);
        let mut retry = Retry::until(Instant::now() + RELEASE_LIMIT);
        let ownership = loop {
            match remote.release_early(token, self.state.left()).await {
                Ok(ownership) => break ownership,
                Err(error) => retry.after(error).await.map_err(Error::RedisUnavailable)?,
            }
        };
        self.must_release = false;
        match ownership {
            Ownership::Held => Ok(()),
            Ownership::Gone => Err(Error::Lost(LostReason::Gone)),
            Ownership::Taken => Err(Error::Lost(LostReason::Taken)),
        }
    }
}

impl Lease {
    /// Called before the release, so that no renewal follows it.
    pub(crate) fn end_watchdog(&self) {
        self.state.remote.core.watchdogs.cancel(self.schedule_key);
        *lock(&self.state.watchdog) = Watchdog::Ended;
        if self.state.is_watched.load(Ordering::SeqCst) {
            let wake_subscriber = &self.state.remote.core.wake_subscriber;
            wake_subscriber.unwatch(self.state.token);
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.end_watchdog();
        if self.must_release {
            let remote = self.state.remote.clone();
            self.state
                .remote
                .core
                .release_in_background(remote, self.state.token);
        }
    }
}

impl LeaseState {
    pub(crate) fn remote(&self) -> &Arc<RemoteLock> {
        &self.remote
    }

    pub(crate) fn token(&self) -> Token {
        self.token
    }

    /// From here on a message that the lock was taken by force ends this lease at once. Without the message the next renewal
    /// does.
    pub(crate) fn watch(self: &Arc<Self>) {
        if !self.is_watched.swap(true, Ordering::SeqCst) {
            WakeSubscriber::watch(self);
        }
    }

    /// The server has ended this lease.
    pub(crate) fn lose_forced(&self) {
        self.lose(LostReason::Gone);
    }

    pub(crate) fn term(&self) -> Term {
        self.term
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.confirmed() + self.term.usable()
    }

    /// For how long the server keeps the lease at least.
    fn left(&self) -> Duration {
        let end = self.confirmed() + self.term.lease();
        end.saturating_duration_since(Instant::now())
    }

    /// Stores the watchdog task, or aborts it if the lease has ended.
    pub(crate) fn set_watchdog(&self, task: JoinHandle<()>) {
        let task = AbortOnDropHandle::new(task);
        let mut watchdog = lock(&self.watchdog);
        if matches!(*watchdog, Watchdog::NotStarted) {
            *watchdog = Watchdog::Running {
                _ends_with_this: task,
            };
        }
    }

    fn confirmed(&self) -> Instant {
        *lock(&self.confirmed)
    }

    pub(crate) fn lost(&self) -> &CancellationToken {
        &self.lost
    }

    /// Why the lock is lost, if it is; exact at the deadline, even if the watchdog task has not run since.
    pub(crate) fn reason(&self) -> Option<LostReason> {
        if self.reason.get().is_none() && Instant::now() >= self.deadline() {
            self.lose(self.reason_at_deadline());
        }
        self.reason.get().copied()
    }

    fn reason_at_deadline(&self) -> LostReason {
        match self.term {
            Term::Fixed(_) => LostReason::LeaseOver,
            Term::Renewed(_) => LostReason::NotRenewed,
        }
    }

    fn lose(&self, reason: LostReason) {
        let is_first = self.reason.set(reason).is_ok();
        if is_first {
            meter::lost(self.remote.kind, reason);
            tracing::warn!(lock = self.remote.name(), %reason, "lock lost");
        }
        self.lost.cancel();
        if is_first && self.remote.kind == LockKind::Mutex {
            local_queue::pass_on_lost(self);
        }
    }
}

/// Renews the lease until it is lost, then notifies the holder.
pub(crate) async fn run_watchdog(state: Arc<LeaseState>) {
    loop {
        let renewed = async {
            match state.term.renew_after() {
                Some(interval) => {
                    let renewals = &state.remote.core.renewals;
                    renew(&state, renewals.due_after(state.confirmed(), interval)).await
                }
                None => std::future::pending().await,
            }
        };
        let (ownership, sent) = tokio::select! {
            biased;
            () = sleep_until(state.deadline()) => return state.lose(state.reason_at_deadline()),
            reply = renewed => reply,
        };
        match ownership {
            Ownership::Held => *lock(&state.confirmed) = sent,
            Ownership::Gone => return state.lose(LostReason::Gone),
            Ownership::Taken => return state.lose(LostReason::Taken),
        }
    }
}

/// Sends renewals from `due` on until the server replies; returns the reply and when its request was sent.
async fn renew(state: &LeaseState, due: Instant) -> (Ownership, Instant) {
    sleep_until(due).await;
    loop {
        let sent = Instant::now();
        match state.remote.renew(state.token, state.term).await {
            Ok(ownership) => {
                meter::renewal("answered");
                return (ownership, sent);
            }
            Err(error) => {
                log_failed_renewal(&state.remote, &error);
                sleep_until(sent + state.term.renew_again_after()).await;
            }
        }
    }
}

fn log_failed_renewal(remote: &RemoteLock, error: &LinkError) {
    meter::renewal("failed");
    let error: &dyn std::error::Error = error;
    tracing::debug!(
        lock = remote.name(),
        error,
        "lease renewal failed, retrying until the deadline"
    );
}
