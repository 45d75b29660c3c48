//! L2: entries in Redis, and the protocol by which processes share them.
//!
//! An entry has three keys in one hash slot. The **value** lives until its hard expiry. The **lease** holds the random
//! token of the process that loads, which renews it. The **tombstone** records an invalidation and, if known, the version
//! that the row has at least.
//!
//! | step | what it does |
//! |---|---|
//! | read | `GET` and `PTTL` of the value; how long it is fresh follows from the two |
//! | lease | acquires the lease, unless there is a fresh value or another process holds the lease |
//! | fill | stores the value if the caller still holds the lease and no newer version is known |
//! | renew | extends the lease while the loader runs |
//! | release | releases the lease after a failed load |
//! | invalidate | deletes value and lease, writes a tombstone |
//! | put | stores a value with a version unless a newer one is known, deletes the lease, writes a tombstone |
//! | begin a put | invalidates, and gives the lease to the caller, who fills a value without a version |
//! | invalidate a tag | deletes the version of the tag, writes a marker |
//!
//! The invariant: a value that was read before an invalidation is not stored after it. The invalidation deletes the
//! lease, and a fill without the lease is refused; a later load has a later lease and reads the changed row.
//!
//! The tags of an entry have keys of their own, in other slots: the versions of the entry are compared with them in a second
//! round trip, which entries without tags do not need.
//!
//! A circuit breaker keeps reads away from a server that does not reply ([`breaker`](crate::breaker)); each call has a
//! timeout.

use std::{
    collections::HashMap,
    future::Future,
    sync::Arc,
    time::{Duration, Instant},
};

use link::{Link, LinkError, Script};

use crate::{
    Loader,
    breaker::Breaker,
    entry::{self, CacheEntry, RowVersion, Stamp, StoredEntry},
    keys::Keys,
    meter::Meter,
    tags::{EntryTags, TagGenerations},
    values::Values,
};

static LEASE: Script = Script::new(include_str!("remote/lease.lua"));
static FILL: Script = Script::new(include_str!("remote/fill.lua"));
static RENEW: Script = Script::new(include_str!("remote/renew.lua"));
static RELEASE: Script = Script::new(include_str!("remote/release.lua"));
static INVALIDATE: Script = Script::new(include_str!("remote/invalidate.lua"));
static PUT: Script = Script::new(include_str!("remote/put.lua"));
static BEGIN_PUT: Script = Script::new(include_str!("remote/begin_put.lua"));
static INVALIDATE_TAG: Script = Script::new(include_str!("remote/invalidate_tag.lua"));

/// The breaker is open, or the call failed or timed out.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RedisUnavailable;

pub(crate) struct Remote {
    pub(crate) link: Link,
    pub(crate) keys: Keys,
    pub(crate) values: Values,
    pub(crate) breaker: Breaker,
    pub(crate) timeout: Duration,
    pub(crate) lease_ttl: Duration,
    pub(crate) tombstone_ttl: Duration,
    /// How long a tag that no load renews keeps its version.
    pub(crate) tag_ttl: Duration,
    pub(crate) tag_generations: Arc<TagGenerations>,
}

/// The reply to a request for a lease.
pub(crate) enum LeaseReply<V> {
    /// Another process has stored a fresh entry.
    Found(CacheEntry<V>),
    Granted,
    /// Another process is loading.
    Taken,
    /// The stored bytes do not decode, or a tag of the entry was invalidated. The caller replaces them; they have this stamp.
    Unusable(Stamp),
}

/// The reply to a fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FillReply {
    Stored,
    Refused,
    /// The codec does not suit the value, so it was not sent.
    Unsuitable,
}

