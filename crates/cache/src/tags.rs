//! Tags: names under which keys are filled, so that one call invalidates all of them.
//!
//! A tag has a random version in Redis. An entry holds the versions that its tags had **before** its load began, and it is
//! valid only while Redis holds the same ones. [`Cache::invalidate_tag`](crate::Cache::invalidate_tag) deletes the version;
//! the next load under the tag makes another one. No set of members is kept, so nothing grows, and nothing is scanned.
//!
//! The invariant: a value whose load began before an invalidation of one of its tags is not served after it, from either
//! level. A version that expires or is evicted costs loads, and never brings a value back: versions do not recur.
//!
//! Memory does not keep versions. It counts the invalidations of tags that Redis reports, by shard ([`TagGenerations`]); an
//! entry notes the counts before its versions were read, and is not served when one of them has moved.

use std::{
    hash::{BuildHasher as _, RandomState},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use crate::entry::Stamp;

/// An invalidation of one tag makes about this fraction of the entries under other tags be read again from Redis.
const SHARDS: usize = 1024;

/// Tags of one entry at most: each is 10 bytes and its name, in every value.
const MOST_TAGS: usize = 32;

/// Bytes of the name of a tag at most.
const LONGEST_TAG: usize = 512;

/// How often each tag was invalidated, as far as this process was notified.
#[derive(Debug)]
pub(crate) struct TagGenerations {
    shards: Vec<AtomicU64>,
    hasher: RandomState,
}

/// The tags of an entry.
#[derive(Debug)]
pub(crate) struct EntryTags {
    /// Names and versions. A version is `None` if Redis could not tell it.
    pub(crate) tags: Vec<(String, Option<Stamp>)>,
    /// Shard and count, taken before the versions were read.
    snapshot: Vec<(usize, u64)>,
}

/// Most entries have none.
pub(crate) type Tags = Option<Arc<EntryTags>>;

impl TagGenerations {
    pub(crate) fn new() -> Self {
        Self {
            shards: (0..SHARDS).map(|_| AtomicU64::new(0)).collect(),
            hasher: RandomState::new(),
        }
    }

    /// The tags of an entry, as of now. Take them before the versions are read or compared.
    pub(crate) fn note(&self, tags: Vec<(String, Option<Stamp>)>) -> EntryTags {
        let shards = tags.iter().map(|(tag, _)| self.shard(tag));
        let snapshot = shards.map(|shard| (shard, self.shards[shard].load(Ordering::SeqCst)));
        EntryTags {
            snapshot: snapshot.collect(),
            tags,
        }
    }

    pub(crate) fn invalidate(&self, tag: &str) {
        self.shards[self.shard(tag)].fetch_add(1, Ordering::SeqCst);
    }

    /// Whether no tag of the entry was invalidated since its versions were read.
    pub(crate) fn are_current(&self, tags: &Tags) -> bool {
        tags.as_deref().is_none_or(|tags| {
            let moved = |(shard, count): &(usize, u64)| {
                self.shards[*shard].load(Ordering::SeqCst) != *count
            };
            !tags.snapshot.iter().any(moved)
        })
    }

    fn shard(&self, tag: &str) -> usize {
        let number = self.hasher.hash_one(tag) % SHARDS as u64;
        usize::try_from(number).expect("below the number of shards")
    }
}

impl EntryTags {
    pub(crate) fn names(&self) -> Vec<String> {
        self.tags.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Whether Redis told the versions of all of them.
    pub(crate) fn are_known(&self) -> bool {
        self.tags.iter().all(|(_, version)| version.is_some())
    }

    /// Whether an entry can hold them. One that cannot is not stored: a value that lacks a tag would outlive its invalidation.
    pub(crate) fn fit(&self) -> bool {
        let mut names = self.tags.iter().map(|(name, _)| name);
        self.tags.len() <= MOST_TAGS && names.all(|name| name.len() <= LONGEST_TAG)
    }
}

/// The tags of a key, without repetitions.
pub(crate) fn normalize(mut tags: Vec<String>) -> Vec<String> {
    tags.sort_unstable();
    tags.dedup();
    tags
}
