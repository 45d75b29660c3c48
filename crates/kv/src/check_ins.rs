//! Check-ins: a bitmap per person and month, bit `day - 1`; bit 31, which no day needs, marks a month that was loaded from SQL.
//!
//! Without that mark a month is not known, whatever other bits it has: `None`, and the caller loads it. Days are only ever
//! added, so a load and a check-in may meet in any order: neither takes away what the other set.

use domain::{DaysOfMonth, Month, UserId};
use jiff::civil::Date;

use crate::{Error, Kv};

/// So that a year ago is still there to compare with.
pub const CHECK_INS_KEPT_MONTHS: usize = 13;

const KEPT_SECS: u64 = CHECK_INS_KEPT_MONTHS as u64 * 31 * 24 * 3600;

/// Behind the last day a month can have.
const LOADED_BIT: u32 = 31;

impl Kv {
    /// Lets the bitmap show the day, whether its month is loaded or not.
    pub async fn show_check_in(&self, user: UserId, date: Date) -> Result<(), Error> {
        let key = self.keys.check_ins(user, Month::of(date));
        let mut pipe = redis::pipe();
        let offset = date.day().unsigned_abs() - 1;
        pipe.atomic()
            .cmd("SETBIT")
            .arg(&key)
            .arg(offset)
            .arg(1)
            .ignore();
        pipe.cmd("EXPIRE").arg(&key).arg(KEPT_SECS).ignore();
        let shown = self.link.pipe(&pipe).await;
        shown.map_err(Error::during("show a check-in"))
    }

    /// The days of each month, in the order given; `None` where SQL was not read yet. One round trip.
    pub async fn get_check_ins(
        &self,
        user: UserId,
        months: &[Month],
    ) -> Result<Vec<Option<DaysOfMonth>>, Error> {
        let mut pipe = redis::pipe();
        for month in months {
            let key = self.keys.check_ins(user, *month);
            pipe.cmd("BITFIELD_RO")
                .arg(key)
                .arg("GET")
                .arg("u32")
                .arg(0);
        }
        let found: Vec<(u32,)> = self
            .link
            .pipe(&pipe)
            .await
            .map_err(Error::during("read check-ins"))?;
        Ok(found.into_iter().map(|(bits,)| days_of(bits)).collect())
    }

    /// Has these months loaded anew.
    pub async fn forget_check_ins(&self, user: UserId, months: &[Month]) -> Result<(), Error> {
        let mut pipe = redis::pipe();
        for month in months {
            pipe.cmd("DEL")
                .arg(self.keys.check_ins(user, *month))
                .ignore();
        }
        let forgotten = self.link.pipe(&pipe).await;
        forgotten.map_err(Error::during("forget check-ins"))
    }

    /// Adds what SQL knows of a month and marks it as known.
    pub async fn load_check_ins(
        &self,
        user: UserId,
        month: Month,
        days: DaysOfMonth,
    ) -> Result<(), Error> {
        let key = self.keys.check_ins(user, month);
        let offsets = days
            .list()
            .into_iter()
            .map(|day| u32::from(day.unsigned_abs()) - 1);
        // One transaction: a mark whose days were flushed away in between would hide them for good.
        let mut pipe = redis::pipe();
        pipe.atomic();
        for offset in offsets.chain([LOADED_BIT]) {
            pipe.cmd("SETBIT").arg(&key).arg(offset).arg(1).ignore();
        }
        pipe.cmd("EXPIRE").arg(&key).arg(KEPT_SECS).ignore();
        let loaded = self.link.pipe(&pipe).await;
        loaded.map_err(Error::during("load check-ins"))
    }
}

/// Redis counts bits from the left, we from the right.
fn days_of(from_redis: u32) -> Option<DaysOfMonth> {
    let bits = from_redis.reverse_bits();
    let loaded = 1 << LOADED_BIT;
    (bits & loaded != 0).then(|| DaysOfMonth::from_bits(bits & !loaded))
}
