//! Variant 4. The session in Redis, a copy in memory, and Redis invalidates changed copies (client-side tracking).
//!
//! Redis notifies every process of every change. While a process is disconnected, it uses no copy. A reply that was in
//! flight while something changed is not cached, or it would be cached after its own invalidation.
//! (`crates/kv/src/session_cache.rs` is this with bounds and shards.)

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use anyhow::Result;
use link::{Event, Interest, Link, Subscription};
use moka::sync::Cache;
use tokio_util::task::AbortOnDropHandle;

use super::Sessions;
use super::redis_session::{PREFIX, RedisSession};

const COPIES: u64 = 10_000;
const COPY_LIFETIME: Duration = Duration::from_secs(60);

pub(super) struct Tracked {
    shared: RedisSession,
    copies: Arc<Copies>,
    _listener: AbortOnDropHandle<()>,
}

struct Copies {
    users: Cache<String, i64>,
    is_hearing: AtomicBool,
    /// Counts invalidations.
    changes: AtomicU64,
}

impl Sessions for Tracked {
    async fn start(link: Link) -> Result<Self> {
        let users = Cache::builder().max_capacity(COPIES);
        let copies = Arc::new(Copies {
            users: users.time_to_live(COPY_LIFETIME).build(),
            is_hearing: AtomicBool::new(true),
            changes: AtomicU64::new(0),
        });
        let mut pushes = link.subscribe(Interest::keys([PREFIX]));
        while pushes.next().await != Event::Connected {}
        let listener = tokio::spawn(listen(pushes, copies.clone()));
        Ok(Self {
            shared: RedisSession::start(link).await?,
            copies,
            _listener: AbortOnDropHandle::new(listener),
        })
    }

    async fn sign_in(&self, user: i64) -> Result<String> {
        self.shared.sign_in(user).await
    }

    async fn who(&self, token: &str) -> Result<Option<i64>> {
        if self.copies.is_hearing.load(Ordering::SeqCst)
            && let Some(user) = self.copies.users.get(token)
        {
            return Ok(Some(user));
        }
        let changes = self.copies.changes.load(Ordering::SeqCst);
        let found = self.shared.who(token).await?;
        if let Some(user) = found {
            self.copies.users.insert(token.to_owned(), user);
            if self.copies.changes.load(Ordering::SeqCst) != changes {
                self.copies.users.invalidate(token);
            }
        }
        Ok(found)
    }

    async fn sign_out(&self, token: &str) -> Result<()> {
        self.shared.sign_out(token).await?;
        self.copies.users.invalidate(token);
        Ok(())
    }
}

async fn listen(mut pushes: Subscription, copies: Arc<Copies>) {
    loop {
        let event = pushes.next().await;
        copies.changes.fetch_add(1, Ordering::SeqCst);
        match event {
            Event::Invalidated(keys) => {
                for key in keys {
                    let key = String::from_utf8_lossy(&key);
                    copies.users.invalidate(key.trim_start_matches(PREFIX));
                }
            }
            Event::Connected => copies.is_hearing.store(true, Ordering::SeqCst),
            Event::Disconnected => {
                copies.is_hearing.store(false, Ordering::SeqCst);
                copies.users.invalidate_all();
            }
            _ => copies.users.invalidate_all(),
        }
    }
}
