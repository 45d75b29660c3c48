//! Values that a writer puts into the cache: [`Cache::put`].
//!
//! **With a version** one script compares it with what Redis holds and was told, so a put that is late is refused.
//!
//! **Without one** nothing tells two values apart but the order in which Redis gets them. The put is then an invalidation that
//! takes the lease of the key, followed by a fill under that lease:
//! - A load in flight has lost its lease, so its fill is refused. Readers of other processes wait for this fill as they wait
//!   for that of any load.
//! - An invalidation or another put after the first step deletes or takes the lease, so the fill is refused. That holds also for
//!   a fill that a slow server executes long after its caller has given up.
//! - A put that ends between the two steps has invalidated the key and releases the lease; if its process dies, the lease
//!   expires.

use std::{sync::Arc, time::Duration};

use crate::{
    Cache, Loaded, Loader, PutError,
    cache::InvalidateOnDrop,
    entry::{CacheEntry, RowVersion, Stamp},
    memory::Origin,
    own_fills::FillNote,
    remote::FillReply,
    shared::CacheState,
    tags::{self, EntryTags},
};

/// What became of a [`Cache::put`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PutOutcome {
    /// Redis holds the value.
    Stored,
    /// The value was not stored: a newer version is stored or was announced, or, of a value without a version, the key was
    /// invalidated or put again in the meantime.
    Superseded,
    /// Older values were invalidated and this one was not stored: it has a version and the key has tags, its lifetime is zero,
    /// or the codec does not suit it. The next reader loads it.
    Invalidated,
}

impl<L: Loader> Cache<L> {
    /// Stores a value that the caller has just committed, so that readers need not load it. Loads in flight cannot replace
    /// it, and all processes drop what they had.
    ///
    /// ```no_run
    /// # use redis_two_level_cache::{Cache, Loaded, NoLoader, PutError, PutOutcome};
    /// # async fn example(names: Cache<NoLoader<u64, String, std::io::Error>>) -> Result<(), PutError> {
    /// let put = names.put(&7, "Tea house".to_owned()).await?;
    /// assert_eq!(put, PutOutcome::Stored);
    ///
    /// // Two processes change one row: its version tells which value is newer, whichever put is late.
    /// names.put(&7, Loaded::new("Tea room".to_owned()).version(12)).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// **Without a version** the put counts from the moment at which it reaches Redis. What comes after it, an invalidation,
    /// another put or the invalidation of a tag, is stronger; what came before it is replaced. So if two processes change a
    /// row, and the one that commits first puts last, the older value stays until its expiry. Give the value a version
    /// ([`Loaded::version`], [`Loader::version`]), put under the lock of the row, or only invalidate. It costs two round trips, and
    /// the value is in the memory of this process too.
    ///
    /// **With a version** Redis refuses the value if it holds or was told of a newer one. It costs one round trip. Of a key
    /// with tags by [`Loader::tags`] such a put only invalidates what is older: its value may depend on more than its row,
    /// which the version does not tell.
    ///
    /// **Tags**: a value without a version is stored under those of [`Loader::tags`] and those of the entry that it replaces. If
    /// the key is read by [`Cache::get_tagged`], name them with [`Cache::put_tagged`]: Redis may hold no entry to take them from.
    ///
    /// It is a shortcut, and no substitute for the invalidation that an outbox makes certain: a process may die between
    /// commit and put.
    pub async fn put(
        &self,
        key: &L::Key,
        value: impl Into<Loaded<L::Value>>,
    ) -> Result<PutOutcome, PutError> {
        self.put_under(key, None, value.into()).await
    }

    /// Like [`Cache::put`], under these tags instead of those of [`Loader::tags`]: see [`Cache::invalidate_tag`].
    pub async fn put_tagged(
        &self,
        key: &L::Key,
        tags: impl IntoIterator<Item = impl Into<String>>,
        value: impl Into<Loaded<L::Value>>,
    ) -> Result<PutOutcome, PutError> {
        let tags = tags.into_iter().map(Into::into).collect();
        self.put_under(key, Some(tags), value.into()).await
    }