impl Remote {
    /// What Redis holds of each key, in one round trip per server.
    pub(crate) async fn read<L: Loader>(
        &self,
        keys: &[&L::Key],
        meter: &Meter,
    ) -> Result<Vec<StoredEntry<L::Value>>, RedisUnavailable> {
        let mut pipeline = redis::Pipeline::with_capacity(keys.len() * 2);
        for key in keys {
            let name = self.keys.value(*key);
            pipeline.cmd("GET").arg(&name);
            pipeline.cmd("PTTL").arg(&name);
        }
        let call = self.link.pipe::<Vec<redis::Value>>(&pipeline);
        let replies = self.call("read", meter, call).await?;
        let (entries, _) = replies.as_chunks();
        let decoded = entries
            .iter()
            .map(|[value, left]| self.decode::<L>(value, left, meter));
        let mut decoded: Vec<_> = decoded.collect();
        self.compare_tags(&mut decoded, meter).await?;
        Ok(decoded)
    }

    /// Marks the entries whose tags have other versions in Redis.
    async fn compare_tags<V>(
        &self,
        entries: &mut [StoredEntry<V>],
        meter: &Meter,
    ) -> Result<(), RedisUnavailable> {
        let tags = entries.iter().filter_map(|entry| match entry {
            StoredEntry::Some(entry) => entry.tags.as_deref(),
            _ => None,
        });
        let names = tags
            .flat_map(|tags| &tags.tags)
            .map(|(name, _)| name.as_str());
        let mut names: Vec<&str> = names.collect();
        if names.is_empty() {
            return Ok(());
        }
        names.sort_unstable();
        names.dedup();
        let mut pipeline = redis::Pipeline::with_capacity(names.len());
        for name in &names {
            pipeline.cmd("GET").arg(self.keys.tag(name));
        }
        let call = self.link.pipe::<Vec<Option<Vec<u8>>>>(&pipeline);
        let versions = self.call("tags", meter, call).await?;
        let names = names.into_iter().map(str::to_owned);
        let current: HashMap<String, Option<Stamp>> = names
            .zip(
                versions
                    .into_iter()
                    .map(|version| version.and_then(to_stamp)),
            )
            .collect();
        for entry in entries {
            let is_outdated = |tags: &EntryTags| {
                let mut tags = tags.tags.iter();
                tags.any(|(name, version)| current.get(name) != Some(version))
            };
            if let StoredEntry::Some(found) = entry
                && found.tags.as_deref().is_some_and(is_outdated)
            {
                *entry = StoredEntry::Outdated(found.stamp);
            }
        }
        Ok(())
    }

    /// The tags without their versions, for an entry of memory alone.
    pub(crate) fn unknown_tags(&self, names: &[String]) -> EntryTags {
        let unknown = names.iter().map(|name| (name.clone(), None));
        self.tag_generations.note(unknown.collect())
    }

    /// The tags with their present versions; a tag that has none gets one. Call it before the load.
    pub(crate) async fn current_tags(&self, names: &[String], meter: &Meter) -> EntryTags {
        let mut noted = self.unknown_tags(names);
        let mut pipeline = redis::Pipeline::with_capacity(names.len() * 3);
        for name in names {
            let key = self.keys.tag(name);
            let fresh = Stamp::random().0;
            let create = pipeline.cmd("SET").arg(&key).arg(&fresh[..]);
            create.arg("NX").arg("PX").arg(millis(self.tag_ttl));
            pipeline.cmd("GET").arg(&key);
            pipeline.cmd("PTTL").arg(&key);
        }
        let call = self.link.pipe::<Vec<redis::Value>>(&pipeline);
        let Ok(replies) = self.call("tags", meter, call).await else {
            return noted;
        };
        let (replies, _) = replies.as_chunks();
        let mut renewals = redis::Pipeline::new();
        for ((name, version), [_, value, left]) in noted.tags.iter_mut().zip(replies) {
            if let redis::Value::BulkString(bytes) = value {
                *version = to_stamp(bytes.clone());
            }
            let half_ms = i64::try_from(self.tag_ttl.as_millis() / 2).unwrap_or(i64::MAX);
            if matches!(left, redis::Value::Int(left_ms) if *left_ms < half_ms) {
                let renew = renewals.cmd("PEXPIRE").arg(self.keys.tag(name));
                renew.arg(millis(self.tag_ttl));
            }
        }
        if !renewals.is_empty() {
            // Best effort: a version that expires costs a load.
            let call = self.link.pipe::<Vec<redis::Value>>(&renewals);
            let _ = self.call("tags", meter, call).await;
        }
        noted
    }

