//! Read-only copies of the database, for reads that tolerate lag.
//!
//! Reads rotate over the replicas. A replica that fails is skipped for a while and the primary answers instead: a
//! replica that is down or lacks the newest tables costs latency, never a failed read.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use sea_orm::{DatabaseConnection, FromQueryResult, Statement};
use tokio::time::Instant;

use super::{Backend, Db, DbOptions, mysql};
use crate::Error;

/// How long a failed replica is skipped.
const FAILURE_PAUSE: Duration = Duration::from_secs(5);

pub(super) struct Replicas {
    replicas: Vec<Replica>,
    next: AtomicUsize,
}

pub(super) struct Replica {
    connection: DatabaseConnection,
    opened_at: Instant,
    /// Milliseconds after `opened_at`; 0 while healthy.
    paused_until_ms: AtomicU64,
}

impl Replicas {
    /// Connects lazily: a replica that is down at startup is handled like one that fails later.
    pub(super) fn open(backend: Backend, options: &DbOptions) -> Result<Self, Error> {
        if backend == Backend::Sqlite && !options.read_urls.is_empty() {
            let reason = "a SQLite file has no read-only copies".to_owned();
            return Err(Error::BadUrl { reason });
        }
        let replicas: Result<Vec<_>, Error> = options
            .read_urls
            .iter()
            .map(|url| Replica::open(url, options))
            .collect();
        Ok(Self {
            replicas: replicas?,
            next: AtomicUsize::new(0),
        })
    }

    /// The next replica that is not paused.
    fn next(&self) -> Option<&Replica> {
        let count = self.replicas.len();
        let first = self.next.fetch_add(1, Ordering::Relaxed);
        (0..count)
            .map(|n| &self.replicas[first.wrapping_add(n) % count])
            .find(|replica| !replica.is_paused())
    }

    pub(super) fn connections(&self) -> impl Iterator<Item = &DatabaseConnection> {
        self.replicas.iter().map(|replica| &replica.connection)
    }
}

impl Replica {
    fn open(url: &str, options: &DbOptions) -> Result<Self, Error> {
        if Backend::of_url(url)? != Backend::MySql {
            let reason = "a read-only copy must be a MySQL server".to_owned();
            return Err(Error::BadUrl { reason });
        }
        let options = DbOptions {
            url: url.to_owned(),
            ..options.clone()
        };
        Ok(Self {
            connection: mysql::reader(&mysql::open(&options)?),
            opened_at: Instant::now(),
            paused_until_ms: AtomicU64::new(0),
        })
    }

    fn is_paused(&self) -> bool {
        self.now_ms() < self.paused_until_ms.load(Ordering::Relaxed)
    }

    fn pause(&self, error: &Error) {
        let until = self.now_ms() + u64::try_from(FAILURE_PAUSE.as_millis()).unwrap_or(u64::MAX);
        self.paused_until_ms.store(until, Ordering::Relaxed);
        tracing::warn!(
            error = error as &dyn std::error::Error,
            "read replica failed, the primary answers"
        );
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.opened_at.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Db {
    /// Runs a read that tolerates lag: on a healthy replica, else on the primary.
    ///
    /// A replica gets `acquire_timeout`, so that a hanging one leaves time for the primary.
    pub(crate) async fn read_from_replica<R: FromQueryResult>(
        &self,
        operation: &'static str,
        statement: Statement,
    ) -> Result<Vec<R>, Error> {
        if let Some(replica) = self.pools.replicas.next() {
            let read = R::find_by_statement(statement.clone()).all(&replica.connection);
            let limit = self.options().acquire_timeout;
            match super::with_timeout(limit, operation, read).await {
                Ok(rows) => return Ok(rows),
                Err(error) => replica.pause(&error),
            }
        }
        let read = R::find_by_statement(statement).all(self.reader());
        self.run(operation, read).await
    }
}
