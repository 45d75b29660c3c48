//! Cache-aside over two levels: memory, Redis, then the loader.

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
mod trip;

pub use bloom::{BloomGuard, BloomOptions, Ids};
pub use builder::Builder;
pub use cache::{Cache, Read};
pub use error::CacheError;
pub use loader::{Key, Loader, Rows};
pub use meter::Stats;
pub use settings::{BadSettings, Mode};