    /// Has only the timeout of the link, like [`Remote::invalidate`].
    pub(crate) async fn invalidate_tag(&self, tag: &str) -> Result<(), LinkError> {
        let keys = [self.keys.tag(tag), self.keys.tag_marker(tag)];
        let life = millis(self.tombstone_ttl);
        self.link.eval(&INVALIDATE_TAG, &keys, &life[..]).await
    }

    /// Stores an entry unless a newer version is known. Has only the timeout of the link, like [`Remote::invalidate`].
    pub(crate) async fn put<L: Loader>(
        &self,
        key: &L::Key,
        entry: &CacheEntry<L::Value>,
        meter: &Meter,
    ) -> Result<FillReply, LinkError> {
        let Some(bytes) = self.values.encode::<L>(entry, meter) else {
            return Ok(FillReply::Unsuitable);
        };
        let keys = self.keys.all(key);
        let keys = [keys.value, keys.lease, keys.tombstone];
        let args = [bytes, millis(entry.usable_for), millis(self.tombstone_ttl)];
        match self.link.eval::<i64>(&PUT, &keys, &args[..]).await? {
            1 => Ok(FillReply::Stored),
            _ => Ok(FillReply::Refused),
        }
    }

    /// Requests the lease; `replacing` is the fresh entry that the caller wants to replace.
    pub(crate) async fn lease<L: Loader>(
        &self,
        key: &L::Key,
        token: Stamp,
        replacing: Option<Stamp>,
        meter: &Meter,
    ) -> Result<LeaseReply<L::Value>, RedisUnavailable> {
        let keys = [self.keys.value(key), self.keys.lease(key)];
        let [plain, flagged] = entry::schema_marks::<L>(self.values.codec);
        let args = [
            token.0.to_vec(),
            millis(self.lease_ttl),
            replacing.map_or_else(Vec::new, |stamp| stamp.0.to_vec()),
            plain.to_vec(),
            flagged.to_vec(),
        ];
        let call = self.link.eval(&LEASE, &keys, &args[..]);
        let (code, value, left): (u8, redis::Value, redis::Value) =
            self.call("lease", meter, call).await?;
        match code {
            0 => {
                let mut found = [self.decode::<L>(&value, &left, meter)];
                self.compare_tags(&mut found, meter).await?;
                let [found] = found;
                Ok(match found {
                    StoredEntry::Some(entry) => LeaseReply::Found(entry),
                    StoredEntry::Undecodable(stamp, _) | StoredEntry::Outdated(stamp) => {
                        LeaseReply::Unusable(stamp)
                    }
                    StoredEntry::None => LeaseReply::Taken,
                })
            }
            1 => Ok(LeaseReply::Granted),
            _ => Ok(LeaseReply::Taken),
        }
    }

    pub(crate) async fn fill<L: Loader>(
        &self,
        key: &L::Key,
        entry: &CacheEntry<L::Value>,
        meter: &Meter,
    ) -> Result<FillReply, RedisUnavailable> {
        let Some(bytes) = self.values.encode::<L>(entry, meter) else {
            return Ok(FillReply::Unsuitable);
        };
        let call = self.send_fill::<L>(key, entry, bytes);
        self.call("fill", meter, call).await
    }

    /// Invalidates the key and gives its lease to the caller, whoever held it. Returns the names of the tags of the entry that
    /// was there. Has only the timeout of the link, like [`Remote::invalidate`].
    pub(crate) async fn begin_put<K: crate::Key>(
        &self,
        key: &K,
        token: Stamp,
    ) -> Result<Vec<String>, LinkError> {
        let keys = self.keys.all(key);
        let keys = [keys.value, keys.lease, keys.tombstone];
        let (lease_life, tombstone_life) = (millis(self.lease_ttl), millis(self.tombstone_ttl));
        let args = [token.0.to_vec(), lease_life, tombstone_life];
        let call = self
            .link
            .eval::<Option<Vec<u8>>>(&BEGIN_PUT, &keys, &args[..]);
        let tagged = call.await?;
        Ok(tagged.map_or_else(Vec::new, |bytes| entry::tag_names(&bytes)))
    }

