//! Users with live sessions, by the hundred thousand, for load tests.
//!
//! Users are numbered, each with a phone number of a range that demo data never uses, so every run gets the same
//! users. Each call creates one batch in bounded memory.

use std::ops::Range;

use domain::{Phone, SessionToken};
use jiff::Timestamp;
use kv::{BulkSession, NewSession, SessionProfile};
use storage::bulk::{self, NewcomerRow};
use storage::users::{self, UserStatus};
use storage::{Db, demo_site};

use crate::account::session_profile;
use crate::{App, Error};

/// A million sessions are most of a gigabyte in Redis; more belongs on machines that are not one's own.
pub const MAX_PEOPLE: u32 = 1_000_000;

/// One transaction and a few pipelines.
const PEOPLE_PER_BATCH: u32 = 10_000;

/// The number before the first user's. Demo users have 138…, and 199 0000 numbers are not assigned.
const PHONE_BASE: u64 = 19_900_000_000;

const DEVICE: &str = "load test";

/// Their name prefix.
pub(crate) const NAME: &str = "load_";

/// `0..count` in batches for [`open_sessions`].
pub fn batches(count: u32) -> impl Iterator<Item = Range<u32>> {
    let starts = (0..count).step_by(PEOPLE_PER_BATCH as usize);
    starts.map(move |start| start..count.min(start + PEOPLE_PER_BATCH))
}

/// Creates missing users and opens a session for each, which ends earlier ones. Blocked users get none.
pub async fn open_sessions(app: &App, people: Range<u32>) -> Result<Vec<SessionToken>, Error> {
    if people.is_empty() {
        return Ok(Vec::new());
    }
    let profiles = find_or_create(app.db(), people).await?;
    let tokens: Vec<SessionToken> = profiles
        .iter()
        .map(|_| SessionToken::from_random(rand::random()))
        .collect();
    let sessions: Vec<BulkSession<'_>> = profiles
        .iter()
        .zip(&tokens)
        .map(|(profile, token)| new_session(profile, token))
        .collect();
    app.kv()
        .create_sessions_in_bulk(&sessions, &app.rules().session_lifetimes)
        .await?;
    Ok(tokens)
}

async fn find_or_create(db: &Db, people: Range<u32>) -> Result<Vec<SessionProfile>, Error> {
    if bulk::is_empty(db).await? {
        // Demo data may be seeded after them.
        demo_site::reserve_ids(db).await?;
    }
    let (first, last) = (phone(people.start), phone(people.end - 1));
    let now = Timestamp::now();
    let rows: Vec<NewcomerRow> = people.map(|person| newcomer(person, now)).collect();
    bulk::insert_newcomers(db, &rows).await?;
    let ids = bulk::list_ids_by_phone(db, &first, &last).await?;
    let users = users::get_many(db, &ids).await?;
    let active = users
        .iter()
        .filter(|user| user.status == UserStatus::Active);
    Ok(active.map(session_profile).collect())
}

/// The phone range of all load-test users.
pub(crate) fn numbers() -> (Phone, Phone) {
    (phone(0), phone(MAX_PEOPLE - 1))
}

fn newcomer(person: u32, now: Timestamp) -> NewcomerRow {
    NewcomerRow {
        phone: phone(person),
        nick_name: format!("{NAME}{}", person + 1),
        created_at: now,
    }
}

fn phone(person: u32) -> Phone {
    let number = PHONE_BASE + 1 + u64::from(person);
    Phone::parse(&number.to_string()).expect("199 begins mobile numbers")
}

fn new_session<'a>(profile: &'a SessionProfile, token: &'a SessionToken) -> BulkSession<'a> {
    BulkSession {
        token,
        session: NewSession {
            profile,
            number: rand::random(),
            device: DEVICE,
            address: "",
        },
    }
}
