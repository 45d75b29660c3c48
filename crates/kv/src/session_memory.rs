//! Sessions in the memory of this process, kept coherent by the invalidations that Redis sends.
//!
//! The invariant: a session is served only if no invalidation of its key has arrived since the snapshot that was taken
//! before it was read, only in the epoch of that snapshot, and only until the end that Redis gave it.
//!
//! Invalidations come on another connection than replies, so a reply may be older than an invalidation that arrived
//! first. A caller takes a [`FillSnapshot`] before it reads. An invalidation raises the generation of the key, and an insert
//! whose generation has moved does nothing; both hold the lock of the key's shard. Whatever puts all sessions in doubt (a
//! lost subscription, a flushed Redis) starts a new epoch, and sessions of another epoch are not served.
//!
//! A session is found by its hash, as Redis names it, and by the fingerprint of its token once the token was shown. Memory
//! is bounded in bytes; a session that was not used since the hand of the clock last passed it makes room first.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock};
use std::time::{Duration, Instant};

use crate::sessions::{Session, SessionHash};
use crate::token_fingerprint::TokenFingerprint;

/// Few requests meet at the lock of one of so many.
const SHARDS: usize = 64;

/// In each shard. An invalidation of one key prevents one in `SHARDS * GENERATIONS` of the concurrent inserts of others.
const GENERATIONS: usize = 1024;

/// What an entry takes beside its texts: itself, its session, its places in the two maps (which are half empty after they
/// grew) and in the list of slots.
const ENTRY_BYTES: usize =
    size_of::<Entry>() + size_of::<Session>() + 4 * size_of::<usize>() + 2 * MAP_BYTES;
const MAP_BYTES: usize =
    size_of::<SessionHash>() + size_of::<TokenFingerprint>() + 3 * size_of::<usize>();

/// Never due.
const NEVER: u64 = u64::MAX;

#[derive(Debug)]
pub(crate) struct SessionMemory {
    shards: Vec<Mutex<Shard>>,
    tokens: Vec<RwLock<HashMap<TokenFingerprint, Arc<Entry>, OwnHash>>>,
    shard_capacity_bytes: usize,
    bytes: AtomicUsize,
    epoch: AtomicU64,
    is_subscribed: AtomicBool,
    started: Instant,
}

/// The state of a key before it was read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FillSnapshot {
    epoch: u64,
    was_subscribed: bool,
    generation: u32,
}

/// How long a session that was read may be served, and when its use must be written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    pub(crate) ends_at: Instant,
    /// Nothing, if it is noted already.
    pub(crate) due_at: Option<Instant>,
}

/// A session that was found in memory.
#[derive(Debug)]
pub(crate) struct Hit {
    pub(crate) session: Arc<Session>,
    /// This use must be written; no later hit of the same entry says so.
    pub(crate) due: Option<DueEntry>,
}

/// The entry of a session whose use must be written.
#[derive(Debug)]
pub(crate) struct DueEntry(Arc<Entry>);

#[derive(Debug)]
struct Entry {
    hash: SessionHash,
    session: Arc<Session>,
    epoch: u64,
    ends_ms: u64,
    due_ms: AtomicU64,
    was_used: AtomicBool,
    /// Set under the lock of the shard, together with the entry's place among the tokens.
    fingerprint: OnceLock<TokenFingerprint>,
}

/// Slots are swept in a circle for room.
#[derive(Debug)]
struct Shard {
    slots: Vec<Option<Arc<Entry>>>,
    free: Vec<usize>,
    by_hash: HashMap<SessionHash, usize, OwnHash>,
    hand: usize,
    bytes: usize,
    generations: Vec<u32>,
}

/// Keys that are hashes already.
type OwnHash = BuildHasherDefault<OwnHasher>;

#[derive(Debug, Default)]
struct OwnHasher(u64);

impl SessionMemory {
    /// At most about `capacity_bytes`; zero turns memory off. Not subscribed at first.
    pub(crate) fn new(capacity_bytes: usize) -> Self {
        Self {
            shards: (0..SHARDS).map(|_| Mutex::default()).collect(),
            tokens: (0..SHARDS).map(|_| RwLock::default()).collect(),
            shard_capacity_bytes: capacity_bytes / SHARDS,
            bytes: AtomicUsize::new(0),
            epoch: AtomicU64::new(0),
            is_subscribed: AtomicBool::new(false),
            started: Instant::now(),
        }
    }

