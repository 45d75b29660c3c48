//! Visit counts: views and visitors per page and day.
//!
//! Each served page is a [`PageView`]. The request puts it into the queue of the [`VisitCounter`], which is bounded
//! and never blocks. A few times a second the [`VisitIntake`] sums up the queue and writes to Redis in a handful of
//! round trips. One process of the site folds finished days into SQL.
//!
//! | what happens | what becomes of the figures |
//! |---|---|
//! | the queue is full | further views are not counted; `tandian_visits_lost_total` counts them |
//! | Redis is unavailable or slow | views meanwhile are not counted; requests do not notice |
//! | Redis is flushed | the figures of days not yet in SQL restart from zero |
//! | SQL is unavailable, or no process runs | days wait in Redis for up to 90 days and are folded later |
//! | the process shuts down | the queue is flushed first; `kill -9` loses the last moment |
//!
//! No personal data is stored. A visitor is the account of a live session, or else the address and browser; only a
//! hash of either reaches Redis, under a salt that expires with the day, and there only as a HyperLogLog.

mod counter;
mod fold;
mod page;
mod report;
mod tally;
mod visitor;

pub use counter::{PageView, VisitCounter, VisitIntake, count, counter};
pub use fold::{fold_finished_days, run_folding};
pub use page::{UnknownPage, VisitedPage};
pub use report::{DayRange, DayVisits, InvalidRange, list};
