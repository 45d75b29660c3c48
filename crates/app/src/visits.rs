//! Visits: how often the site's pages are seen and by how many people, per page and day.
//!
//! A page that was answered is a [`PageView`]. The request hands it to the [`VisitCounter`] and goes its way: the queue is
//! bounded and is never waited for. A few times a second the [`VisitIntake`] adds up what is in it and tells Redis, in a
//! handful of round trips however much there is. A day that is over is folded into SQL by one process of the site.
//!
//! | what happens | what becomes of the figures |
//! |---|---|
//! | more page_views than the queue holds | the rest is not counted; `tandian_visits_lost_total` says how many |
//! | Redis is away or slow | what was seen meanwhile is not counted; requests do not notice |
//! | Redis is flushed | the figures of the days that SQL does not have yet begin anew |
//! | SQL is away, or no process runs | days wait in Redis for up to 90 days and are folded later |
//! | the process is told to stop | everything seen is counted first; `kill -9` costs the last moment |
//!
//! Nothing personal is kept. A visitor is the account of a live session, or else the address and browser; of either only
//! a hash reaches Redis, under a salt that ends with the day, and there only a sketch that cannot be read back.

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
