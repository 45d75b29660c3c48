//! Distributed locks on Redis.
#![doc = "WIP"]

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
