//! Visits of pages: how often (PV) and by how many people (UV), per page and day.
//!
//! PV is a counter, UV a HyperLogLog: 12 kB for any number of visitors, off by less than 1 % as a rule. Beside them a set
//! names the pages of a day, and the hash `visits:days` the days that are *open*: counted, and not yet written to SQL in
//! full. Its value is a mark that rises with every batch. The fold of a day reads the mark first and closes the
//! day only if it has not moved, so a batch that comes late opens its day again and is folded too.
//!
//! A batch is one round trip. If its answer is lost it is not repeated, because it may have been counted: after trouble
//! with Redis a batch is missing, and never there twice.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::UserId;
use jiff::civil::Date;
use link::Script;

use crate::session_record::SessionRecord;
use crate::{Error, Kv, SessionHash};

static CLOSE_DAY: Script = Script::new(include_str!("lua/close_visit_day.lua"));

/// How long a day's figures outlive its last visit: as long as SQL may be away without losing any.
pub const VISITS_KEPT: Duration = Duration::from_secs(90 * 24 * 3600);
/// A salt is needed while its day is being counted, late batches included. After that, visitors cannot be distinguished.
const SALT_KEPT: Duration = Duration::from_secs(2 * 24 * 3600);
/// Pages per round trip: few enough that other commands do not wait long behind it.
const PAGES_PER_SCAN: usize = 500;

/// The visits to one page that one process counted since its last batch.
#[derive(Clone, Debug)]
pub struct PageVisits {
    pub page: String,
    pub views: u64,
    /// Anything that identifies visitors; only a sketch of it is kept.
    pub visitors: Vec<[u8; 16]>,
}

/// What a page came to on one day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VisitTotals {
    pub uv: u64,
    pub pv: u64,
}

/// Some of a day's pages, and where the rest begins.
#[derive(Clone, Debug)]
pub struct PagesOfDay {
    pub pages: Vec<String>,
    /// `None` after the last ones.
    pub next: Option<u64>,
}

/// How often a day was counted on, to be compared only.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DayMark(String);

impl Kv {
    /// The salt that all processes use on this day: the first one that was offered.
    pub async fn visit_salt(&self, day: Date, offered: &str) -> Result<String, Error> {
        let key = self.keys.visit_salt(day);
        let mut pipe = redis::pipe();
        pipe.cmd("SET").arg(&key).arg(offered).arg("NX");
        pipe.arg("EX").arg(SALT_KEPT.as_secs()).ignore();
        pipe.get(&key);
        let (salt,): (String,) = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("read the salt of a day"))?;
        Ok(salt)
    }

    /// Whose sessions these are; does not let them live longer.
    pub async fn find_users(&self, sessions: &[SessionHash]) -> Result<Vec<Option<UserId>>, Error> {
        if sessions.is_empty() {
            return Ok(Vec::new());
        }
        let records = self.read_session_records(sessions.iter()).await?;
        let user = |record: Option<Vec<u8>>| {
            let record = record?;
            let record = SessionRecord::parse(&record, self.session_stamp())?;
            Some(record.user_id)
        };
        Ok(records.into_iter().map(user).collect())
    }

    /// Adds a batch to the day's figures and leaves the day open.
    pub async fn count_visits(&self, day: Date, batch: &[PageVisits]) -> Result<(), Error> {
        let mut pipe = redis::pipe();
        let kept_secs = VISITS_KEPT.as_secs();
        let pages = self.keys.visited_pages(day);
        for visits in batch {
            pipe.sadd(&pages, &visits.page).ignore();
            let (uv, pv) = (
                self.keys.uv(&visits.page, day),
                self.keys.pv(&visits.page, day),
            );
            pipe.cmd("PFADD").arg(&uv);
            for visitor in &visits.visitors {
                pipe.arg(visitor.as_slice());
            }
            pipe.ignore();
            pipe.cmd("INCRBY").arg(&pv).arg(visits.views).ignore();
            for key in [&uv, &pv] {
                pipe.cmd("EXPIRE").arg(key).arg(kept_secs).ignore();
            }
        }
        pipe.cmd("EXPIRE").arg(&pages).arg(kept_secs).ignore();
        // Last, so that a reader of the new mark sees the figures as well.
        pipe.hincr(self.keys.visit_days(), day.to_string(), 1)
            .ignore();
        let counted = self.link.pipe(&pipe).await;
        counted.map_err(Error::during("count visits"))
    }

    /// The days that SQL does not have in full.
    pub async fn list_open_visit_days(&self) -> Result<BTreeMap<Date, DayMark>, Error> {
        let mut command = redis::cmd("HGETALL");
        command.arg(self.keys.visit_days());
        let days: Vec<(String, String)> = self
            .link
            .run(&command)
            .await
            .map_err(Error::during("list the days that are being counted"))?;
        let dated = |(day, mark): (String, String)| Some((day.parse().ok()?, DayMark(mark)));
        Ok(days.into_iter().filter_map(dated).collect())
    }

    /// The pages visited on a day, some at a time: begin at 0. A page may be named twice.
    pub async fn scan_visited_pages(&self, day: Date, cursor: u64) -> Result<PagesOfDay, Error> {
        let mut command = redis::cmd("SSCAN");
        command.arg(self.keys.visited_pages(day)).arg(cursor);
        command.arg("COUNT").arg(PAGES_PER_SCAN);
        let (next, pages): (u64, Vec<String>) = self
            .link
            .run(&command)
            .await
            .map_err(Error::during("list the pages of a day"))?;
        let next = (next != 0).then_some(next);
        Ok(PagesOfDay { pages, next })
    }

    /// The figures of pages on days, in the order given; zeros where there was no visit. One round trip.
    pub async fn get_visits(&self, places: &[(Date, &str)]) -> Result<Vec<VisitTotals>, Error> {
        if places.is_empty() {
            return Ok(Vec::new());
        }
        let mut pipe = redis::pipe();
        for (day, page) in places {
            pipe.cmd("PFCOUNT").arg(self.keys.uv(page, *day));
            pipe.get(self.keys.pv(page, *day));
        }
        let figures: Vec<Option<u64>> = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("read visits"))?;
        let totals = figures.chunks_exact(2).map(|figures| VisitTotals {
            uv: figures[0].unwrap_or(0),
            pv: figures[1].unwrap_or(0),
        });
        Ok(totals.collect())
    }

    /// Records that SQL has the day's total as of this mark. `false` if more was counted since.
    pub async fn close_visit_day(&self, day: Date, mark: &DayMark) -> Result<bool, Error> {
        let closed = self
            .link
            .eval(
                &CLOSE_DAY,
                &[&self.keys.visit_days()],
                &[&day.to_string(), &mark.0],
            )
            .await;
        closed.map_err(Error::during("close a day of visits"))
    }
}
