//! Our data in Redis: login codes, tries of passwords, sessions, limits, places, notes, check-ins, visits. One file per noun; keys only in `keys.rs`.
//!
//! Whatever must be atomic is one Lua script over keys of one hash tag, so all of it runs on a cluster.
//! Every script is safe to repeat: a call whose answer was lost may be sent again.

mod bulk_sessions;
mod check_ins;
mod codes;
mod error;
mod feeds;
mod follows;
mod geo;
mod hash;
mod hot_notes;
mod idempotency;
mod keys;
mod limits;
mod note_likes;
mod original;
mod own_likes;
mod passwords;
mod sandbox_trades;
mod search_words;
mod session_cache;
mod session_extender;
mod session_memory;
mod session_prefetch;
mod session_reader;
mod session_record;
mod session_watch;
mod sessions;
mod site_signals;
mod tickets;
mod token_fingerprint;
mod visits;

use std::sync::{Arc, OnceLock};

use link::Link;

pub use bulk_sessions::BulkSession;
pub use check_ins::CHECK_INS_KEPT_MONTHS;
pub use codes::{CheckRefusal, CodeCaller, CodeLimits, IssueRefusal};
pub use error::Error;
pub use feeds::{FEED_LENGTH, FeedItem, FeedPart};
pub use geo::{GeoIndexEntry, Near, Placed};
pub use hot_notes::RankedNote;
pub use idempotency::{KeptAnswer, REQUESTS_KEPT, RequestBegun, RequestTurn};
pub use keys::Keys;
pub use limits::{Limit, OverLimit};
pub use note_likes::{Like, LikeShown};
pub use original::{
    Delivery, FoundKey, LeftBehind, Member, OriginalKey, OriginalRedis, Part, StreamEntry,
    StreamGroups, StreamOrder,
};
pub use own_likes::{OwnLike, OwnLikes};
pub use passwords::{PasswordCaller, PasswordLocked, PasswordTry};
pub use session_cache::SessionCache;
pub use session_watch::SessionWatch;
pub use sessions::{
    NewSession, Session, SessionHash, SessionLifetimes, SessionProfile, SessionSeen,
};
pub use site_signals::{SignalSubscriber, SiteSignal};
pub use visits::{DayMark, PageVisits, PagesOfDay, VISITS_KEPT, VisitTotals};

/// The Redis side of the site. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Kv {
    link: Link,
    keys: Keys,
    /// What sessions of this site and environment carry; see [`Kv::stamp_sessions`].
    stamp: Arc<OnceLock<String>>,
}

impl Kv {
    pub fn new(link: Link, prefix: &str) -> Self {
        Self {
            link,
            keys: Keys::new(prefix),
            stamp: Arc::default(),
        }
    }

    pub async fn ping(&self) -> Result<(), Error> {
        let pong = self.link.run(&redis::cmd("PING")).await;
        pong.map_err(Error::during("ping"))
    }
}
