//! People with live sessions, by the hundred thousand: what a load test signs its requests with.
//!
//! The people are numbered, and a number is one phone of a range that demo data never uses, so the same people come back
//! on every run. Each call makes one batch, in bounded memory; whoever wants more calls again.

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

/// The number before the first person's. Demo people have 138…, and nobody has been given 199 0000 numbers.
const PHONE_BASE: u64 = 19_900_000_000;

const DEVICE: &str = "load test";

/// What their names begin with.
pub(crate) const NAME: &str = "load_";

/// `0..count` in pieces for [`open_sessions`].
pub fn batches(count: u32) -> impl Iterator<Item = Range<u32>> {
    let starts = (0..count).step_by(PEOPLE_PER_BATCH as usize);
    starts.map(move |start| start..count.min(start + PEOPLE_PER_BATCH))
}

/// Makes sure that the people are there and gives each a session, in which every earlier one ends. People who have been
/// blocked get none.
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
        // So that demo data can still come after them.
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

/// The numbers of all people that a load test may ever make.
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
