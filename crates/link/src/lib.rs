//! One handle to Redis in any shape: standalone, TLS, unix socket, Sentinel, Cluster.

mod backoff;
mod dial;
mod error;
mod link;
mod node;
mod options;
mod script;
mod target;

pub use error::{Cause, Fate, LinkError};
pub use link::Link;
pub use options::{Identity, Options, Tls};
pub use script::Script;
pub use target::{BadTarget, Target};
