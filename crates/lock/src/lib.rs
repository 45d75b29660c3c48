//! Distributed locks on Redis: one holder at a time, notified when the lock is lost, with a fencing token that the protected
//! resource can check.
//!
//! ```
//! # #[tokio::main]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use redis_locks::{Locks, link::{Link, Options, Target}};
//!
//! let target = Target::parse("redis://127.0.0.1")?;
//! # let server = testkit::Redis::start().await;
//! # let target = Target::parse(&server.url())?;
//! let locks = Locks::new(Link::connect(&target, Options::default()).await?);
//!
//! let guard = locks.mutex("report 2026-07").lock().await?;
//! stamp(guard.fence());
//! let report = guard.protect(build_report()).await?;
//! store(report, guard.fence());
//! guard.release().await?;
//!
//! locks.shutdown(std::time::Duration::from_secs(2)).await;
//! # Ok(()) }
//! # async fn build_report() {}
//! # fn stamp(_fence: redis_locks::Fence) {}
//! # fn store(_report: (), _fence: redis_locks::Fence) {}
//! ```
//!
//! The [guide] has a page on tuning, metrics, and coming from Redisson, rslock or `SET NX`.
//!
//! # What there is
//! | | holders | order |
//! |---|---|---|
//! | [`Mutex`] | one | FIFO inside a process, in turns between processes |
//! | [`FairMutex`] | one | strictly in order of arrival |
//! | [`ReentrantMutex`] | one owner, any number of times, in any process | strictly in order of arrival |
//! | [`RwLock`] | many readers or one writer | strictly in order of arrival, so neither side starves |
//! | [`Semaphore`] | a bounded number | strictly in order of arrival |
//! | [`MultiLock`] | one | all of several locks, or a majority of independent nodes |
//!
//! All of them return a [`Guard`] (or [`MultiGuard`]). The guard is the owner: it may move to another task, be cloned to
//! re-enter, be dropped anywhere. [`Term`] decides how long a grant lasts: by default 30 seconds, renewed every ten while
//! the guard lives. [`Mutex::run_while_held`] runs a background job in one process of a cluster at a time.
//!
//! # How it works
//! **A grant** is one script call. It carries a token of 128 random bits; a repeated request with the same token gets the
//! same reply, so a request whose reply was lost is retried, never guessed. The server remembers for a while which tokens
//! have ended, so a late copy of a request acquires nothing, and a repeated release gets the outcome of the first.
//!
//! **A [`Fence`]** (fencing token) comes with each grant and is higher than all before it. The resource makes the last
//! check: a process that is paused for long enough outlives its lease. It refuses an older holder from the first write of a
//! newer one on, so a holder stamps the resource on entry.
//!
//! **Loss.** The holder's deadline counts from before its last successful request, on a monotonic clock, and lies a
//! twentieth of the lease before the server's. At the deadline, or when the server replies that the lock is lost,
//! [`Guard::lost`] is cancelled with a [`LostReason`]. The deadline needs no server. A failed renewal is retried until the
//! deadline. A lost guard keeps nobody from the lock, its own process included, however long it stays alive.
//!
//! **Waiting.** The same script call puts a refused caller into the queue. A release grants the lock to the head of the
//! queue and wakes that one process, by a message on its single subscription for all locks. The waiter confirms with a
//! request of its own, which sets its deadline; without it, the grant expires after two seconds and the next waiter gets
//! the lock. Wake-ups may be lost: a waiter also polls at least once a second.
//!
//! **Inside a process** the tasks that want a mutex wait in a local queue, and one of them acts for all. A lease passes from
//! task to task without a round trip, each with the next of the 64 fences that came with the grant. After 50 ms, or when
//! the fences are used up, Redis serves other waiting processes.
//!
//! **An uncontended lock** is two script calls with six commands inside. The release renames the lock to the mark that its
//! token has ended, and looks at the queue only if a note in the key of the last fence says that somebody may wait.
//!
//! **Renewals** of a process are due at the same times, and outside a Cluster those that are due together are one call.
//!
//! **Release.** Dropping a guard sends its token to a background task; so it may happen outside a runtime, in a panic, or
//! when a future is cancelled. A process that ends before that task has run leaves the lock for the rest of its lease:
//! [`Locks::shutdown`] waits for it.
//!
//! # How it fails
//! | what happens | effect |
//! |---|---|
//! | the holder's process dies | the lock is free when the lease ends, and the next waiter gets it at once |
//! | the holder's process is paused and continues later | it is notified at once; until then a resource that a newer holder has stamped refuses its fence |
//! | the holder's process ends right after it dropped the guard | the lock may stay until the lease ends, unless [`Locks::shutdown`] was awaited |
//! | Redis does not reply | holders keep the lock until their deadline; acquisitions are retried for ten seconds |
//! | a reply is lost | the request is retried; the outcome is that of the first |
//! | Redis restarts with an append-only file | no effect |
//! | Redis loses data (failover, flush, eviction) | holders are notified at the next renewal; others may get the lock before; fences still grow |
//! | wake-ups are lost, or publishing is forbidden | waiters poll |
//! | a waiter dies | it is skipped after five seconds |
//! | the machine sleeps | monotonic clocks of most systems stop, so the holder is notified late: use fences |
//!
//! **Versions side by side.** Keys and grants are the same with and without that note in the key of the last fence, so processes
//! of both versions exclude each other, and fences grow. A process that does not write the note may have to poll for a lock that
//! one with it releases: its waiters get it within a second instead of at once.
//!
//! What it cannot do: make two holders impossible. With asynchronous replication a failover may lose a grant, and a
//! paused holder cannot be notified. In both cases the older holder has the lower fence.

#![deny(missing_docs)]

mod acquisition;
mod core;
mod error;
mod fair;
mod fence;
mod guard;
mod holder;
mod lease;
mod limits;
mod local_queue;
mod locks;
mod meter;
mod multi;
mod mutex;
mod owner;
mod queued_lock;
mod reentrant;
mod releaser;
mod remote_lock;
mod renewals;
mod retry;
mod run_while_held;
mod rw;
mod semaphore;
mod term;
mod token;
mod wake_subscriber;
mod watchdog_scheduler;

/// What [`Guard::lost`] returns and [`Mutex::run_while_held`] takes.
pub use tokio_util::sync::CancellationToken;

/// The handle to Redis that [`Locks::new`] takes, and its errors.
pub use ::link;
pub use error::{BadMembers, Error, LostReason};
pub use fair::FairMutex;
pub use fence::{Fence, FenceRejected};
pub use guard::Guard;
pub use holder::Holder;
pub use locks::{Locks, Options};
pub use multi::{Member, MultiGuard, MultiLock};
pub use mutex::Mutex;
pub use owner::Owner;
pub use reentrant::ReentrantMutex;
pub use rw::RwLock;
pub use semaphore::Semaphore;
pub use term::Term;

/// The examples of the README, which must compile like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(any(doc, doctest))]
#[doc = include_str!("../GUIDE.md")]
pub mod guide {}
