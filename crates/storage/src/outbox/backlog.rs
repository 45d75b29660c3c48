//! The size, age and failures of the outbox: for metrics and `doctor`.

use std::time::Duration;

use jiff::Timestamp;
use sea_orm::FromQueryResult;

use super::lane::{FIRST_DEAD_STATE, Lane, RetryState};
use crate::{Db, Error, time};

/// The pending rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Pending rows, without dead-lettered ones.
    pub count: u64,
    /// How many of them were deferred: attempted and not completed.
    pub failing: u64,
    /// The highest number of failed attempts.
    pub most_attempts: u64,
    /// Dead-lettered rows.
    pub dead: u64,
    pub oldest_age: Duration,
}

/// The backlog of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneBacklog {
    pub lane: Lane,
    pub backlog: Backlog,
}

/// All lanes together.
pub async fn backlog(db: &Db, now: Timestamp) -> Result<Backlog, Error> {
    let lanes = backlog_by_lane(db, now).await?;
    let all = lanes.iter().map(|lane| lane.backlog);
    Ok(all.fold(Backlog::default(), Backlog::and))
}

/// The lanes that hold rows.
pub async fn backlog_by_lane(db: &Db, now: Timestamp) -> Result<Vec<LaneBacklog>, Error> {
    let (fresh, deferred) = (RetryState::Fresh.code(), RetryState::Deferred.code());
    let is_pending = format!("state < {FIRST_DEAD_STATE}");
    let sql = format!(
        "SELECT lane, COUNT(CASE WHEN {is_pending} THEN 1 END) AS waiting, \
         COUNT(CASE WHEN state = {deferred} OR (state = {fresh} AND attempts > 0) THEN 1 END) \
            AS failing, \
         MAX(CASE WHEN {is_pending} THEN attempts ELSE 0 END) AS most_attempts, \
         COUNT(CASE WHEN state >= {FIRST_DEAD_STATE} THEN 1 END) AS dead, \
         MIN(CASE WHEN {is_pending} THEN create_time END) AS oldest FROM tb_outbox GROUP BY lane"
    );
    let count = Counted::find_by_statement(db.statement(&sql)).all(db.reader());
    let counted = db.run("count outbox", count).await?;
    Ok(counted.iter().map(|lane| lane.at(now)).collect())
}

#[derive(FromQueryResult)]
struct Counted {
    lane: i16,
    waiting: i64,
    failing: i64,
    most_attempts: i64,
    dead: i64,
    oldest: Option<chrono::NaiveDateTime>,
}

impl Counted {
    fn at(&self, now: Timestamp) -> LaneBacklog {
        let count = |counted: i64| u64::try_from(counted).unwrap_or(0);
        // With another machine's clock a row may seem to come from the future: its age is zero.
        let age = |oldest| Duration::try_from(now.duration_since(time::from_sql(oldest))).ok();
        LaneBacklog {
            lane: Lane::from_code(self.lane),
            backlog: Backlog {
                count: count(self.waiting),
                failing: count(self.failing),
                most_attempts: count(self.most_attempts),
                dead: count(self.dead),
                oldest_age: self.oldest.and_then(age).unwrap_or_default(),
            },
        }
    }
}

impl Backlog {
    fn and(self, other: Self) -> Self {
        Self {
            count: self.count + other.count,
            failing: self.failing + other.failing,
            most_attempts: self.most_attempts.max(other.most_attempts),
            dead: self.dead + other.dead,
            oldest_age: self.oldest_age.max(other.oldest_age),
        }
    }
}
