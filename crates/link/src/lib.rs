//! One handle to Redis in any shape: standalone, TLS, unix socket, Sentinel, Cluster.

mod backoff;
mod blocking;
mod cluster;
mod dial;
mod error;
mod link;
mod node;
mod options;
mod push;
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
