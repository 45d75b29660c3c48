//! Sessions in the memory of this process, for a few seconds, and never longer than they live.
//!
//! Redis sends an invalidation for every session key that changes, ends or expires (client-side tracking in broadcast
//! mode, on a connection of its own). While that subscription is up, a session in memory is as good as one from Redis;
//! while it is lost, memory serves nothing, because a revocation could be missed. [`TrackedMemory`] refuses a reply that is
//! older than an invalidation of its key.
//!
//! The remaining bound: if the connection dies silently, its heartbeat detects it within two seconds, and entries live
//! three (setting `session.l1_ms`) at most.

use std::sync::Arc;
use std::time::Duration;

use cache::TrackedMemory;
use domain::{Role, UserId};
use link::{Event, Interest, Subscription};
use tokio_util::task::AbortOnDropHandle;

use crate::session_watch::{SessionNotifiers, SessionWatch};
use crate::sessions::{Session, SessionHash, SessionLifetimes, SessionProfile};
use crate::{Error, Kv};

/// The capacity of memory in entries: about 40 MB when all of them are in use.
const CAPACITY: u64 = 100_000;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct SessionCache {
    kv: Kv,
    lifetimes: SessionLifetimes,
    memory: Arc<SessionMemory>,
    _subscriber: Arc<AbortOnDropHandle<()>>,
}

#[derive(Debug)]
struct SessionMemory {
    sessions: TrackedMemory<SessionHash, Arc<Session>>,
    notifiers: Arc<SessionNotifiers>,
}

impl SessionCache {
    /// Must be called within a tokio runtime. A `lifetime` of zero turns memory off.
    pub fn new(kv: Kv, lifetimes: SessionLifetimes, lifetime: Duration) -> Self {
        let memory = Arc::new(SessionMemory::new(lifetime));
        let prefix = kv.keys.session_prefix();
        let (link, shared) = (kv.link.clone(), memory.clone());
        let subscriber = supervise::spawn("session invalidations", move || {
            let subscription = link.subscribe(Interest::keys([prefix.clone()]));
            apply_events(subscription, prefix.clone(), shared.clone())
        });
        Self {
            kv,
            lifetimes,
            memory,
            _subscriber: Arc::new(AbortOnDropHandle::new(subscriber)),
        }
    }

    /// Finds the live session of this hash: in memory, or by one round trip.
    pub async fn find(&self, hash: &SessionHash) -> Result<Option<Arc<Session>>, Error> {
        if let Some(session) = self.memory.get(hash) {
            return Ok(Some(session));
        }
        let snapshot = self.memory.sessions.snapshot(hash);
        let found = self.kv.touch_session(hash, &self.lifetimes).await?;
        let found = found.map(Arc::new);
        if let Some(session) = &found {
            let sessions = &self.memory.sessions;
            sessions.insert(hash, session.clone(), snapshot);
        }
        Ok(found)
    }

    /// Watches for the end of a session.
    pub fn watch(&self, hash: SessionHash) -> SessionWatch {
        SessionWatch::new(self.kv.clone(), hash, self.memory.notifiers.clone())
    }

    /// Ends a session: this process refuses it from now on, every other process after the invalidation.
    pub async fn end(&self, user: UserId, hash: &SessionHash) -> Result<(), Error> {
        let ended = self.kv.end_session(user, hash).await;
        self.memory.invalidate(hash);
        ended
    }

    /// Ends all sessions of a user, as [`SessionCache::end`] does one.
    pub async fn end_all(&self, user: UserId) -> Result<(), Error> {
        let ended = self.kv.end_all_sessions(user).await?;
        self.memory.invalidate_each(&ended);
        Ok(())
    }

    /// Writes the new name and picture of a user into all their sessions.
    pub async fn update_profile(&self, profile: &SessionProfile) -> Result<(), Error> {
        let updated = self.kv.update_session_profiles(profile).await?;
        self.memory.invalidate_each(&updated);
        Ok(())
    }

    /// Ends the sessions of a user that were opened with another role.
    pub async fn end_other_roles(&self, user: UserId, role: Role) -> Result<(), Error> {
        let ended = self.kv.end_sessions_of_other_roles(user, role).await?;
        self.memory.invalidate_each(&ended);
        Ok(())
    }