    pub(crate) fn is_off(&self) -> bool {
        self.shard_capacity_bytes == 0
    }

    /// The session of the token with this fingerprint.
    pub(crate) fn get(&self, fingerprint: TokenFingerprint, now: Instant) -> Option<Hit> {
        let tokens = self.tokens(fingerprint);
        let tokens = tokens.read().unwrap_or_else(PoisonError::into_inner);
        self.hit(tokens.get(&fingerprint)?, now)
    }

    /// The session of this hash, whose token is shown for the first time.
    pub(crate) fn get_first(
        &self,
        hash: &SessionHash,
        fingerprint: TokenFingerprint,
        now: Instant,
    ) -> Option<Hit> {
        let shard = self.shard(hash);
        let entry = shard.get(hash)?;
        let hit = self.hit(entry, now)?;
        self.add_token(entry, fingerprint);
        Some(hit)
    }

    fn hit(&self, entry: &Arc<Entry>, now: Instant) -> Option<Hit> {
        let now_ms = self.millis(now);
        if entry.epoch != self.epoch.load(Ordering::SeqCst) || now_ms >= entry.ends_ms {
            return None;
        }
        // Most hits find it set, and reading it costs other processors nothing.
        if !entry.was_used.load(Ordering::Relaxed) {
            entry.was_used.store(true, Ordering::Relaxed);
        }
        let is_due = now_ms >= entry.due_ms.load(Ordering::Relaxed)
            && now_ms >= entry.due_ms.swap(NEVER, Ordering::Relaxed);
        Some(Hit {
            session: entry.session.clone(),
            due: is_due.then(|| DueEntry(entry.clone())),
        })
    }

    /// Take it before the session is read.
    pub(crate) fn snapshot(&self, hash: &SessionHash) -> FillSnapshot {
        FillSnapshot {
            epoch: self.epoch.load(Ordering::SeqCst),
            was_subscribed: self.is_subscribed.load(Ordering::SeqCst),
            generation: self.shard(hash).generation(hash),
        }
    }

    /// Inserts a session unless its key was invalidated since the snapshot.
    pub(crate) fn insert(
        &self,
        hash: &SessionHash,
        fingerprint: Option<TokenFingerprint>,
        session: &Arc<Session>,
        span: Span,
        snapshot: FillSnapshot,
    ) {
        let entry = Arc::new(Entry {
            hash: *hash,
            session: session.clone(),
            epoch: snapshot.epoch,
            ends_ms: self.millis(span.ends_at),
            due_ms: AtomicU64::new(span.due_at.map_or(NEVER, |due| self.millis(due))),
            was_used: AtomicBool::new(false),
            fingerprint: OnceLock::new(),
        });
        let bytes = entry.bytes();
        let is_current = || self.epoch.load(Ordering::SeqCst) == snapshot.epoch;
        if !snapshot.was_subscribed || bytes > self.shard_capacity_bytes || !is_current() {
            return;
        }
        let mut shard = self.shard(hash);
        if shard.generation(hash) != snapshot.generation {
            return;
        }
        self.remove(&mut shard, hash);
        while shard.bytes + bytes > self.shard_capacity_bytes {
            let Some(unused) = shard.next_unused() else {
                return;
            };
            self.remove(&mut shard, &unused);
        }
        if let Some(fingerprint) = fingerprint {
            self.add_token(&entry, fingerprint);
        }
        shard.put(entry);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Removes the session of a key that changed.
    pub(crate) fn invalidate(&self, hash: &SessionHash) {
        let mut shard = self.shard(hash);
        shard.raise_generation(hash);
        self.remove(&mut shard, hash);
    }

    /// Starts a new epoch: no present session is trusted, nor any that is inserted with an earlier snapshot.
    pub(crate) fn distrust_all(&self) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        for number in 0..SHARDS {
            let mut shard = self.lock(number);
            let hashes: Vec<SessionHash> = shard.by_hash.keys().copied().collect();
            for hash in hashes {
                self.remove(&mut shard, &hash);
            }
        }
    }

