//! Brings along what the original kept in Redis alone, and writes it to SQL.
//!
//! | key | becomes |
//! |---|---|
//! | `blog:liked:<note>` | rows of `tb_blog_like`; the note's number stays, or rises to the rows |
//! | `follows:<user>` | rows of `tb_follow` that are missing there |
//! | `sign:<user>:<yyyyMM>` | rows of `tb_sign` |
//! | `uv:…:<yyyyMMdd>`, `pv:…` | the totals of that day in `tb_visit` |
//! | `stream.orders` | orders that were accepted and are not in SQL; see [`orders`] |
//!
//! Everything else is derived or short-lived and is counted by kind. The other Redis is only read, some keys at a time,
//! so its size does not matter. Every write adds what is missing, so a run that was cut off is simply repeated. After a
//! complete run a repetition must be asked for: a like or follow that a person took back since then would return.

mod counts;
mod orders;
mod people;
mod visits;

use std::collections::{BTreeMap, BTreeSet};

use domain::VoucherId;
use kv::{FoundKey, LeftBehind, OriginalKey, OriginalRedis};
use link::Link;
use storage::redis_import;
use thiserror::Error;

pub use counts::Counts;
use orders::OpenOrders;
pub use orders::{OrdersReport, UnwrittenOrder};

use crate::{App, OnProgress, Progress};

/// Names of keys that are listed; more are counted.
const LISTED_KEYS: usize = 50;

/// How much an import may change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportMode {
    /// Reads and counts, and writes nothing.
    DryRun,
    /// Writes; refused after a complete run.
    Write,
    /// Writes, also after a complete run.
    WriteAgain,
}

/// What an import found and did.
#[derive(Clone, Debug, Default)]
pub struct RedisReport {
    pub keys: u64,
    pub likes: Counts,
    pub follows: Counts,
    pub check_ins: Counts,
    /// Days and pages.
    pub visits: Counts,
    pub orders: OrdersReport,
    pub left_behind: BTreeMap<LeftBehind, u64>,
    /// Keys whose name or type is not understood.
    pub unknown: u64,
    /// Some of their names.
    pub unknown_names: BTreeSet<String>,
}

#[derive(Debug, Error)]
pub enum RedisImportError {
    #[error(
        "a Cluster cannot be scanned as a whole: name each of its masters in turn, as redis://host:port, from the second on \
         with --redis-again"
    )]
    Cluster,
    #[error(
        "the original's Redis was brought along at {0} UTC: again, likes and follows that people took back since then \
         would return (--redis-again)"
    )]
    Repeated(String),
    #[error("the original's Redis could not be read")]
    Original(#[from] kv::Error),
    #[error("the import stopped: repeat it to go on")]
    Site(#[from] crate::Error),
}

impl From<storage::Error> for RedisImportError {
    fn from(error: storage::Error) -> Self {
        Self::Site(error.into())
    }
}

/// Reads the Redis behind `original` and writes what is missing to SQL.
pub async fn import(
    app: &App,
    original: &Link,
    mode: ImportMode,
    progress: OnProgress<'_>,
) -> Result<RedisReport, RedisImportError> {
    let original = OriginalRedis::new(original.clone()).ok_or(RedisImportError::Cluster)?;
    if mode == ImportMode::Write
        && let Some(at) = redis_import::redis_imported_at(app.db()).await?
    {
        return Err(RedisImportError::Repeated(at));
    }
    let mut import = Import {
        app,
        writes: mode != ImportMode::DryRun,
        total_keys: original.count_keys().await?,
        original,
        progress,
        report: RedisReport::default(),
        streams: Vec::new(),
        buyers: Vec::new(),
        open_orders: OpenOrders::default(),
    };
    let mut cursor = Some(0);
    while let Some(from) = cursor {
        let part = import.original.scan(from).await?;
        for key in &part.items {
            import.take(key).await?;
        }
        cursor = part.next;
        import.show("keys", import.report.keys, import.total_keys);
    }
    import.take_sales().await?;
    import.finish().await
}

struct Import<'a> {
    app: &'a App,
    original: OriginalRedis,
    /// Whether this is more than a dry run.
    writes: bool,
    total_keys: u64,
    progress: OnProgress<'a>,
    report: RedisReport,
    /// Read last, and before the buyers, whom their orders explain.
    streams: Vec<FoundKey>,
    /// A set per flash sale.
    buyers: Vec<(FoundKey, VoucherId)>,
    open_orders: OpenOrders,
}

impl Import<'_> {
    async fn take(&mut self, key: &FoundKey) -> Result<(), RedisImportError> {
        // Deleted since it was listed.
        if key.kind == "none" {
            return Ok(());
        }
        self.report.keys += 1;
        match (OriginalKey::parse(&key.name), key.kind.as_str()) {
            (OriginalKey::Likes(note), "zset" | "set") => self.take_likes(key, note).await,
            (OriginalKey::Follows(user), "set") => self.take_follows(key, user).await,
            (OriginalKey::CheckIns(user, month), "string") => {
                self.take_check_ins(key, user, month).await
            }
            (OriginalKey::Visitors { page, day }, "string") => {
                self.take_visitors(key, &page, day).await
            }
            (OriginalKey::Views { page, day }, "string") => self.take_views(key, &page, day).await,
            (OriginalKey::OrderStream, "stream") => {
                self.streams.push(key.clone());
                Ok(())
            }
            (OriginalKey::Buyers(voucher), "set") => {
                self.buyers.push((key.clone(), voucher));
                Ok(())
            }
            (OriginalKey::LeftBehind(kind), _) => {
                *self.report.left_behind.entry(kind).or_default() += 1;
                Ok(())
            }
            _ => {
                self.list_unknown(key);
                Ok(())
            }
        }
    }

    /// Called after every round trip: one key may hold millions.
    fn show(&mut self, what: &'static str, done: u64, total: u64) {
        let total = total.max(done);
        (self.progress)(Progress { what, done, total });
    }

    async fn take_sales(&mut self) -> Result<(), RedisImportError> {
        for stream in std::mem::take(&mut self.streams) {
            self.take_orders(&stream).await?;
        }
        for (key, voucher) in std::mem::take(&mut self.buyers) {
            self.take_buyers(&key, voucher).await?;
        }
        Ok(())
    }

    fn list_unknown(&mut self, key: &FoundKey) {
        self.report.unknown += 1;
        if self.report.unknown_names.len() < LISTED_KEYS {
            let name = String::from_utf8_lossy(&key.name)
                .escape_debug()
                .to_string();
            let name: String = name.chars().take(80).collect();
            self.report
                .unknown_names
                .insert(format!("{name} ({})", key.kind));
        }
    }

    async fn finish(self) -> Result<RedisReport, RedisImportError> {
        if self.writes {
            if self.report.likes.added > 0 {
                crate::notes::rank_again(self.app).await?;
            }
            let detail = self.report.summary();
            redis_import::mark_redis_imported(self.app.db(), &detail).await?;
            self.app.outbox().wake();
        }
        Ok(self.report)
    }
}

impl RedisReport {
    fn summary(&self) -> String {
        format!(
            "likes {}, follows {}, check-ins {}, visits {}, orders {}",
            self.likes.added,
            self.follows.added,
            self.check_ins.added,
            self.visits.added,
            self.orders.added
        )
    }
}
