//! Who a token belongs to, from the memory of this process wherever it can be.
//!
//! Redis sends an invalidation for every session key that changes, ends or expires (client-side tracking in broadcast
//! mode, on a connection of its own). While that subscription is up, a session in memory is as good as one from Redis, for
//! as long as it lives; while it is lost, memory serves nothing, because a revocation could be missed.
//!
//! The remaining bound: if the connection dies silently, its heartbeat detects it within `heartbeat + response_timeout` of
//! the link's options, and for that long a session that was ended elsewhere may be served here.
//!
//! | part | what it does |
//! |---|---|
//! | [`SessionMemory`] | serves, bounded in bytes |
//! | [`SessionReader`] | reads misses together |
//! | [`SessionPrefetch`] | reads sessions before requests show their tokens |
//! | [`SessionExtender`] | writes uses behind |

use std::sync::Arc;
use std::time::{Duration, Instant};

use domain::{Role, SessionToken, UserId};
use link::{Event, Interest, Subscription};
use tokio_util::task::AbortOnDropHandle;

use crate::session_extender::SessionExtender;
use crate::session_memory::{Hit, SessionMemory};
use crate::session_prefetch::SessionPrefetch;
use crate::session_reader::SessionReader;
use crate::session_watch::{SessionNotifiers, SessionWatch};
use crate::sessions::{Session, SessionHash, SessionLifetimes, SessionProfile};
use crate::token_fingerprint::FingerprintKey;
use crate::{Error, Kv};

/// A use that finds no room among those that wait to be written is noted by the next use after this long.
const POSTPONED_FOR: Duration = Duration::from_secs(1);

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct SessionCache {
    shared: Arc<Shared>,
    _tasks: Arc<[AbortOnDropHandle<()>; 3]>,
}

#[derive(Debug)]
struct Shared {
    kv: Kv,
    fingerprint_key: FingerprintKey,
    memory: Arc<SessionMemory>,
    reader: Arc<SessionReader>,
    prefetch: Arc<SessionPrefetch>,
    extender: Arc<SessionExtender>,
    notifiers: Arc<SessionNotifiers>,
}

impl SessionCache {
    /// Must be called within a tokio runtime. A capacity of zero turns memory off.
    pub fn new(kv: Kv, lifetimes: SessionLifetimes, capacity_bytes: usize) -> Self {
        let memory = Arc::new(SessionMemory::new(capacity_bytes));
        let extender = SessionExtender::new(kv.clone(), lifetimes.clone(), memory.clone());
        let extender = Arc::new(extender);
        let reader = SessionReader::new(kv.clone(), lifetimes, memory.clone(), extender.clone());
        let reader = Arc::new(reader);
        let prefetch = SessionPrefetch::new(kv.clone(), reader.clone(), memory.clone());
        let shared = Arc::new(Shared {
            kv,
            fingerprint_key: FingerprintKey::random(),
            memory,
            reader,
            prefetch: Arc::new(prefetch),
            extender,
            notifiers: Arc::default(),
        });
        let _tasks = Arc::new(shared.spawn_tasks().map(AbortOnDropHandle::new));
        Self { shared, _tasks }
    }

    /// Finds the live session of this token: in memory, or by one round trip that it shares with others.
    pub async fn find(&self, token: &SessionToken) -> Result<Option<Arc<Session>>, Error> {
        let shared = &*self.shared;
        let now = Instant::now();
        let fingerprint = shared.fingerprint_key.fingerprint(token);
        if let Some(hit) = shared.memory.get(fingerprint, now) {
            return Ok(Some(shared.serve(hit, now)));
        }
        let hash = SessionHash::of(token);
        if let Some(hit) = shared.memory.get_first(&hash, fingerprint, now) {
            return Ok(Some(shared.serve(hit, now)));
        }
        shared.reader.read(hash, fingerprint).await
    }

    /// From here on sessions are read before requests show their tokens, as far as memory has room.
    pub fn start_prefetch(&self) {
        self.shared.prefetch.start();
    }

    /// Writes the uses of sessions that are not written yet: before the process ends.
    pub async fn write_uses(&self) -> Result<(), Error> {
        self.shared.extender.flush().await
    }

    /// Watches for the end of a session.
    pub fn watch(&self, hash: SessionHash) -> SessionWatch {
        SessionWatch::new(self.shared.kv.clone(), hash, self.shared.notifiers.clone())
    }