    /// Starts a new epoch when the subscription comes up or is lost. The order matters: a snapshot reads the epoch first,
    /// so one that says "subscribed" is never of an epoch in which the subscription was down.
    pub(crate) fn set_subscribed(&self, is_subscribed: bool) {
        if is_subscribed {
            self.distrust_all();
            self.is_subscribed.store(true, Ordering::SeqCst);
        } else {
            self.is_subscribed.store(false, Ordering::SeqCst);
            self.distrust_all();
        }
    }

    pub(crate) fn is_subscribed(&self) -> bool {
        self.is_subscribed.load(Ordering::SeqCst)
    }

    pub(crate) fn len(&self) -> usize {
        (0..SHARDS)
            .map(|number| self.lock(number).by_hash.len())
            .sum()
    }

    /// Whether one more session may take the place of another.
    pub(crate) fn is_nearly_full(&self) -> bool {
        let capacity = self.shard_capacity_bytes * SHARDS;
        self.bytes.load(Ordering::Relaxed) >= capacity / 8 * 7
    }

    /// The use of this entry could not be noted: a later hit says again that it is due.
    pub(crate) fn postpone(&self, entry: &DueEntry, until: Instant) {
        let due_ms = self.millis(until);
        entry.0.due_ms.store(due_ms, Ordering::Relaxed);
    }

    /// The caller holds the lock of the entry's shard.
    fn add_token(&self, entry: &Arc<Entry>, fingerprint: TokenFingerprint) {
        if entry.fingerprint.set(fingerprint).is_ok() {
            let tokens = self.tokens(fingerprint);
            let mut tokens = tokens.write().unwrap_or_else(PoisonError::into_inner);
            tokens.insert(fingerprint, entry.clone());
        }
    }

    fn remove(&self, shard: &mut Shard, hash: &SessionHash) {
        let Some(entry) = shard.take(hash) else {
            return;
        };
        self.bytes.fetch_sub(entry.bytes(), Ordering::Relaxed);
        if let Some(fingerprint) = entry.fingerprint.get() {
            let tokens = self.tokens(*fingerprint);
            let mut tokens = tokens.write().unwrap_or_else(PoisonError::into_inner);
            tokens.remove(fingerprint);
        }
    }

    fn shard(&self, hash: &SessionHash) -> MutexGuard<'_, Shard> {
        self.lock(usize::from(hash.bytes()[8]) % SHARDS)
    }

    fn lock(&self, number: usize) -> MutexGuard<'_, Shard> {
        // A shard is consistent between any two statements that may panic.
        let shard = self.shards[number].lock();
        shard.unwrap_or_else(PoisonError::into_inner)
    }

    fn tokens(
        &self,
        fingerprint: TokenFingerprint,
    ) -> &RwLock<HashMap<TokenFingerprint, Arc<Entry>, OwnHash>> {
        // The other half is the hash in the map.
        let number = (fingerprint >> 64) as usize % SHARDS;
        &self.tokens[number]
    }

    /// When the session of this entry ends, unless its use is written.
    pub(crate) fn ends_at(&self, entry: &DueEntry) -> Instant {
        self.started + Duration::from_millis(entry.0.ends_ms)
    }

    fn millis(&self, instant: Instant) -> u64 {
        let since = instant.saturating_duration_since(self.started);
        u64::try_from(since.as_millis()).unwrap_or(NEVER)
    }
}

impl DueEntry {
    pub(crate) fn hash(&self) -> SessionHash {
        self.0.hash
    }
}

impl Entry {
    fn bytes(&self) -> usize {
        let profile = &self.session.profile;
        ENTRY_BYTES + profile.nick_name.capacity() + profile.icon.capacity()
    }
}

impl Default for Shard {
    fn default() -> Self {
        Self {
            slots: Vec::new(),
            free: Vec::new(),
            by_hash: HashMap::default(),
            hand: 0,
            bytes: 0,
            generations: vec![0; GENERATIONS],
        }
    }
}

impl Shard {
    fn get(&self, hash: &SessionHash) -> Option<&Arc<Entry>> {
        self.slots[*self.by_hash.get(hash)?].as_ref()
    }

