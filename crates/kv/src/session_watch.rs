//! Waits for the end of a session, for whoever keeps something open on its behalf.
//!
//! The session cache hears of every session key that is written, deleted or expires ([`crate::SessionCache`]); a watch is
//! rung when it is its own, or when something may have been missed, and then asks Redis whether the session is there. It
//! asks without letting the session live on: an open page is no use of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

use crate::Kv;
use crate::sessions::SessionHash;

/// How long a watch waits for a change before it looks by itself.
const LOOK_AFTER: Duration = Duration::from_secs(60);

/// How long after Redis could not be asked. Nobody can end a session meanwhile either.
const ASK_AGAIN_AFTER: Duration = Duration::from_secs(1);

/// The sessions that somebody watches in this process.
#[derive(Debug, Default)]
pub(crate) struct SessionBells {
    bells: Mutex<HashMap<SessionHash, watch::Sender<()>>>,
}

/// One watch of a session.
#[derive(Debug)]
pub struct SessionWatch {
    kv: Kv,
    hash: SessionHash,
    bell: watch::Receiver<()>,
    bells: Arc<SessionBells>,
}

impl SessionBells {
    pub(crate) fn ring(&self, hash: &SessionHash) {
        if let Some(bell) = self.bells().get(hash) {
            bell.send_replace(());
        }
    }

    pub(crate) fn ring_all(&self) {
        for bell in self.bells().values() {
            bell.send_replace(());
        }
    }

    fn bells(&self) -> MutexGuard<'_, HashMap<SessionHash, watch::Sender<()>>> {
        // The map is whole between any two statements.
        self.bells.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SessionWatch {
    pub(crate) fn new(kv: Kv, hash: SessionHash, bells: Arc<SessionBells>) -> Self {
        let bell = {
            let mut known = bells.bells();
            let bell = known.entry(hash).or_insert_with(|| watch::Sender::new(()));
            bell.subscribe()
        };
        Self {
            kv,
            hash,
            bell,
            bells,
        }
    }

    /// Returns when the session has ended: signed out, blocked, idle for too long, or at its absolute end.
    pub async fn ended(mut self) {
        loop {
            // Before the look, so that what rings during it is not missed.
            self.bell.mark_unchanged();
            match self.kv.is_session_alive(&self.hash).await {
                Ok(false) => return,
                Ok(true) => {
                    let _ = tokio::time::timeout(LOOK_AFTER, self.bell.changed()).await;
                }
                Err(_) => tokio::time::sleep(ASK_AGAIN_AFTER).await,
            }
        }
    }
}

impl Drop for SessionWatch {
    fn drop(&mut self) {
        let mut bells = self.bells.bells();
        // This very watch is the last one that hears it.
        if bells
            .get(&self.hash)
            .is_some_and(|bell| bell.receiver_count() <= 1)
        {
            bells.remove(&self.hash);
        }
    }
}
