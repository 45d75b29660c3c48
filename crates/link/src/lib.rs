//! One handle to Redis in any shape: standalone, TLS, unix socket, Sentinel, Cluster.
//!
//! ```
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let server = testkit::Redis::start().await;
//! # let url = server.url();
//! use redis_link::{Link, Options, Script, Target};
//!
//! static ADD: Script = Script::new("return redis.call('INCRBY', KEYS[1], ARGV[1])");
//!
//! // Such as redis-sentinel://10.0.0.1,10.0.0.2,10.0.0.3/mymaster.
//! let target = Target::parse(&url)?;
//! let link = Link::connect(&target, Options::default()).await?;
//! link.run::<()>(redis::cmd("SET").arg("stock").arg(5)).await?;
//! let left: i64 = link.eval(&ADD, &["stock"], -1).await?;
//! assert_eq!(left, 4);
//! # Ok(()) }
//! ```
//!
//! A program that has a client of the `redis` crate, or a connection, makes a link of it: [`Link::from_client`],
//! [`Link::from_connection`].
//!
//! # How it works
//! A [`Target`] is the address of Redis, [`Options`] bound every wait, a [`Link`] is the handle that callers clone. There are
//! three kinds of connections, because they would block each other:
//!
//! - **Commands** of all callers share one connection per master and are pipelined automatically.
//! - A **[`Subscription`]** has one connection per master.
//! - **[`Blocking`]** reads have one connection each.
//!
//! A task owns every shared connection: it connects, sends heartbeats, follows the master that the sentinels name, and
//! reconnects with back-off, up to half a second. In a Cluster another task keeps the slot map current; a command goes to
//! the master of its first key, so all its keys must share a slot (a `{tag}` in their names). A plain pipeline may span
//! slots: it is split by master, and its replies are merged.
//!
//! # How it fails
//! A command is sent at most once and repeated only if a server replied that it did not run it, so a [`LinkError`] states
//! whether it was executed ([`LinkError::execution`]):
//!
//! | what happens | what the caller gets |
//! |---|---|
//! | Redis is down | `Unreachable`, at once; not executed |
//! | a connection is being opened | a wait for its outcome, at most the response timeout |
//! | Redis is up again | commands work again within about half a second |
//! | the connection breaks, or no reply comes | `Lost` or `TimedOut`: may have been executed, may still be |
//! | a peer vanishes silently | the first command times out; a heartbeat detects an idle dead connection |
//! | Redis stalls | time-outs, then `Unreachable`; beyond `max_in_flight` commands `Saturated` |
//! | a script is not cached (restart, failover, `SCRIPT FLUSH`) | no error: it is sent again with its source |
//! | a master fails behind sentinels | `Unreachable` until another is elected, which is then used within a heartbeat |
//! | a demoted master still replies | the link leaves it at the first `READONLY`, or at the next heartbeat |
//! | a master of a Cluster fails | errors for its keys alone, until a replica takes over and the map shows it |
//! | slots move | no error for single keys; `TRYAGAIN` for several keys of which some have moved |
//! | pushes are lost | [`Event::Disconnected`], and [`Event::Connected`] once delivery is complete again |
//!
//! What it cannot do: a master that fails may lose acknowledged writes, and during a network partition an old master
//! accepts writes until the heartbeat finds that the sentinels name another. A caller that cannot tolerate that needs
//! `WAIT`, or a check at the resource.
//!
//! # TLS
//! Is the feature `tls`, which is off by default: without it neither rustls nor ring is compiled, and a URL that asks for TLS
//! is [`BadTarget::NoTls`]. With it, each connection names ring as its crypto provider; no provider is installed for the
//! process, and the one that the program has installed is neither needed nor used.
//!
//! Needs Redis 6, for RESP3; in a Cluster Redis 7, for sharded channels.

#![deny(missing_docs)]

mod blocking;
mod cluster;
mod connection;
mod dial;
mod error;
mod given;
mod heartbeat;
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
#[cfg(feature = "tls")]
mod tls;

pub use blocking::Blocking;
pub use error::{Cause, Execution, LinkError};
pub use link::Link;
pub use options::{Identity, Options, Tls};
pub use push::{Channels, Event, Interest, Subscription};
pub use script::Script;
pub use target::{BadTarget, Target};

/// The examples of the README, which must run like any other.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