    /// A put. `tags` are instead of those of the loader.
    async fn put_under(
        &self,
        key: &L::Key,
        tags: Option<Vec<String>>,
        value: Loaded<L::Value>,
    ) -> Result<PutOutcome, PutError> {
        let shared = &self.shared;
        let entry = shared.new_entry(key, value, Duration::ZERO);
        let version = entry.version;
        let reply = if entry.usable_for.is_zero() {
            FillReply::Unsuitable
        } else if version == RowVersion::NONE {
            self.put_in_order(key, tags, entry).await?
        } else if tags.unwrap_or_else(|| shared.tags_of(key)).is_empty() {
            self.put_unless_newer(key, &entry).await?
        } else {
            FillReply::Unsuitable
        };
        match reply {
            FillReply::Stored => {
                shared.why(key, "put: stored in Redis");
                shared.meter.fills.add(1);
                Ok(PutOutcome::Stored)
            }
            FillReply::Refused => {
                shared.why(key, "put refused: a newer value is known");
                shared.meter.refused_fills.add(1);
                Ok(PutOutcome::Superseded)
            }
            FillReply::Unsuitable => {
                shared.why(key, "put: invalidated what is older");
                self.announce(key, version).await?;
                Ok(PutOutcome::Invalidated)
            }
        }
    }

    async fn put_unless_newer(
        &self,
        key: &L::Key,
        entry: &CacheEntry<L::Value>,
    ) -> Result<FillReply, PutError> {
        let shared = &self.shared;
        // Invalidates memory also if this call fails or is cancelled.
        let _invalidate = InvalidateOnDrop { shared, key };
        Ok(shared.remote.put::<L>(key, entry, &shared.meter).await?)
    }

    /// Both steps of a put without a version.
    async fn put_in_order(
        &self,
        key: &L::Key,
        tags: Option<Vec<String>>,
        mut entry: CacheEntry<L::Value>,
    ) -> Result<FillReply, PutError> {
        let shared = &self.shared;
        let mut lease = PutLease::new(shared, key, entry.stamp);
        let replaced_tags = lease.begin().await?;
        let tags = tags.unwrap_or_else(|| [replaced_tags, shared.loader.tags(key)].concat());
        let tags = tags::normalize(tags);
        if !tags.is_empty() {
            let tags = shared.remote.current_tags(&tags, &shared.meter).await;
            entry.tags = Some(Arc::new(tags));
        }
        if !entry.tags.as_deref().is_none_or(EntryTags::are_known) {
            return Ok(FillReply::Unsuitable);
        }
        lease.fill(&entry).await
    }
}

/// The lease under which a put fills. Dropped without the fill it is released.
struct PutLease<'a, L: Loader> {
    shared: &'a Arc<CacheState<L>>,
    key: &'a L::Key,
    token: Stamp,
    is_held: bool,
}

impl<'a, L: Loader> PutLease<'a, L> {
    fn new(shared: &'a Arc<CacheState<L>>, key: &'a L::Key, token: Stamp) -> Self {
        Self {
            shared,
            key,
            token,
            is_held: false,
        }
    }

    /// Invalidates the key and takes its lease. Returns the tags of the entry that was there.
    async fn begin(&mut self) -> Result<Vec<String>, PutError> {
        let (shared, key) = (self.shared, self.key);
        // Invalidates memory also if this call fails or is cancelled.
        let _invalidate = InvalidateOnDrop { shared, key };
        // Also without a reply: the request may have arrived.
        self.is_held = true;
        Ok(shared.remote.begin_put(key, self.token).await?)
    }

    /// Fills both levels if the lease is still held.
    async fn fill(&mut self, entry: &CacheEntry<L::Value>) -> Result<FillReply, PutError> {
        let (shared, key) = (self.shared, self.key);
        let snapshot = shared.memory.snapshot(key);
        let note = FillNote::begin(shared, key, self.token);
        let remote = &shared.remote;
        let reply = remote.fill_put::<L>(key, entry, &shared.meter).await?;
        match reply {
            FillReply::Stored => {
                note.stored();
                shared.memory.insert(key, entry, Origin::Shared, snapshot);
                self.is_held = false;
            }
            FillReply::Refused => self.is_held = false,
            FillReply::Unsuitable => {}
        }
        Ok(reply)
    }
}

impl<L: Loader> Drop for PutLease<'_, L> {
    fn drop(&mut self) {
        if self.is_held {
            self.shared.release_lease(self.key, self.token);
        }
    }
}
