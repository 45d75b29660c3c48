//! Distributed locks on Redis: one holder at a time, who is told when that ends, with a number that lets the protected
//! resource check it.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use link::{Link, Options, Target};
//! use redis_locks::Locks;
//!
//! let target = Target::parse("redis://127.0.0.1")?;
//! let locks = Locks::new(Link::connect(&target, Options::default()).await?);
//!
//! let guard = locks.mutex("report 2026-07").lock().await?;
//! let report = guard.protect(build_report()).await?;
//! store(report, guard.fence());
//! guard.release().await?;
//! # Ok(()) }
//! # async fn build_report() {}
//! # fn store(_report: (), _fence: redis_locks::Fence) {}
//! ```
//!
//! # What there is
//! | | holders | order |
//! |---|---|---|
//! | [`Mutex`] | one | in turns by process, in order inside each |
//! | [`FairMutex`] | one | strictly that of asking |
//! | [`RwLock`] | many readers or one writer | strictly that of asking, so no side starves |
//! | [`Semaphore`] | a bounded number | strictly that of asking |
//! | [`MultiLock`] | one | all of several locks, or a majority of independent nodes |
//!
//! All of them give a [`Guard`] (or [`MultiGuard`]). The guard is the owner: it may be moved to another task, cloned to
//! enter again, dropped anywhere. [`Term`] says how long a grant lasts: by default 30 seconds, renewed every ten for as
//! long as the guard lives.
//!
//! # How it works
//! **A grant** is a script call. It names a token of 128 random bits; asking again with the same token gives the same
//! answer, so a request whose answer was lost is repeated, never guessed. The server remembers for a while which tokens
//! have ended, so a late copy of a request takes nothing, and a repeated release knows that it was one.
//!
//! **A [`Fence`]** comes with each grant, above all before it. The last check belongs to the resource: a lease can be
//! outlived by whoever holds it, if its process is stopped for long enough.
//!
//! **Loss.** The holder's deadline counts from before its last successful request, on a clock that never goes back, and
//! lies a twentieth of the lease before the server's. At the deadline, or when the server says so, [`Guard::lost`] is
//! cancelled with a [`LostReason`]. That needs no server. A renewal that fails is repeated until the deadline.
//!
//! **Waiting.** Who is refused takes a place in line by the same script call. Who releases hands the lock to the head
//! of the line and wakes that one process, by a message on the one subscription it has for all locks. The waiter
//! confirms with a request of its own, because only that gives it a deadline; if it does not within two seconds, the
//! lock goes on. Messages may be lost: a waiter asks at least once a second anyway.
//!
//! **Inside a process** the tasks that want a mutex wait in a line of their own, and one of them acts for all. A lease
//! goes from task to task without a round trip, each with the next of the 64 fences that came with it. After 50 ms, or
//! when the fences are used up, Redis is asked whether others wait.
//!
//! **The end.** Dropping a guard puts its token into a queue, which a task works off; so it may happen outside a
//! runtime, in a panic, or while a future is cancelled. [`Locks::shutdown`] waits for that queue.
//!
//! # How it fails
//! | what happens | what follows |
//! |---|---|
//! | the holder's process dies | the lock is free when the lease ends, and the next in line has it at once |
//! | the holder's process is stopped and goes on later | it is told at once; until it listens, its fence is refused |
//! | Redis does not answer | holders keep the lock until their deadline; acquisitions go on for ten seconds |
//! | a reply is lost | the request is repeated; the outcome is that of the first |
//! | Redis is restarted, with an append-only file | everything is as before |
//! | Redis forgets (failover, flush, eviction) | holders are told at the next renewal; others may have the lock before; fences still grow |
//! | messages are lost, or publishing is forbidden | waiters find out by polling |
//! | a waiter dies | its place in line is skipped after five seconds |
//! | the machine sleeps | clocks of most systems stand still meanwhile, so the holder is told late: fences |
//!
//! What it cannot do: make two holders impossible. With asynchronous replication a failover may lose a grant, and a
//! paused holder cannot be told. In both cases the older holder has the lower fence.

mod claim;
mod core;
mod desk;
mod error;
mod fair;
mod fence;
mod guard;
mod lease;
mod limits;
mod listener;
mod locks;
mod meter;
mod multi;
mod mutex;
mod releaser;
mod retry;
mod rw;
mod seat;
mod semaphore;
mod site;
mod term;
mod token;
mod warden;

pub use error::{Error, LostReason};
pub use fair::FairMutex;
pub use fence::{Fence, FenceRejected};
pub use guard::Guard;
pub use locks::{Locks, Options};
pub use multi::{MultiGuard, MultiLock};
pub use mutex::Mutex;
pub use rw::RwLock;
pub use semaphore::Semaphore;
pub use term::Term;

/// The examples of the README, which must compile like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
