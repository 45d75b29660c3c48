//! Waits for the end of a session, for a caller that keeps a stream open on its behalf.
//!
//! The session cache gets an invalidation of every session key that is written, deleted or expires
//! ([`crate::SessionCache`]); it notifies the watches of that key, and all watches when invalidations may be missing. A
//! notified watch checks in Redis whether the session exists. The check does not extend the session: an open page is no use
//! of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::Kv;
use crate::sessions::SessionHash;

/// How long a watch waits for a notification before it checks anyway.
const CHECK_EVERY: Duration = Duration::from_secs(60);

/// Delay before a check is retried while Redis is unavailable. No session can be ended in the meantime either.
const RETRY_DELAY: Duration = Duration::from_secs(1);

/// The watched sessions of this process.
#[derive(Debug, Default)]
pub(crate) struct SessionNotifiers {
    senders: Mutex<HashMap<SessionHash, watch::Sender<()>>>,
}

/// One watch of a session.
#[derive(Debug)]
pub struct SessionWatch {
    kv: Kv,
    hash: SessionHash,
    changes: watch::Receiver<()>,
    notifiers: Arc<SessionNotifiers>,
}

impl SessionNotifiers {
    pub(crate) fn notify(&self, hash: &SessionHash) {
        if let Some(sender) = self.senders().get(hash) {
            sender.send_replace(());
        }
    }

    pub(crate) fn notify_all(&self) {
        for sender in self.senders().values() {
            sender.send_replace(());
        }
    }

    fn senders(&self) -> MutexGuard<'_, HashMap<SessionHash, watch::Sender<()>>> {
        // The map is consistent between any two statements.
        self.senders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionWatch {
    pub(crate) fn new(kv: Kv, hash: SessionHash, notifiers: Arc<SessionNotifiers>) -> Self {
        let changes = {
            let mut senders = notifiers.senders();
            let sender = senders
                .entry(hash)
                .or_insert_with(|| watch::Sender::new(()));
            sender.subscribe()
        };
        Self {
            kv,
            hash,
            changes,
            notifiers,
        }
    }

    /// Returns when the session has ended: signed out, blocked, idle for too long, or at its absolute end.
    pub async fn ended(mut self) {
        loop {
            // Before the check, so that a notification during it is not missed.
            self.changes.mark_unchanged();
            match self.kv.is_session_alive(&self.hash).await {
                Ok(false) => return,
                Ok(true) => {
                    let _ = tokio::time::timeout(CHECK_EVERY, self.changes.changed()).await;
                }
                Err(_) => tokio::time::sleep(RETRY_DELAY).await,
            }
        }
    }
}

impl Drop for SessionWatch {
    fn drop(&mut self) {
        let mut senders = self.notifiers.senders();
        // This watch is the last receiver.
        if senders
            .get(&self.hash)
            .is_some_and(|sender| sender.receiver_count() <= 1)
        {
            senders.remove(&self.hash);
        }
    }
}