    fn put(&mut self, entry: Arc<Entry>) {
        self.bytes += entry.bytes();
        let hash = entry.hash;
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot] = Some(entry);
                slot
            }
            None => {
                self.slots.push(Some(entry));
                self.slots.len() - 1
            }
        };
        self.by_hash.insert(hash, slot);
    }

    fn take(&mut self, hash: &SessionHash) -> Option<Arc<Entry>> {
        let slot = self.by_hash.remove(hash)?;
        let entry = self.slots[slot].take()?;
        self.free.push(slot);
        self.bytes -= entry.bytes();
        Some(entry)
    }

    /// The next session that was not used since the hand passed it last. In two rounds there is one, if there is any.
    fn next_unused(&mut self) -> Option<SessionHash> {
        for _ in 0..2 * self.slots.len() {
            self.hand = (self.hand + 1) % self.slots.len();
            if let Some(entry) = &self.slots[self.hand]
                && !entry.was_used.swap(false, Ordering::Relaxed)
            {
                return Some(entry.hash);
            }
        }
        None
    }

    fn generation(&self, hash: &SessionHash) -> u32 {
        self.generations[generation_of(hash)]
    }

    fn raise_generation(&mut self, hash: &SessionHash) {
        let generation = &mut self.generations[generation_of(hash)];
        *generation = generation.wrapping_add(1);
    }
}

fn generation_of(hash: &SessionHash) -> usize {
    let [.., high, low] = hash.bytes();
    usize::from(u16::from_be_bytes([*high, *low])) % GENERATIONS
}

impl Hasher for OwnHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        debug_assert!(
            false,
            "no key of these maps is hashed as {} bytes",
            bytes.len()
        );
    }

    fn write_u64(&mut self, part: u64) {
        self.0 = part;
    }

    fn write_u128(&mut self, fingerprint: u128) {
        self.0 = fingerprint as u64;
    }
}

#[cfg(test)]
mod tests {
    use domain::{Role, SessionToken, UserId};

    use super::*;
    use crate::sessions::SessionProfile;

    const HOUR: Duration = Duration::from_secs(3600);
    const CAPACITY_BYTES: usize = 1 << 20;

    fn subscribed() -> SessionMemory {
        let memory = SessionMemory::new(CAPACITY_BYTES);
        memory.set_subscribed(true);
        memory
    }

    fn hash(number: u64) -> SessionHash {
        let mut bytes = [0; 20];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        SessionHash::of(&SessionToken::from_random(bytes))
    }

    fn session() -> Arc<Session> {
        let profile = SessionProfile {
            user_id: UserId::new(1),
            nick_name: String::new(),
            icon: String::new(),
            role: Role::User,
        };
        Arc::new(Session { profile, number: 1 })
    }

    fn for_an_hour() -> Span {
        Span {
            ends_at: Instant::now() + HOUR,
            due_at: Some(Instant::now() + HOUR),
        }
    }

    /// With a number as the fingerprint of its token.
    fn insert(memory: &SessionMemory, number: u64, snapshot: FillSnapshot) {
        let fingerprint = Some(fingerprint(number));
        memory.insert(
            &hash(number),
            fingerprint,
            &session(),
            for_an_hour(),
            snapshot,
        );
    }

