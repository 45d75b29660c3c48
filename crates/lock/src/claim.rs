//! A token on its way to a grant: [`Claim`].
//!
//! From the moment before the first request until the grant is known, the claim answers for its token. If it is dropped
//! in between, wherever the caller's future was cancelled, the token is released in the background: a grant that nobody
//! heard of does not outlive the attempt.

use std::{sync::Arc, time::Duration};

use rand::RngExt;
use tokio::time::Instant;

use crate::{
    Error, Term,
    lease::Lease,
    limits::POLL,
    listener::Ear,
    retry::Retry,
    site::{Reply, Request, Site},
    token::{Mode, Token},
};

/// The server ends a lease up to a millisecond after it is due.
const EXPIRY_LAG: Duration = Duration::from_millis(2);

#[derive(Debug)]
pub(crate) struct Claim {
    site: Arc<Site>,
    token: Token,
    /// Whether the server may know the token.
    asked: bool,
}

/// How a claim is pursued.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pursuit {
    pub(crate) term: Term,
    /// When the caller will have lost patience.
    pub(crate) until: Option<Instant>,
}

#[derive(Debug)]
pub(crate) enum Answer {
    Granted(Lease),
    /// Held by others, whose lease ends after this time.
    Held(Duration),
}

impl Claim {
    pub(crate) fn new(site: Arc<Site>, mode: Mode) -> Self {
        Self {
            token: site.core.process.token(mode),
            site,
            asked: false,
        }
    }

    /// Asks once, without a place in line.
    pub(crate) async fn try_once(mut self, pursuit: Pursuit) -> Result<Option<Lease>, Error> {
        match self.ask(pursuit, false, None).await? {
            Answer::Granted(lease) => Ok(Some(lease)),
            Answer::Held(_) => {
                self.asked = false;
                Ok(None)
            }
        }
    }

    /// Stays in line until it is granted. Takes over from `predecessor`, a lease of this process, which is left in its
    /// place until the server has answered.
    pub(crate) async fn wait(
        &mut self,
        pursuit: Pursuit,
        predecessor: &mut Option<Lease>,
    ) -> Result<Lease, Error> {
        let site = self.site.clone();
        let listener = &site.core.listener;
        let channel = site.own_channel();
        let ear = listener.attend(self.token, channel.clone());
        loop {
            let heard = listener.hears(&channel);
            let heir_of = predecessor.as_ref().map(Lease::token);
            let answer = self.ask(pursuit, true, heir_of).await?;
            if let Some(predecessor) = predecessor.take() {
                predecessor.superseded();
            }
            let held = match answer {
                Answer::Granted(lease) => return Ok(lease),
                Answer::Held(rest) => rest,
            };
            if !heard {
                // A message may have been missed, so the question is put again once they are heard.
                listener.subscribe(&channel).await;
            }
            if heard || !listener.hears(&channel) {
                self.pause(&ear, held).await?;
            }
        }
    }

    /// Asks until there is an answer.
    pub(crate) async fn ask(
        &mut self,
        pursuit: Pursuit,
        waits: bool,
        heir_of: Option<Token>,
    ) -> Result<Answer, Error> {
        let core = &self.site.core;
        let patience = Instant::now() + core.options.outage_limit;
        let until = pursuit.until.map_or(patience, |until| until.min(patience));
        let mut retry = Retry::until(until);
        loop {
            if core.closing.is_cancelled() {
                return Err(Error::Closed);
            }
            let request = Request {
                token: self.token,
                term: pursuit.term,
                waits,
                repeated: std::mem::replace(&mut self.asked, true),
                heir_of,
            };
            let sent = Instant::now();
            match self.site.acquire(request).await {
                Ok(Reply::Granted(fence)) => {
                    self.asked = false;
                    let site = self.site.clone();
                    let lease = Lease::begin(site, self.token, pursuit.term, fence, sent);
                    return Ok(Answer::Granted(lease));
                }
                Ok(Reply::Held(rest)) => return Ok(Answer::Held(rest)),
                Err(error) => retry.after(error).await.map_err(Error::Unasked)?,
            }
        }
    }

    /// Until there is reason to ask again: a message, the end of the holder's lease, or the next poll.
    async fn pause(&self, ear: &Ear, held: Duration) -> Result<(), Error> {
        let poll = POLL.mul_f64(rand::rng().random_range(0.7..1.3));
        let pause = poll.min(held.saturating_add(EXPIRY_LAG));
        tokio::select! {
            () = ear.wait(pause) => Ok(()),
            () = self.site.core.closing.cancelled() => Err(Error::Closed),
        }
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        if self.asked {
            self.site.core.bid_farewell(self.site.clone(), self.token);
        }
    }
}
