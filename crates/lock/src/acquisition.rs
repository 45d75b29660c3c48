//! The acquisition of a lock by one token: [`Acquisition`].
//!
//! From the first request until the grant is known, the acquisition owns its token. If it is dropped in between, at any
//! await at which the caller is cancelled, the token is released in the background: a grant whose reply was not seen does
//! not outlive the attempt.

use std::{sync::Arc, time::Duration};

use rand::RngExt;
use tokio::time::Instant;

use crate::{
    Error, LostReason, Term,
    lease::Lease,
    limits::POLL,
    meter,
    remote_lock::{AcquireReply, AcquireRequest, RemoteLock},
    retry::Retry,
    token::{LockMode, Token},
    wake_subscriber::WakeHandle,
};

/// The server ends a lease up to a millisecond after it is due.
const EXPIRY_LAG: Duration = Duration::from_millis(2);

#[derive(Debug)]
pub(crate) struct Acquisition {
    remote: Arc<RemoteLock>,
    token: Token,
    /// Whether a request may have reached the server.
    requested: bool,
}

/// The term and the time limit of an acquisition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AcquireOptions {
    pub(crate) term: Term,
    /// The end of the caller's wait limit.
    pub(crate) until: Option<Instant>,
}

#[derive(Debug)]
pub(crate) enum AcquireOutcome {
    Granted(Lease),
    /// Others hold the lock; the first of their leases ends after this time.
    Held(Duration),
}

impl Acquisition {
    pub(crate) fn new(remote: Arc<RemoteLock>, mode: LockMode) -> Self {
        Self {
            token: remote.core.process.token(mode),
            remote,
            requested: false,
        }
    }

    /// Sends one request and does not queue.
    pub(crate) async fn try_once(
        mut self,
        options: AcquireOptions,
    ) -> Result<Option<Lease>, Error> {
        match self.request(options, false, None).await? {
            AcquireOutcome::Granted(lease) => Ok(Some(lease)),
            AcquireOutcome::Held(_) => {
                self.requested = false;
                Ok(None)
            }
        }
    }

    /// Exchanges the lease of a writer for that of a reader. If this fails or is cancelled, both are released in the
    /// background.
    pub(crate) async fn downgrade(writer: Lease) -> Result<Lease, Error> {
        let state = writer.state().clone();
        let (remote, term) = (state.remote().clone(), state.term());
        let mut reader = Self::new(remote.clone(), LockMode::Shared);
        if let Some(reason) = state.reason() {
            return Err(Error::Lost(reason));
        }
        // A renewal of the writer's token would fail once it is exchanged.
        writer.end_watchdog();
        reader.requested = true;
        let mut retry = Retry::until(state.deadline());
        loop {
            let sent = Instant::now();
            match remote.downgrade(writer.token(), reader.token, term).await {
                Ok(true) => break reader.begin_lease(term, writer, sent),
                Ok(false) => break Err(Error::Lost(LostReason::Gone)),
                Err(error) => retry.after(error).await.map_err(Error::RedisUnavailable)?,
            }
        }
    }

    fn begin_lease(mut self, term: Term, writer: Lease, sent: Instant) -> Result<Lease, Error> {
        self.requested = false;
        let lease = Lease::begin(self.remote.clone(), self.token, term, writer.fence(), sent);
        writer.superseded();
        Ok(lease)
    }

    /// Waits in the queue until the lock is granted. Replaces `predecessor`, a lease of this process, once the server has
    /// replied.
    pub(crate) async fn wait(
        &mut self,
        options: AcquireOptions,
        predecessor: &mut Option<Lease>,
    ) -> Result<Lease, Error> {
        let remote = self.remote.clone();
        let wake_subscriber = &remote.core.wake_subscriber;
        let channel = remote.own_channel();
        let wake_handle = wake_subscriber.register(self.token, channel.clone());
        loop {
            let was_subscribed = wake_subscriber.is_subscribed(&channel);
            let replaces = predecessor.as_ref().map(Lease::token);
            let outcome = self.request(options, true, replaces).await?;
            if let Some(predecessor) = predecessor.take() {
                predecessor.superseded();
            }
            let held = match outcome {
                AcquireOutcome::Granted(lease) => return Ok(lease),
                AcquireOutcome::Held(rest) => rest,
            };
            if !was_subscribed {
                // A wake-up may have been missed, so the request is repeated once the subscription is up.
                wake_subscriber.subscribe(&channel).await;
            }
            if was_subscribed || !wake_subscriber.is_subscribed(&channel) {
                self.pause(&wake_handle, held).await?;
            }
        }
    }

    /// Repeats the request until the server replies or the limit has passed.
    pub(crate) async fn request(
        &mut self,
        options: AcquireOptions,
        waits: bool,
        replaces: Option<Token>,
    ) -> Result<AcquireOutcome, Error> {
        let core = &self.remote.core;
        let outage_end = Instant::now() + core.options.outage_limit;
        let until = options
            .until
            .map_or(outage_end, |until| until.min(outage_end));
        let mut retry = Retry::until(until);
        loop {
            if core.closing.is_cancelled() {
                return Err(Error::Closed);
            }
            let request = AcquireRequest {
                token: self.token,
                term: options.term,
                waits,
                repeated: std::mem::replace(&mut self.requested, true),
                replaces,
            };
            let sent = Instant::now();
            match self.remote.acquire(request).await {
                Ok(AcquireReply::Granted(fence)) => {
                    self.requested = false;
                    let remote = self.remote.clone();
                    let lease = Lease::begin(remote, self.token, options.term, fence, sent);
                    return Ok(AcquireOutcome::Granted(lease));
                }
                Ok(AcquireReply::Held(rest)) => return Ok(AcquireOutcome::Held(rest)),
                Ok(AcquireReply::OtherPermits(kept)) => {
                    return Err(Error::OtherPermits {
                        kept,
                        requested: self.remote.kind.capacity(),
                    });
                }
                Err(error) => retry.after(error).await.map_err(Error::RedisUnavailable)?,
            }
        }
    }

    /// Waits for the next reason to repeat the request: a wake-up, the end of the holder's lease, or the next poll.
    async fn pause(&self, wake_handle: &WakeHandle, held: Duration) -> Result<(), Error> {
        let poll = POLL.mul_f64(rand::rng().random_range(0.7..1.3));
        let pause = poll.min(held.saturating_add(EXPIRY_LAG));
        tokio::select! {
            end = wake_handle.wait(pause) => {
                meter::waited(self.remote.kind, end);
                Ok(())
            }
            () = self.remote.core.closing.cancelled() => Err(Error::Closed),
        }
    }
}

impl Drop for Acquisition {
    fn drop(&mut self) {
        if self.requested {
            self.remote
                .core
                .release_in_background(self.remote.clone(), self.token);
        }
    }
}