    /// As different in both halves as those of tokens.
    fn fingerprint(number: u64) -> TokenFingerprint {
        u128::from(number) << 64 | u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn is_served(memory: &SessionMemory, number: u64) -> bool {
        memory.get(fingerprint(number), Instant::now()).is_some()
    }

    #[test]
    fn a_reply_older_than_an_invalidation_is_not_kept() {
        let memory = subscribed();
        let snapshot = memory.snapshot(&hash(1));
        memory.invalidate(&hash(1));
        insert(&memory, 1, snapshot);
        assert!(!is_served(&memory, 1));

        let snapshot = memory.snapshot(&hash(1));
        memory.distrust_all();
        insert(&memory, 1, snapshot);
        assert!(!is_served(&memory, 1));
        assert_eq!((memory.len(), memory.bytes.into_inner()), (0, 0));
    }

    #[test]
    fn a_session_is_served_until_it_is_invalidated_and_then_found_by_neither_name() {
        let memory = subscribed();
        insert(&memory, 1, memory.snapshot(&hash(1)));
        insert(&memory, 2, memory.snapshot(&hash(2)));
        assert!(is_served(&memory, 1));
        memory.invalidate(&hash(1));
        assert!(!is_served(&memory, 1));
        assert!(
            memory
                .get_first(&hash(1), fingerprint(1), Instant::now())
                .is_none()
        );
        assert!(is_served(&memory, 2), "others stay");
    }

    #[test]
    fn a_session_whose_token_was_not_shown_yet_is_found_by_its_hash_once() {
        let memory = subscribed();
        let snapshot = memory.snapshot(&hash(1));
        memory.insert(&hash(1), None, &session(), for_an_hour(), snapshot);
        assert!(!is_served(&memory, 1));
        assert!(
            memory
                .get_first(&hash(1), fingerprint(1), Instant::now())
                .is_some()
        );
        assert!(is_served(&memory, 1));
        memory.invalidate(&hash(1));
        assert!(!is_served(&memory, 1));
    }

    #[test]
    fn nothing_is_served_or_kept_while_the_subscription_is_lost() {
        let memory = subscribed();
        insert(&memory, 1, memory.snapshot(&hash(1)));
        memory.set_subscribed(false);
        assert!(!is_served(&memory, 1));
        let during = memory.snapshot(&hash(1));
        insert(&memory, 1, during);
        assert!(!is_served(&memory, 1));
        memory.set_subscribed(true);
        insert(&memory, 1, during);
        assert!(!is_served(&memory, 1));
    }

    #[test]
    fn a_session_is_not_served_after_its_end() {
        let memory = subscribed();
        let now = Instant::now();
        let span = Span {
            ends_at: now + HOUR,
            due_at: None,
        };
        let snapshot = memory.snapshot(&hash(1));
        memory.insert(&hash(1), Some(fingerprint(1)), &session(), span, snapshot);
        let almost = now + HOUR - Duration::from_secs(1);
        assert!(memory.get(fingerprint(1), almost).is_some());
        assert!(memory.get(fingerprint(1), now + HOUR).is_none());
    }

    #[test]
    fn one_hit_says_that_a_use_is_due() {
        let memory = subscribed();
        let now = Instant::now();
        let span = Span {
            ends_at: now + 2 * HOUR,
            due_at: Some(now + HOUR),
        };
        let snapshot = memory.snapshot(&hash(1));
        memory.insert(&hash(1), Some(fingerprint(1)), &session(), span, snapshot);
        let hit = |at: Instant| memory.get(fingerprint(1), at).unwrap().due;
        assert!(hit(now).is_none());
        let due = hit(now + HOUR).unwrap();
        assert_eq!(due.hash(), hash(1));
        assert!(hit(now + HOUR).is_none());
        memory.postpone(&due, now + HOUR + Duration::from_secs(1));
        assert!(hit(now + HOUR).is_none());
        assert!(hit(now + HOUR + Duration::from_secs(1)).is_some());
    }

    #[test]
    fn memory_is_bounded_and_keeps_what_is_used() {
        let memory = subscribed();
        insert(&memory, 0, memory.snapshot(&hash(0)));
        for number in 1..100_000 {
            insert(&memory, number, memory.snapshot(&hash(number)));
            assert!(
                is_served(&memory, 0),
                "it was used since {number} others came"
            );
        }
        let bytes = memory.bytes.load(Ordering::Relaxed);
        assert!(bytes <= CAPACITY_BYTES, "{bytes}");
        assert!(memory.is_nearly_full());
        let tokens = memory
            .tokens
            .iter()
            .map(|tokens| tokens.read().unwrap().len());
        assert_eq!(tokens.sum::<usize>(), memory.len());
        let slots: usize = (0..SHARDS)
            .map(|shard| memory.lock(shard).slots.len())
            .sum();
        assert!(slots * ENTRY_BYTES <= CAPACITY_BYTES, "{slots}");
        memory.distrust_all();
        assert_eq!((memory.len(), memory.bytes.into_inner()), (0, 0));
    }

    #[test]
    fn memory_without_room_keeps_nothing() {
        let memory = SessionMemory::new(0);
        memory.set_subscribed(true);
        insert(&memory, 1, memory.snapshot(&hash(1)));
        assert!(memory.is_off());
        assert_eq!(memory.len(), 0);
    }
}
