//! Cache-aside over two levels: the memory of the process, then Redis, then a loader.
//!
//! ```no_run
//! # use std::{convert::Infallible, time::Duration};
//! # use link::{Link, Options, Target};
//! use redis_two_level_cache::{Cache, Loader, Mode};
//!
//! struct Names;
//!
//! impl Loader for Names {
//!     type Key = u64;
//!     type Value = String;
//!     type Error = Infallible;
//!
//!     async fn load(&self, id: &u64) -> Result<Option<String>, Infallible> {
//!         Ok(Some(format!("name of {id}, from the database")))
//!     }
//! }
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let link = Link::connect(&Target::parse("redis://127.0.0.1")?, Options::default()).await?;
//! let names = Cache::builder("name", link, Names)
//!     .mode(Mode::LogicalExpiry)
//!     .soft_ttl(Duration::from_secs(300))
//!     .build()?;
//! let name = names.get(&7).await?;
//! // After the row was changed, and its transaction committed:
//! names.invalidate(&7).await?;
//! # Ok(()) }
//! ```
//!
//! # How it works
//! **A hit in memory** costs no command and allocates nothing: a look-up, a clock, a counter. (The upkeep of the map does
//! allocate, once in a hundred hits or so.)
//!
//! **A miss** starts a task (a *flight*) that all readers of that key in the process join. Since it is nobody's own, a
//! reader that gives up takes nobody along. The flight reads Redis; if there is nothing fresh, it asks for the *lease*
//! of the key, and who gets it loads. The others do what the [`Mode`] says: wait, load for themselves, or go on with the
//! old value, which stays beside the lease until it is replaced.
//!
//! **A fill** is refused if the lease is gone, and [`Cache::invalidate`] takes it away. So what was read before a change
//! is never stored after it; it is handed to those who asked before the change, and to nobody else. With a
//! [version](Loader::version) in the rows a fill is also refused if something newer is stored or was announced, which
//! covers loaders that read old data *after* the change.
//!
//! **Memory** is kept honest by Redis itself, which tells every process which keys were written, expired or evicted
//! (client-side caching in broadcast mode, on a connection of its own). An answer that a message overtook is not kept.
//! When the connection is lost nothing in memory is trusted any more, and until it is back entries live for
//! [a second](Builder::l1_blind_ttl).
//!
//! **Expiry** has two stages. After the soft one the value is replaced, after the hard one it is gone. In between it
//! covers for a loader that is slow or fails. Shortly before the soft one a reader refreshes it by chance (XFetch),
//! through the same lease, so that popular values do not expire at all. Lifetimes are shortened at random, so entries that
//! were written together do not end together.
//!
//! **Absent rows** are remembered too, more briefly; [`BloomGuard`] turns away ids that never existed before anything is
//! asked or stored.
//!
//! # How it fails
//! | what happens | what readers see |
//! |---|---|
//! | Redis is away | the loader's values, one load per key and process, at most so many at once; kept for a second |
//! | Redis stalls | the same, after at most three timeouts: a breaker then probes twice a second |
//! | Redis is flushed | a slower read each, and one load per key in the cluster |
//! | the loader fails or is slow | the old value until its hard expiry, and the loader is left alone for a second; without one, the error |
//! | the loader panics | [`CacheError::Abandoned`], for all who waited |
//! | the process that loads dies | a wait of at most three seconds: its lease is not renewed, another one gets it |
//! | messages are lost | nothing, once the loss is known: within a heartbeat and a response timeout of the link |
//! | the row changes while it is loaded | who asked before may get the old one, once |
//! | an entry cannot be decoded | a miss |
//!
//! # What the caller must do
//! - Call [`Cache::invalidate`] **after** the commit, and repeat it until it succeeds: from an outbox row of the same
//!   transaction, or from the database's log. The direct call makes it quick, the outbox makes it sure. Repeating is harmless.
//! - Load from where commits are visible at once; a lagging replica needs [`Loader::version`] and
//!   [`Cache::invalidate_older`].
//!
//! # What it cannot do
//! A change is seen by other processes when the message arrives, not with the commit; this is a cache and not a lock. A
//! failover that loses acknowledged writes may bring back an invalidated entry, which then lives to its soft expiry, unless
//! the invalidation is repeated. With Redis and the loader both away the last value known is served within its
//! hard TTL, even if it was invalidated elsewhere meanwhile. The first two want a soft TTL that one can live with; for the
//! third a hard TTL equal to the soft one turns it off.

mod bloom;
mod breaker;
mod builder;
mod cache;
mod early;
mod entry;
mod error;
mod flight;
mod keys;
mod lead;
mod listener;
mod load;
mod loader;
mod memory;
mod meter;
mod remote;
mod settings;
mod shared;
mod trip;

pub use bloom::{BloomGuard, BloomOptions, Ids};
pub use builder::Builder;
pub use cache::{Cache, Read};
pub use error::CacheError;
pub use loader::{Key, Loader, Rows};
pub use meter::Stats;
pub use settings::{BadSettings, Mode};
