//! One handle to Redis in any shape: standalone, TLS, unix socket, Sentinel, Cluster.
//!
//! ```no_run
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! use link::{Link, Options, Script, Target};
//!
//! static ADD: Script = Script::new("return redis.call('INCRBY', KEYS[1], ARGV[1])");
//!
//! let target = Target::parse("redis-sentinel://10.0.0.1,10.0.0.2,10.0.0.3/mymaster")?;
//! let link = Link::connect(&target, Options::default()).await?;
//! link.run::<()>(redis::cmd("SET").arg("stock").arg(5)).await?;
//! let left: i64 = link.eval(&ADD, &["stock"], -1).await?;
//! # Ok(()) }
//! ```
//!
//! # How it works
//! A [`Target`] says where Redis is, [`Options`] how long to wait for it, a [`Link`] is the handle everybody clones.
//! There are three kinds of connections, because they get in each other's way:
//!
//! - **Commands** of all callers share one connection per master, where they are pipelined by themselves.
//! - **[`Pushes`]** have one connection per master for each listener.
//! - **[`Blocking`]** reads have one connection each.
//!
//! A task keeps every shared connection: it dials, asks for signs of life, follows the master that the sentinels name,
//! and dials again with growing pauses, up to half a second. In a Cluster another task keeps the map of slots; a
//! command goes to the master of its first key, so all its keys must share a slot (a `{tag}` in their names). A plain
//! pipeline may span slots: it is split, and put together again.
//!
//! # How it fails
//! A command is handed to a connection at most once and repeated only if a server answered that it did not run it, so a
//! [`LinkError`] can say what became of it ([`LinkError::fate`]):
//!
//! | what happens | what the caller sees |
//! |---|---|
//! | Redis is away | `Unreachable`, at once: the keeper alone waits; certainly not executed |
//! | a connection is just being opened | a wait for its outcome, at most the response timeout |
//! | Redis comes back | commands work again within about half a second, without anybody's doing |
//! | the connection breaks, or no answer comes | `Lost` or `TimedOut`: may have been executed, may still be |
//! | a peer vanishes without a word | the first command times out; a heartbeat finds an idle connection dead |
//! | Redis stalls | time-outs, then `Unreachable`; beyond `max_in_flight` commands `Saturated` |
//! | a script is not known (restart, failover, `SCRIPT FLUSH`) | nothing: it is sent again with its source |
//! | a master fails behind sentinels | `Unreachable` until another is elected, which is then used within a heartbeat |
//! | a demoted master goes on answering | it is left at the first `READONLY`, or at the next heartbeat |
//! | a master of a Cluster fails | errors for its keys alone, until a replica takes over and the map shows it |
//! | slots move | nothing for single keys; `TRYAGAIN` for several keys of which some have moved |
//! | pushes are lost, for whatever reason | [`Event::Disconnected`], and [`Event::Connected`] once all are heard again |
//!
//! What it cannot do: a master that fails may take acknowledged writes along, and during a network split an old master
//! takes writes until the heartbeat finds the sentinels naming another. Whoever cannot bear that needs `WAIT`, or a
//! check at the resource.
//!
//! Needs Redis 6, for RESP3; in a Cluster Redis 7, for sharded channels.

mod blocking;
mod cluster;
mod dial;
mod error;
mod link;
mod node;
mod options;
mod push;
mod reconnect;
mod script;
mod sentinel;
mod servers;
mod slot;
mod target;

pub use blocking::Blocking;
pub use error::{Cause, Fate, LinkError};
pub use link::Link;
pub use options::{Identity, Options, Tls};
pub use push::{Channels, Event, Interest, Pushes};
pub use script::Script;
pub use target::{BadTarget, Target};