    /// Whether memory may serve sessions at the moment.
    pub fn is_subscribed(&self) -> bool {
        self.memory.sessions.is_subscribed()
    }
}

/// Marks memory as unsubscribed when the subscriber task ends, also by a panic.
struct UnsubscribedOnDrop<'a>(&'a SessionMemory);

impl Drop for UnsubscribedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set_subscribed(false);
    }
}

async fn apply_events(mut subscription: Subscription, prefix: String, memory: Arc<SessionMemory>) {
    let _unsubscribed = UnsubscribedOnDrop(&memory);
    loop {
        match subscription.next().await {
            Event::Connected => memory.set_subscribed(true),
            Event::Disconnected => memory.set_subscribed(false),
            Event::Invalidated(keys) => {
                for key in keys {
                    memory.invalidate_key(&prefix, key);
                }
            }
            Event::AllInvalidated => memory.invalidate_all(),
            Event::Message { .. } => {}
        }
    }
}

impl SessionMemory {
    fn new(lifetime: Duration) -> Self {
        let capacity = if lifetime.is_zero() { 0 } else { CAPACITY };
        Self {
            sessions: TrackedMemory::with_ttl(capacity, lifetime),
            notifiers: Arc::default(),
        }
    }

    fn get(&self, hash: &SessionHash) -> Option<Arc<Session>> {
        if !self.sessions.is_subscribed() {
            return None;
        }
        self.sessions.get(hash)
    }

    fn invalidate(&self, hash: &SessionHash) {
        self.sessions.invalidate(hash);
        self.notifiers.notify(hash);
    }

    fn invalidate_each(&self, hashes: &[SessionHash]) {
        for hash in hashes {
            self.invalidate(hash);
        }
    }

    fn invalidate_key(&self, prefix: &str, key: Vec<u8>) {
        let key = String::from_utf8(key).unwrap_or_default();
        let hash = key.strip_prefix(prefix).and_then(SessionHash::from_hex);
        if let Some(hash) = hash {
            self.invalidate(&hash);
        }
    }

    fn invalidate_all(&self) {
        self.sessions.distrust_all();
        self.notifiers.notify_all();
    }

    fn set_subscribed(&self, is_subscribed: bool) {
        self.sessions.set_subscribed(is_subscribed);
        self.notifiers.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, SessionToken};

    use super::*;

    fn subscribed() -> SessionMemory {
        let memory = SessionMemory::new(Duration::from_secs(600));
        memory.set_subscribed(true);
        memory
    }

    fn session() -> (SessionHash, Arc<Session>) {
        let hash = SessionHash::of(&SessionToken::from_random([1; 20]));
        let profile = SessionProfile {
            user_id: UserId::new(1),
            nick_name: String::new(),
            icon: String::new(),
            role: Role::User,
        };
        (hash, Arc::new(Session { profile, number: 1 }))
    }

    #[test]
    fn a_reply_older_than_an_invalidation_is_not_kept() {
        let memory = subscribed();
        let (hash, session) = session();
        let snapshot = memory.sessions.snapshot(&hash);
        memory.invalidate(&hash);
        memory.sessions.insert(&hash, session.clone(), snapshot);
        assert_eq!(memory.get(&hash), None);

        let snapshot = memory.sessions.snapshot(&hash);
        memory.invalidate_all();
        memory.sessions.insert(&hash, session, snapshot);
        assert_eq!(memory.get(&hash), None);
    }

    #[test]
    fn a_session_is_served_until_its_key_is_invalidated() {
        let memory = subscribed();
        let (hash, session) = session();
        let snapshot = memory.sessions.snapshot(&hash);
        memory.sessions.insert(&hash, session.clone(), snapshot);
        assert_eq!(memory.get(&hash), Some(session));
        memory.invalidate_key(
            "login:token:",
            format!("login:token:{}", hash.to_hex()).into_bytes(),
        );
        assert_eq!(memory.get(&hash), None);
    }

    #[test]
    fn nothing_is_served_while_the_subscription_is_lost() {
        let memory = subscribed();
        let (hash, session) = session();
        let snapshot = memory.sessions.snapshot(&hash);
        memory.sessions.insert(&hash, session, snapshot);
        memory.set_subscribed(false);
        assert_eq!(memory.get(&hash), None);
    }
}
