//! Check-ins: once a day by the site's calendar, and how many days in a row.
//!
//! SQL has a row per day. Redis has a bitmap per month, which answers streaks and calendars without SQL; a month that
//! Redis does not know is read from SQL and kept. When Redis is away SQL answers.

use domain::{DaysOfMonth, Month, Streak, UserId, streak};
use jiff::Timestamp;
use jiff::civil::Date;
use kv::{CHECK_INS_KEPT_MONTHS, Session};
use storage::check_ins::{self, CheckedIn};

use crate::{App, Error, OnProgress, Progress};

/// Months read at a time while a streak goes on: most streaks end in the first two, the longest take a round trip a year.
const MONTHS_PER_LOOK: usize = 2;
const MONTHS_PER_LONG_LOOK: usize = 12;

/// People per query while bitmaps are rebuilt.
const REBUILD_BATCH: u64 = 1_000;

/// What a calendar shows of one month.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Calendar {
    /// Days of the month, ascending.
    pub days: Vec<i8>,
    /// Whether the person has checked in today, whatever month was asked for.
    pub today: bool,
    /// The present day, by the site's calendar.
    pub date: Date,
}

/// Checks the asker in for today. Twice is once.
pub async fn check_in(app: &App, session: &Session) -> Result<(), Error> {
    let (user, today) = (session.profile.user_id, today(app));
    let is_first = check_ins::check_in(app.db(), user, today).await?;
    if is_first {
        app.outbox().wake();
        // The outbox does it again; this is for whoever looks at the calendar right away.
        if let Err(error) = app.kv().show_check_in(user, today).await {
            tracing::debug!(%error, "a check-in will show a little later");
        }
    }
    Ok(())
}

/// How many days in a row the asker checked in, up to today, or to yesterday while today is open.
pub async fn count_streak(app: &App, session: &Session) -> Result<u32, Error> {
    let (user, today) = (session.profile.user_id, today(app));
    let mut months = Vec::new();
    let mut next = Some(Month::of(today));
    let mut size = MONTHS_PER_LOOK;
    loop {
        let back = std::iter::successors(next, |month| month.before());
        let asked: Vec<Month> = back.take(size).collect();
        next = asked.last().and_then(|month| month.before());
        months.extend(days_of(app, user, &asked).await?);
        match streak(today, &months) {
            Streak::GoesOn(_) if next.is_some() => size = MONTHS_PER_LONG_LOOK,
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

/// The month that a calendar opens with.
pub fn present_month(app: &App) -> Month {
    Month::of(today(app))
}

/// Lets the bitmap show what SQL has recorded.
pub(crate) async fn follow_check_in(app: &App, told: &CheckedIn) -> Result<(), Error> {
    Ok(app.kv().show_check_in(told.user, told.date).await?)
}

/// Makes the bitmaps of everybody anew, as far back as they are kept.
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

/// SQL is read after the old bitmaps are gone: a load that began before then cannot hide a day that was added meanwhile.
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

/// One answer per month, in the order asked.
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
        tracing::debug!(%error, "a month of check-ins is not kept");
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
