//! Cache-aside over two levels: the memory of the process, then Redis, then a loader.
//!
//! ```
//! use std::time::Duration;
//! use redis_two_level_cache::{Cache, NoLoader, link::{Link, Options, Target}};
//!
//! # type DbError = std::io::Error;
//! # async fn query_shop(_: u64) -> Result<String, DbError> { Ok("Tea house".to_owned()) }
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let redis = testkit::Redis::start().await;
//! # let redis_url = redis.url();
//! let target = Target::parse(&redis_url)?;
//! let link = Link::connect(&target, Options::default()).await?;
//! let shops = Cache::builder("shop", link, NoLoader::<u64, String, DbError>::new())
//!     .soft_ttl(Duration::from_secs(60))
//!     .build()?;
//!
//! // A thousand readers of a fleet, one query.
//! let shop = shops.get_with(&7, || query_shop(7)).await?;
//! assert_eq!(shop.as_deref().map(String::as_str), Some("Tea house"));
//!
//! // After the commit of a change:
//! shops.invalidate(&7).await?;
//! # Ok(()) }
//! ```
//!
//! A cache with a [`Loader`] instead of closures also loads batches in one call, and reloads by itself what readers want.
//!
//! # How it works
//! **A hit in memory** sends no command and allocates nothing: a look-up, a clock read, a counter. (The upkeep of the map
//! allocates, about once in a hundred hits.)
//!
//! **A miss** starts a task, the in-flight load, which all readers of that key in the process join. A reader that is
//! cancelled does not cancel it. The load reads Redis; if there is no fresh entry, it requests the *lease* of the key, and
//! the process that gets the lease calls the loader. The [`CacheMode`] decides what the others do: wait, load without the lease,
//! or use the old value, which stays in Redis until it is replaced.
//!
//! **A fill** is refused without the lease, and [`Cache::invalidate`] deletes the lease. So a value that was read before a
//! change is never stored after it; only readers that started before the change get it. With a
//! [version](Loader::version) in the rows, Redis also refuses a fill if a newer version is stored or was announced, which
//! covers loaders that read old data *after* the change.
//!
//! **Values** are encoded by the [`Codec`] of the cache, which is checked: a value that would come back as another one is
//! not stored.
//!
//! **Memory** is kept coherent by Redis itself, which tells every process which keys were written, expired or evicted
//! (client-side caching in broadcast mode, on a connection of its own, which the caches of a [`CacheHub`] share). The
//! report of a fill of this process is recognised and passed over, that of an invalidation never. A reply that is older
//! than an invalidation of its key is not stored. When the subscription is lost, no entry in memory is trusted, and until
//! it is back entries live for [a second](Builder::l1_blind_ttl).
//!
//! **Expiry** has two stages. After the soft expiry the value is replaced, after the hard one it is deleted. In between it
//! is the fallback for a loader that is slow or fails. Shortly before the soft expiry a random reader refreshes it (XFetch),
//! through the same lease, so that popular values do not expire at all. Random jitter shortens lifetimes, so entries that
//! were written together do not expire together.
//!
//! **Closures** of [`Cache::get_with`] load as a loader does. A **put** ([`Cache::put`]) with a version is stored unless
//! Redis holds or was told of a newer one; without a version it is an invalidation that takes the lease, and a fill under
//! it. **Tags** ([`Cache::invalidate_tag`]) are random versions in Redis: an entry holds those that its tags had before its
//! load, and is void when one has changed.
//!
//! **Why** a read had its outcome is logged under the target `cache_decisions`: hits in memory at `trace`, the rest at `debug`.
//!
//! **Absent rows** are cached too, for a shorter time; [`BloomGuard`] rejects ids that never existed before Redis or the
//! loader is called.
//!
//! # How it fails
//! | what happens | what readers get |
//! |---|---|
//! | Redis is unavailable | the loader's values, one load per key and process, a bounded number at once; in memory for a second |
//! | Redis stalls | the same, after at most three timeouts: the circuit breaker then probes twice a second |
//! | Redis is flushed | the keys in memory are read again in batches; a reader who is faster waits for that, or with logical expiry gets the old value for up to a second; there is one load per key in the cluster |
//! | the loader fails or is slow | the old value until its hard expiry, and no call of the loader for a second; without one, the error |
//! | the loader panics | [`CacheError::Abandoned`], for all readers of that load |
//! | the process that loads dies | a wait of at most three seconds: its lease expires and another process gets it |
//! | invalidations are lost | no stale value once the loss is detected: within a heartbeat and a response timeout of the link |
//! | the row changes while it is loaded | readers that started before the change may get the old row, once |
//! | the row under a tag changes while it is loaded | the same: the value is void as soon as the tag is invalidated |
//! | Redis evicts the version of a tag | loads; what was void stays void |
//! | an entry does not decode | a miss: the loader's value, which replaces the entry; counted, and logged once |
//! | the codec does not suit a value | the loader's value, in memory for a second and never in Redis; counted, and logged once |
//! | two releases with different formats share Redis | each misses what the other stored and replaces it; invalidations reach both |
//!
//! # What the caller must do
//! - Call [`Cache::invalidate`] **after** the commit, and retry it until it succeeds: from an outbox row of the same
//!   transaction, or from the database's log. The direct call is fast, the outbox makes it certain. It is idempotent.
//! - Load from where commits are visible at once; a lagging replica needs [`Loader::version`] and
//!   [`Cache::invalidate_older`].
//!
//! # What it does not guarantee
//! Other processes see a change when the invalidation arrives, not with the commit: a cache is not a lock. A Redis failover
//! that loses acknowledged writes may bring back an invalidated entry, which then lives until its soft expiry, unless
//! the invalidation is repeated. With Redis and the loader both unavailable, readers get the last known value within its
//! hard TTL, even if another process has invalidated it. Choose a soft TTL that bounds the first two; a hard TTL equal to
//! the soft TTL turns the third off.

#![deny(missing_docs)]

mod bloom;
mod breaker;
mod builder;
mod cache;
mod codec;
mod early;
mod entry;
mod error;
mod hub;
mod in_flight;
mod key_load;
mod keys;
mod load;
mod loaded;
mod loader;
mod memory;
mod meter;
mod own_fills;
mod put;
mod read_through;
mod reload;
mod remote;
mod settings;
mod shared;
mod subscriber;
mod tags;
mod tracked_memory;
mod values;

/// The connection to Redis that a cache is built on.
pub use ::link;
pub use bloom::{BloomGuard, BloomOptions, IdSource};
pub use builder::Builder;
pub use cache::{Cache, ReadResult};
pub use codec::{Codec, CodecError};
pub use error::{CacheError, PutError};
pub use hub::CacheHub;
pub use loaded::{Loaded, NoLoader};
pub use loader::{Key, LoadedRows, Loader};
pub use meter::Stats;
pub use put::PutOutcome;
pub use settings::{BadSettings, CacheMode};
pub use tracked_memory::{FillSnapshot, TrackedMemory};
