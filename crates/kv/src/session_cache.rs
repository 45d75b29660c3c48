//! Sessions in the memory of this process, for a few seconds, and never longer than they live.
//!
//! Redis tells us of every session key that changes, ends or expires (client-side tracking in broadcast mode, on a
//! connection of its own). While that connection is up, a session found here is as good as one from Redis; when it is
//! down, nothing is served from here, because a revocation could pass unheard. An answer of Redis that was on its way
//! while its key changed is not kept: each key's shard has a generation that rises with every change, and a fill that
//! saw it move takes itself back.
//!
//! What remains: if the connection dies without a word, its heartbeat notices within two seconds, and entries live
//! three (setting `session.l1_ms`) at the most.

use std::hash::{BuildHasher as _, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use domain::{Role, UserId};
use link::{Event, Interest, Pushes};
use moka::sync::Cache;
use tokio_util::task::AbortOnDropHandle;

use crate::session_watch::{SessionBells, SessionWatch};
use crate::sessions::{Session, SessionHash, SessionLifetimes, SessionProfile};
use crate::{Error, Kv};

/// Entries kept at most: about 40 MB when all of them are in use.
const CAPACITY: u64 = 100_000;
/// Changes of one key make fills of about this fraction of the others repeat their question.
const SHARDS: usize = 256;

/// Cheap to clone.
#[derive(Clone, Debug)]
pub struct SessionCache {
    kv: Kv,
    lifetimes: SessionLifetimes,
    memory: Arc<Memory>,
    _listener: Arc<AbortOnDropHandle<()>>,
}

#[derive(Debug)]
struct Memory {
    sessions: Cache<SessionHash, Arc<Session>>,
    /// Whether every change of a session is being heard.
    is_listening: AtomicBool,
    generations: Vec<AtomicU64>,
    hasher: RandomState,
    bells: Arc<SessionBells>,
}

impl SessionCache {
    /// Must be called within a tokio runtime. `lifetime` of zero keeps nothing.
    pub fn new(kv: Kv, lifetimes: SessionLifetimes, lifetime: Duration) -> Self {
        let memory = Arc::new(Memory::new(lifetime));
        let prefix = kv.keys.session_prefix();
        let (link, heard) = (kv.link.clone(), memory.clone());
        let listener = supervise::spawn("session invalidations", move || {
            let pushes = link.subscribe(Interest::keys([prefix.clone()]));
            listen(pushes, prefix.clone(), heard.clone())
        });
        Self {
            kv,
            lifetimes,
            memory,
            _listener: Arc::new(AbortOnDropHandle::new(listener)),
        }
    }

    /// The live session of this hash: from memory, or by one round trip.
    pub async fn find(&self, hash: &SessionHash) -> Result<Option<Arc<Session>>, Error> {
        if let Some(session) = self.memory.get(hash) {
            return Ok(Some(session));
        }
        let generation = self.memory.generation(hash);
        let found = self.kv.touch_session(hash, &self.lifetimes).await?;
        let found = found.map(Arc::new);
        if let Some(session) = &found {
            self.memory.keep(hash, session, generation);
        }
        Ok(found)
    }

    /// Watches for the end of a session.
    pub fn watch(&self, hash: SessionHash) -> SessionWatch {
        SessionWatch::new(self.kv.clone(), hash, self.memory.bells.clone())
    }

    /// Ends a session: refused here from now on, and by every process as soon as it hears of it.
    pub async fn end(&self, user: UserId, hash: &SessionHash) -> Result<(), Error> {
        let ended = self.kv.end_session(user, hash).await;
        self.memory.forget(hash);
        ended
    }

    /// Ends all sessions of a person, as [`SessionCache::end`] does one.
    pub async fn end_all(&self, user: UserId) -> Result<(), Error> {
        let ended = self.kv.end_all_sessions(user).await?;
        self.memory.forget_each(&ended);
        Ok(())
    }

    /// Shows a person's new name and picture in all their sessions.
    pub async fn show_names(&self, profile: &SessionProfile) -> Result<(), Error> {
        let updated = self.kv.show_names(profile).await?;
        self.memory.forget_each(&updated);
        Ok(())
    }

    /// Ends the sessions of a person that were opened with another role.
    pub async fn end_other_roles(&self, user: UserId, role: Role) -> Result<(), Error> {
        let ended = self.kv.end_sessions_of_other_roles(user, role).await?;
        self.memory.forget_each(&ended);
        Ok(())
    }

    /// Whether sessions may be served from memory at the moment.
    pub fn is_listening(&self) -> bool {
        self.memory.is_listening.load(Ordering::SeqCst)
    }
}

/// While nobody listens nothing is served from memory, also after a panic.
struct DeafAfter<'a>(&'a Memory);

