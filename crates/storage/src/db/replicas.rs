//! Read-only copies of the database, for reads that tolerate lag.
//!
//! They take turns. One that fails, for whatever reason, is passed over for a while and the primary answers instead:
//! a copy that is down, or that has not got the newest tables yet, costs speed and never an answer.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use sea_orm::{DatabaseConnection, FromQueryResult, Statement};
use tokio::time::Instant;

use super::{Backend, Db, DbOptions, mysql};
use crate::Error;

/// How long a copy that failed is left alone.
const REST: Duration = Duration::from_secs(5);

pub(super) struct Replicas {
    replicas: Vec<Replica>,
    turn: AtomicUsize,
}

pub(super) struct Replica {
    connection: DatabaseConnection,
    opened_at: Instant,
    /// Milliseconds after `opened_at`; 0 when nothing is wrong.
    rests_until_ms: AtomicU64,
}

impl Replicas {
    /// Nothing is connected yet: a copy that is down at the start is like one that goes down later.
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
            turn: AtomicUsize::new(0),
        })
    }

    /// The next one that is not resting.
    fn next(&self) -> Option<&Replica> {
        let count = self.replicas.len();
        let first = self.turn.fetch_add(1, Ordering::Relaxed);
        (0..count)
            .map(|n| &self.replicas[first.wrapping_add(n) % count])
            .find(|replica| !replica.is_resting())
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
            rests_until_ms: AtomicU64::new(0),
        })
    }

    fn is_resting(&self) -> bool {
        self.now_ms() < self.rests_until_ms.load(Ordering::Relaxed)
    }

    fn rest(&self, error: &Error) {
        let until = self.now_ms() + u64::try_from(REST.as_millis()).unwrap_or(u64::MAX);
        self.rests_until_ms.store(until, Ordering::Relaxed);
        tracing::warn!(
            error = error as &dyn std::error::Error,
            "a read-only database failed; the primary answers"
        );
    }

    fn now_ms(&self) -> u64 {
        u64::try_from(self.opened_at.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Db {
    /// Runs a read that tolerates lag: on a copy if there is one that works, else on the primary.
    ///
    /// A copy gets as long as a call may wait for a connection, so that one that hangs leaves time for the primary.
    pub(crate) async fn read_lagging<R: FromQueryResult>(
        &self,
        operation: &'static str,
        statement: Statement,
    ) -> Result<Vec<R>, Error> {
        if let Some(replica) = self.pools.replicas.next() {
            let read = R::find_by_statement(statement.clone()).all(&replica.connection);
            let limit = self.options().acquire_timeout;
            match super::within(limit, operation, read).await {
                Ok(rows) => return Ok(rows),
                Err(error) => replica.rest(&error),
            }
        }
        let read = R::find_by_statement(statement).all(self.reader());
        self.run(operation, read).await
    }
}
