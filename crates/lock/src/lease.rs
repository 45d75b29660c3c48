//! A grant that is in force: [`Lease`].
//!
//! The holder's deadline is computed from the moment *before* the request that the server last confirmed, on a clock
//! that never goes back, and lies before the end of the lease on the server. When it passes, or when the server says
//! that the lock is not ours, the holder is told, with the reason; for that no server is needed. A single failed
//! renewal means nothing.
//!
//! The watching task begins when the lease is first due (see [`warden`](crate::warden)) and ends with it at the latest,
//! so nothing is renewed that nobody holds.

use std::sync::{Arc, Mutex, OnceLock};

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
    meter,
    retry::Retry,
    site::{Ownership, Site},
    token::Token,
    warden::Place,
};

/// Released when dropped, unless it was before.
#[derive(Debug)]
pub(crate) struct Lease {
    state: Arc<State>,
    fence: Fence,
    since: Instant,
    place: Place,
    /// Whether the server has yet to hear that the token has ended.
    owed: bool,
}

/// What the holder and the watching task share.
#[derive(Debug)]
pub(crate) struct State {
    site: Arc<Site>,
    token: Token,
    term: Term,
    /// When the request was sent that the server confirmed last.
    confirmed: Mutex<Instant>,
    watch: Mutex<Watch>,
    reason: OnceLock<LostReason>,
    lost: CancellationToken,
}

/// Who looks after a lease.
#[derive(Debug)]
enum Watch {
    Nobody,
    Task {
        _ends_with_this: AbortOnDropHandle<()>,
    },
    /// The lease has ended.
    Over,
}

impl Lease {
    /// Begins with a grant, by a request that was sent at this moment.
    pub(crate) fn begin(
        site: Arc<Site>,
        token: Token,
        term: Term,
        fence: Fence,
        sent: Instant,
    ) -> Self {
        let core = site.core.clone();
        let state = Arc::new(State {
            site,
            token,
            term,
            confirmed: Mutex::new(sent),
            watch: Mutex::new(Watch::Nobody),
            reason: OnceLock::new(),
            lost: CancellationToken::new(),
        });
        let due = sent + term.renew_after().unwrap_or(term.usable());
        Self {
            place: core.warden.note(due, state.clone()),
            state,
            fence,
            since: Instant::now(),
            owed: true,
        }
    }

    pub(crate) fn state(&self) -> &Arc<State> {
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

    /// Ends it without a word to the server, which has given the lock to another token.
    pub(crate) fn superseded(mut self) {
        self.owed = false;
    }

    /// Releases, and says whether it was still ours. Cancelling it leaves the release to the background.
    pub(crate) async fn release(mut self) -> Result<(), Error> {
        self.end_watch();
        if let Some(reason) = self.state.reason() {
            return Err(Error::Lost(reason));
        }
        let (site, token) = (self.state.site.clone(), self.state.token);
        let mut retry = Retry::until(Instant::now() + RELEASE_LIMIT);
        let ownership = loop {
            match site.release(token).await {
                Ok(ownership) => break ownership,
                Err(error) => retry.after(error).await.map_err(Error::Unasked)?,
            }
        };
        self.owed = false;
        match ownership {
            Ownership::Yours => Ok(()),
            Ownership::Gone => Err(Error::Lost(LostReason::Gone)),
            Ownership::Taken => Err(Error::Lost(LostReason::Taken)),
        }
    }
}

impl Lease {
    /// Comes before the release, so that nothing is renewed after it.
    fn end_watch(&self) {
        self.state.site.core.warden.forget(self.place);
        *lock(&self.state.watch) = Watch::Over;
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.end_watch();
        if self.owed {
            let site = self.state.site.clone();
            self.state.site.core.bid_farewell(site, self.state.token);
        }
    }
}

impl State {
    pub(crate) fn term(&self) -> Term {
        self.term
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.confirmed() + self.term.usable()
    }

    /// Takes a task that watches it, or ends that if the lease is over.
    pub(crate) fn be_watched_by(&self, task: JoinHandle<()>) {
        let task = AbortOnDropHandle::new(task);
        let mut watch = lock(&self.watch);
        if matches!(*watch, Watch::Nobody) {
            *watch = Watch::Task {
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

    /// Why the lock is lost, if it is. Knows it at the deadline, even if the watching task has not run since.
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
        if self.reason.set(reason).is_ok() {
            meter::lost(self.site.kind, reason);
            tracing::warn!(lock = self.site.name(), %reason, "a lock was lost");
        }
        self.lost.cancel();
    }
}

/// Renews until that fails for good, and tells the holder then.
pub(crate) async fn watch(state: Arc<State>) {
    loop {
        let renewed = async {
            match state.term.renew_after() {
                Some(pause) => renew(&state, state.confirmed() + pause).await,
                None => std::future::pending().await,
            }
        };
        let (ownership, sent) = tokio::select! {
            biased;
            () = sleep_until(state.deadline()) => return state.lose(state.reason_at_deadline()),
            answer = renewed => answer,
        };
        match ownership {
            Ownership::Yours => *lock(&state.confirmed) = sent,
            Ownership::Gone => return state.lose(LostReason::Gone),
            Ownership::Taken => return state.lose(LostReason::Taken),
        }
    }
}

/// Asks from `due` on until there is an answer; returns it with the moment the answered request was sent.
async fn renew(state: &State, due: Instant) -> (Ownership, Instant) {
    sleep_until(due).await;
    loop {
        let sent = Instant::now();
        match state.site.renew(state.token, state.term).await {
            Ok(ownership) => {
                meter::renewal("answered");
                return (ownership, sent);
            }
            Err(error) => {
                note_failure(&state.site, &error);
                sleep_until(sent + state.term.renew_again_after()).await;
            }
        }
    }
}

fn note_failure(site: &Site, error: &LinkError) {
    meter::renewal("failed");
    let error: &dyn std::error::Error = error;
    tracing::debug!(lock = site.name(), error, "not renewed yet");
}
