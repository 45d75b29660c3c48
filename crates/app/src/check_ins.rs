//! Check-ins: once a day by the site's calendar, and how many days in a row.
//!
//! SQL has a row per day. Redis has a bitmap per month, which serves streaks and calendars; a month that Redis lacks
//! is loaded from SQL. During a Redis outage SQL answers.

use domain::{DaysOfMonth, Month, Streak, UserId, streak};
use jiff::Timestamp;
use jiff::civil::Date;
use kv::{CHECK_INS_KEPT_MONTHS, Session};
use storage::check_ins::{self, CheckedIn};

use crate::{App, Error, OnProgress, Progress};

/// Months read at a time while a streak continues: most end in the first two, the longest cost a round trip per year.
const MONTHS_PER_READ: usize = 2;
const MONTHS_PER_LONG_READ: usize = 12;

/// People per query while bitmaps are rebuilt.
const REBUILD_BATCH: u64 = 1_000;

/// One month of a calendar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// Days of the month, ascending.
    pub days: Vec<i8>,
    /// Whether the user has checked in today, whatever month was requested.
    pub today: bool,
    /// The present day, by the site's calendar.
    pub date: Date,
}

/// Checks the caller in for today. Idempotent.
pub async fn check_in(app: &App, session: &Session) -> Result<(), Error> {
    let (user, today) = (session.profile.user_id, today(app));
    let is_first = check_ins::check_in(app.db(), user, today).await?;
    if is_first {
        app.outbox().wake();
        // The outbox applies it again; this makes the caller's own calendar current at once.
        if let Err(error) = app.kv().show_check_in(user, today).await {
            tracing::debug!(%error, "check-in bitmap not updated, outbox retries");
        }
    }
    Ok(())
}

/// The caller's streak in days, up to today, or to yesterday while today is open.
pub async fn count_streak(app: &App, session: &Session) -> Result<u32, Error> {
    let (user, today) = (session.profile.user_id, today(app));
    let mut months = Vec::new();
    let mut next = Some(Month::of(today));
    let mut size = MONTHS_PER_READ;
    loop {
        let back = std::iter::successors(next, |month| month.before());
        let asked: Vec<Month> = back.take(size).collect();
        next = asked.last().and_then(|month| month.before());
        months.extend(days_of(app, user, &asked).await?);
        match streak(today, &months) {
            Streak::GoesOn(_) if next.is_some() => size = MONTHS_PER_LONG_READ,
            Streak::GoesOn(count) | Streak::Ended(count) => return Ok(count),
        }
    }
}

pub async fn get_calendar(app: &App, session: &Session, month: Month) -> Result<Calendar, Error> {
    let (user, today) = (session.profile.user_id, today(app));
    let found = days_of(app, user, &[month, Month::of(today)]).await?;
    Ok(Calendar {
        days: found[0].list(),
        today: found[1].contains(today),
        date: today,
    })
}

/// The present month.
pub fn present_month(app: &App) -> Month {
    Month::of(today(app))
}

/// Applies a check-in: sets the day in the bitmap.
pub(crate) async fn apply_check_in(app: &App, event: &CheckedIn) -> Result<(), Error> {
    Ok(app.kv().show_check_in(event.user, event.date).await?)
}

/// Rebuilds the bitmaps of all users, as far back as they are kept.
pub(crate) async fn rebuild(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    let back = std::iter::successors(Some(present_month(app)), |month| month.before());
    let months: Vec<Month> = back.take(CHECK_INS_KEPT_MONTHS).collect();
    let (mut after, mut done) = (UserId::new(0), 0);
    loop {
        let people = check_ins::list_people(app.db(), after, REBUILD_BATCH).await?;
        let Some(last) = people.last() else {
            return Ok(());
        };
        after = *last;
        for user in &people {
            rebuild_of(app, *user, &months).await?;
        }
        done += people.len() as u64;
        progress(Progress {
            what: "check-ins",
            done,
            total: done,
        });
    }
}

/// SQL is read after the old bitmaps are deleted: a load that began earlier cannot hide a day added meanwhile.
async fn rebuild_of(app: &App, user: UserId, months: &[Month]) -> Result<(), Error> {
    app.kv().forget_check_ins(user, months).await?;
    let (Some(newest), Some(oldest)) = (months.first(), months.last()) else {
        return Ok(());
    };
    let days = check_ins::list_days(app.db(), user, oldest.first(), newest.last()).await?;
    for month in months {
        let of_month = days.iter().copied().filter(|day| Month::of(*day) == *month);
        let of_month = of_month.collect();
        app.kv().load_check_ins(user, *month, of_month).await?;
    }
    Ok(())
}

fn today(app: &App) -> Date {
    app.rules().zone.date(Timestamp::now())
}

/// One result per month, in the given order.
async fn days_of(app: &App, user: UserId, months: &[Month]) -> Result<Vec<DaysOfMonth>, Error> {
    match app.kv().get_check_ins(user, months).await {
        Ok(known) => {
            let mut days = Vec::with_capacity(months.len());
            for (month, known) in months.iter().zip(known) {
                days.push(match known {
                    Some(known) => known,
                    None => load(app, user, *month).await?,
                });
            }
            Ok(days)
        }
        Err(error) if error.is_outage() => read_months(app, user, months).await,
        Err(error) => Err(error.into()),
    }
}

async fn load(app: &App, user: UserId, month: Month) -> Result<DaysOfMonth, Error> {
    let days = read_month(app, user, month).await?;
    if let Err(error) = app.kv().load_check_ins(user, month, days).await {
        tracing::debug!(%error, "check-in month not cached");
    }
    Ok(days)
}

async fn read_months(app: &App, user: UserId, months: &[Month]) -> Result<Vec<DaysOfMonth>, Error> {
    let mut days = Vec::with_capacity(months.len());
    for month in months {
        days.push(read_month(app, user, *month).await?);
    }
    Ok(days)
}

async fn read_month(app: &App, user: UserId, month: Month) -> Result<DaysOfMonth, Error> {
    let days = check_ins::list_days(app.db(), user, month.first(), month.last()).await?;
    Ok(days.into_iter().collect())
}
