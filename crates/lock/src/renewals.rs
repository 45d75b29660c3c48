//! Renews the leases of a process together: [`Renewals`].
//!
//! A process that holds leases for its background jobs renews them for as long as it runs, so at rest this is most of what
//! it sends. Renewals are due at multiples of their interval since the process started, so that equal leases are due at
//! the same time, and those that are due together travel in one script call. In a Cluster the keys are in different slots,
//! and each renewal is a call of its own.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use link::{Link, LinkError, Script};
use tokio::{
    sync::oneshot,
    time::{Instant, sleep},
};

use crate::{Term, core::lock, remote_lock::Ownership, token::Token};

static RENEW: Script = Script::new(include_str!("lua/mutex_renew.lua"));

/// How long the first renewal waits for others that are due at the same time. Far below the shortest lease.
const GATHER: Duration = Duration::from_millis(2);

/// Renewals per call: a script holds up everybody else on the server, and Lua's stack bounds its arguments.
const MAX_PER_CALL: usize = 100;

#[derive(Debug)]
pub(crate) struct Renewals {
    link: Link,
    started: Instant,
    waiting: Arc<Mutex<Vec<WaitingRenewal>>>,
}

#[derive(Debug)]
struct WaitingRenewal {
    key: String,
    token: Token,
    term: Term,
    reply: oneshot::Sender<Result<Ownership, LinkError>>,
}

impl Renewals {
    pub(crate) fn new(link: Link) -> Self {
        Self {
            link,
            started: Instant::now(),
            waiting: Arc::default(),
        }
    }

    /// The last multiple of `interval` until `interval` after `confirmed`: later than `confirmed`.
    pub(crate) fn due_after(&self, confirmed: Instant, interval: Duration) -> Instant {
        let end = confirmed.saturating_duration_since(self.started) + interval;
        let past_multiple = end.as_nanos().checked_rem(interval.as_nanos());
        let past_multiple = past_multiple.and_then(|nanos| u64::try_from(nanos).ok());
        self.started + end - Duration::from_nanos(past_multiple.unwrap_or(0))
    }

    pub(crate) async fn renew(
        &self,
        key: &str,
        token: Token,
        term: Term,
    ) -> Result<Ownership, LinkError> {
        if self.link.is_cluster() {
            return self.renew_alone(key, token, term).await;
        }
        let (reply, outcome) = oneshot::channel();
        let is_first = {
            let mut waiting = lock(&self.waiting);
            waiting.push(WaitingRenewal {
                key: key.to_owned(),
                token,
                term,
                reply,
            });
            waiting.len() == 1
        };
        if is_first {
            // A task of its own: the watchdog that comes first may be aborted, and the others wait for the reply.
            let (link, waiting) = (self.link.clone(), self.waiting.clone());
            supervise::spawn_once("lock renewals", send_gathered(link, waiting));
        }
        match outcome.await {
            Ok(outcome) => outcome,
            // That task panicked.
            Err(_) => self.renew_alone(key, token, term).await,
        }
    }

    async fn renew_alone(
        &self,
        key: &str,
        token: Token,
        term: Term,
    ) -> Result<Ownership, LinkError> {
        let args = (token.to_string(), term.lease_ms());
        let [reply]: [i64; 1] = self.link.eval(&RENEW, &[key], args).await?;
        Ok(Ownership::from_reply(reply))
    }
}

async fn send_gathered(link: Link, waiting: Arc<Mutex<Vec<WaitingRenewal>>>) {
    sleep(GATHER).await;
    let mut gathered = std::mem::take(&mut *lock(&waiting));
    while !gathered.is_empty() {
        let rest = gathered.split_off(gathered.len().min(MAX_PER_CALL));
        send_one_call(&link, std::mem::replace(&mut gathered, rest)).await;
    }
}

async fn send_one_call(link: &Link, renewals: Vec<WaitingRenewal>) {
    let keys: Vec<&str> = renewals.iter().map(|renewal| &*renewal.key).collect();
    let args = renewals
        .iter()
        .flat_map(|it| [it.token.to_string(), it.term.lease_ms().to_string()]);
    let args: Vec<String> = args.collect();
    let replies: Result<Vec<i64>, LinkError> = link.eval(&RENEW, &keys, args).await;
    for (index, renewal) in renewals.into_iter().enumerate() {
        let outcome = match &replies {
            Ok(replies) => Ok(Ownership::from_reply(
                replies.get(index).copied().unwrap_or(0),
            )),
            Err(error) => Err(error.clone()),
        };
        // A watchdog that was aborted meanwhile needs no outcome.
        let _ = renewal.reply.send(outcome);
    }
}