    /// Ends a session: this process refuses it from now on, every other process after the invalidation.
    pub async fn end(&self, user: UserId, hash: &SessionHash) -> Result<(), Error> {
        let ended = self.shared.kv.end_session(user, hash).await;
        self.shared.invalidate(hash);
        ended
    }

    /// Ends all sessions of a user, as [`SessionCache::end`] does one.
    pub async fn end_all(&self, user: UserId) -> Result<(), Error> {
        let ended = self.shared.kv.end_all_sessions(user).await?;
        self.shared.invalidate_each(&ended);
        Ok(())
    }

    /// Writes the new name and picture of a user into all their sessions.
    pub async fn update_profile(&self, profile: &SessionProfile) -> Result<(), Error> {
        let updated = self.shared.kv.update_session_profiles(profile).await?;
        self.shared.invalidate_each(&updated);
        Ok(())
    }

    /// Ends the sessions of a user that were opened with another role.
    pub async fn end_other_roles(&self, user: UserId, role: Role) -> Result<(), Error> {
        let ended = self
            .shared
            .kv
            .end_sessions_of_other_roles(user, role)
            .await?;
        self.shared.invalidate_each(&ended);
        Ok(())
    }

    /// How many sessions are in memory.
    pub fn in_memory(&self) -> usize {
        self.shared.memory.len()
    }

    /// Whether memory may serve sessions at the moment.
    pub fn is_subscribed(&self) -> bool {
        self.shared.memory.is_subscribed()
    }
}

impl Shared {
    fn spawn_tasks(self: &Arc<Self>) -> [tokio::task::JoinHandle<()>; 3] {
        let shared = self.clone();
        let subscriber = supervise::spawn("session invalidations", move || {
            let prefix = shared.kv.keys.session_prefix();
            let subscription = shared.kv.link.subscribe(Interest::keys([prefix.clone()]));
            apply_events(subscription, prefix, shared.clone())
        });
        let extender = self.extender.clone();
        let writes = supervise::spawn("session uses", move || {
            let extender = extender.clone();
            async move { extender.run().await }
        });
        let prefetch = self.prefetch.clone();
        let prefetches = supervise::spawn("session prefetch", move || {
            let prefetch = prefetch.clone();
            async move { prefetch.run().await }
        });
        [subscriber, writes, prefetches]
    }

    fn serve(&self, hit: Hit, now: Instant) -> Arc<Session> {
        if let Some(entry) = hit.due {
            let ends_at = self.memory.ends_at(&entry);
            if !self.extender.note(entry.hash(), now, ends_at) {
                self.memory.postpone(&entry, now + POSTPONED_FOR);
            }
        }
        hit.session
    }

    fn invalidate(&self, hash: &SessionHash) {
        self.memory.invalidate(hash);
        self.notifiers.notify(hash);
    }

    fn invalidate_each(&self, hashes: &[SessionHash]) {
        for hash in hashes {
            self.invalidate(hash);
        }
    }

    fn apply_invalidation(&self, prefix: &str, key: &[u8]) {
        let key = std::str::from_utf8(key).unwrap_or_default();
        let hash = key.strip_prefix(prefix).and_then(SessionHash::from_hex);
        if let Some(hash) = hash {
            self.invalidate(&hash);
            self.prefetch.note_changed(hash);
        }
    }

    fn invalidate_all(&self) {
        self.memory.distrust_all();
        self.notifiers.notify_all();
    }

    fn set_subscribed(&self, is_subscribed: bool) {
        self.memory.set_subscribed(is_subscribed);
        self.notifiers.notify_all();
        if is_subscribed {
            self.reader.forget_clock();
            self.prefetch.note_cold();
        }
    }
}

/// Marks memory as unsubscribed when the subscriber task ends, also by a panic.
struct UnsubscribedOnDrop<'a>(&'a Shared);

impl Drop for UnsubscribedOnDrop<'_> {
    fn drop(&mut self) {
        self.0.set_subscribed(false);
    }
}

async fn apply_events(mut subscription: Subscription, prefix: String, shared: Arc<Shared>) {
    let _unsubscribed = UnsubscribedOnDrop(&shared);
    loop {
        match subscription.next().await {
            Event::Connected => shared.set_subscribed(true),
            Event::Disconnected => shared.set_subscribed(false),
            Event::Invalidated(keys) => {
                for key in keys {
                    shared.apply_invalidation(&prefix, &key);
                }
            }
            Event::AllInvalidated => shared.invalidate_all(),
            // Messages, of which none are subscribed to, and events of later versions of the link.
            _ => {}
        }
    }
}