impl Drop for DeafAfter<'_> {
    fn drop(&mut self) {
        self.0.is_listening.store(false, Ordering::SeqCst);
        self.0.forget_all();
    }
}

async fn listen(mut pushes: Pushes, prefix: String, memory: Arc<Memory>) {
    let _deaf = DeafAfter(&memory);
    loop {
        match pushes.next().await {
            Event::Connected => {
                memory.forget_all();
                memory.is_listening.store(true, Ordering::SeqCst);
            }
            Event::Disconnected => {
                memory.is_listening.store(false, Ordering::SeqCst);
                memory.forget_all();
            }
            Event::Invalidated(keys) => {
                for key in keys {
                    memory.forget_key(&prefix, key);
                }
            }
            Event::AllInvalidated => memory.forget_all(),
            Event::Message { .. } => {}
        }
    }
}

impl Memory {
    fn new(lifetime: Duration) -> Self {
        let sessions = Cache::builder()
            .max_capacity(if lifetime.is_zero() { 0 } else { CAPACITY })
            .time_to_live(lifetime)
            .build();
        Self {
            sessions,
            is_listening: AtomicBool::new(false),
            generations: (0..SHARDS).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
            bells: Arc::default(),
        }
    }

    fn get(&self, hash: &SessionHash) -> Option<Arc<Session>> {
        if !self.is_listening.load(Ordering::SeqCst) {
            return None;
        }
        self.sessions.get(hash)
    }

    fn shard(&self, hash: &SessionHash) -> &AtomicU64 {
        let number = self.hasher.hash_one(hash) % SHARDS as u64;
        &self.generations[usize::try_from(number).expect("below the number of shards")]
    }

    fn generation(&self, hash: &SessionHash) -> u64 {
        self.shard(hash).load(Ordering::SeqCst)
    }

    /// Keeps the answer unless the key changed since `generation`. The check comes after the insert: a change before
    /// it is seen here, a change after it finds the entry and removes it.
    fn keep(&self, hash: &SessionHash, session: &Arc<Session>, generation: u64) {
        self.sessions.insert(*hash, session.clone());
        if self.generation(hash) != generation {
            self.sessions.invalidate(hash);
        }
    }

    fn forget(&self, hash: &SessionHash) {
        self.shard(hash).fetch_add(1, Ordering::SeqCst);
        self.sessions.invalidate(hash);
        self.bells.ring(hash);
    }

    fn forget_each(&self, hashes: &[SessionHash]) {
        for hash in hashes {
            self.forget(hash);
        }
    }

    fn forget_key(&self, prefix: &str, key: Vec<u8>) {
        let key = String::from_utf8(key).unwrap_or_default();
        let hash = key.strip_prefix(prefix).and_then(SessionHash::from_hex);
        if let Some(hash) = hash {
            self.forget(&hash);
        }
    }

    fn forget_all(&self) {
        for shard in &self.generations {
            shard.fetch_add(1, Ordering::SeqCst);
        }
        self.sessions.invalidate_all();
        self.bells.ring_all();
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, SessionToken};

    use super::*;

    fn listening() -> Memory {
        let memory = Memory::new(Duration::from_secs(600));
        memory.is_listening.store(true, Ordering::SeqCst);
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
    fn an_answer_whose_key_changed_on_the_way_is_not_kept() {
        let memory = listening();
        let (hash, session) = session();
        let generation = memory.generation(&hash);
        memory.forget(&hash);
        memory.keep(&hash, &session, generation);
        assert_eq!(memory.get(&hash), None);

        let generation = memory.generation(&hash);
        memory.forget_all();
        memory.keep(&hash, &session, generation);
        assert_eq!(memory.get(&hash), None);
    }

    #[test]
    fn an_answer_is_kept_until_its_key_changes() {
        let memory = listening();
        let (hash, session) = session();
        memory.keep(&hash, &session, memory.generation(&hash));
        assert_eq!(memory.get(&hash), Some(session));
        memory.forget_key(
            "login:token:",
            format!("login:token:{}", hash.to_hex()).into_bytes(),
        );
        assert_eq!(memory.get(&hash), None);
    }

    #[test]
    fn nothing_is_served_while_changes_pass_unheard() {
        let memory = listening();
        let (hash, session) = session();
        memory.keep(&hash, &session, memory.generation(&hash));
        memory.is_listening.store(false, Ordering::SeqCst);
        assert_eq!(memory.get(&hash), None);
    }
}