    /// Like [`Remote::fill`], with only the timeout of the link, like [`Remote::invalidate`].
    pub(crate) async fn fill_put<L: Loader>(
        &self,
        key: &L::Key,
        entry: &CacheEntry<L::Value>,
        meter: &Meter,
    ) -> Result<FillReply, LinkError> {
        match self.values.encode::<L>(entry, meter) {
            Some(bytes) => self.send_fill::<L>(key, entry, bytes).await,
            None => Ok(FillReply::Unsuitable),
        }
    }

    async fn send_fill<L: Loader>(
        &self,
        key: &L::Key,
        entry: &CacheEntry<L::Value>,
        bytes: Vec<u8>,
    ) -> Result<FillReply, LinkError> {
        let keys = self.keys.all(key);
        let keys = [keys.value, keys.lease, keys.tombstone];
        let args = [entry.stamp.0.to_vec(), bytes, millis(entry.usable_for)];
        match self.link.eval::<i64>(&FILL, &keys, &args[..]).await? {
            1 => Ok(FillReply::Stored),
            _ => Ok(FillReply::Refused),
        }
    }

    /// Best effort: a lease that is not renewed expires, and then the fill is refused.
    pub(crate) async fn renew<K: crate::Key>(&self, key: &K, token: Stamp, meter: &Meter) {
        let keys = [self.keys.lease(key)];
        let args = [token.0.to_vec(), millis(self.lease_ttl)];
        let call = self.link.eval::<i64>(&RENEW, &keys, &args[..]);
        let _ = self.call("renew", meter, call).await;
    }

    /// Best effort: a lease that is not released expires.
    pub(crate) async fn release<K: crate::Key>(&self, key: &K, token: Stamp, meter: &Meter) {
        let keys = [self.keys.lease(key)];
        let call = self.link.eval::<i64>(&RELEASE, &keys, &token.0[..]);
        let _ = self.call("release", meter, call).await;
    }

    /// Ignores the breaker and has only the timeout of the link: the caller must know whether it succeeded.
    pub(crate) async fn invalidate<K: crate::Key>(
        &self,
        key: &K,
        version: RowVersion,
    ) -> Result<(), LinkError> {
        let keys = self.keys.all(key);
        let keys = [keys.value, keys.lease, keys.tombstone];
        let args = [version.0.to_vec(), millis(self.tombstone_ttl)];
        self.link.eval(&INVALIDATE, &keys, &args[..]).await
    }

    fn decode<L: Loader>(
        &self,
        value: &redis::Value,
        left: &redis::Value,
        meter: &Meter,
    ) -> StoredEntry<L::Value> {
        match (value, left) {
            (redis::Value::BulkString(bytes), redis::Value::Int(left_ms)) => {
                // Negative if the key has just expired or has no expiry: not fresh in both cases.
                let left = Duration::from_millis((*left_ms).try_into().unwrap_or(0));
                let generations = &self.tag_generations;
                self.values.decode::<L>(bytes, left, generations, meter)
            }
            _ => StoredEntry::None,
        }
    }

    async fn call<T>(
        &self,
        operation: &'static str,
        meter: &Meter,
        call: impl Future<Output = Result<T, LinkError>>,
    ) -> Result<T, RedisUnavailable> {
        let since = Instant::now();
        let reply = tokio::time::timeout(self.timeout, call).await;
        meter.l2_took(operation, since);
        match reply {
            Ok(Ok(reply)) => {
                self.breaker.succeeded();
                return Ok(reply);
            }
            Ok(Err(error)) => tracing::debug!(operation, %error, "Redis call failed"),
            Err(_) => tracing::debug!(operation, "Redis call timed out"),
        }
        meter.l2_errors.add(1);
        self.breaker.failed(Instant::now());
        Err(RedisUnavailable)
    }
}

fn to_stamp(version: Vec<u8>) -> Option<Stamp> {
    version.try_into().ok().map(Stamp)
}

/// Redis rejects an expiry of zero.
fn millis(duration: Duration) -> Vec<u8> {
    duration.as_millis().max(1).to_string().into_bytes()
}
