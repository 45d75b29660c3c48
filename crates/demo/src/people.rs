//! People: names, contacts and profiles.
//!
//! Invariant: the phone number is `13800000000 + id`, so it is valid, unique, recognisably made
//! up, and fixed for the three demo accounts.

mod words;

use jiff::{SignedDuration, Timestamp, civil};

use crate::block::{self, Block};
use crate::random::{Random, Stream};
use crate::{Demo, pictures, social};
use words::{ADJECTIVES, CITIES, HABITS, INTRODUCTIONS, NAMES, NOUNS, SUFFIXES};

/// Signs in as an ordinary person.
pub const VISITOR_PHONE: &str = "13800000001";
/// Signs in as the owner of many shops.
pub const MERCHANT_PHONE: &str = "13800000002";
/// Signs in as the operator of the site.
pub const ADMIN_PHONE: &str = "13800000003";

const PHONE_BASE: i64 = 13_800_000_000;

/// The local indices of the demo accounts, in the first block.
pub(crate) const VISITOR: u32 = 0;
pub(crate) const MERCHANT: u32 = 1;
pub(crate) const ADMIN: u32 = 2;

/// The local indices of those who keep shops, in every block.
pub(crate) const MERCHANTS: std::ops::Range<u32> = 3..33;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    pub id: i64,
    pub phone: String,
    pub nick_name: String,
    pub icon: String,
    pub role: Role,
    pub city: &'static str,
    pub introduce: &'static str,
    pub gender: Gender,
    pub birthday: civil::Date,
    /// How many people follow this one.
    pub fans: u32,
    /// How many people this one follows.
    pub followees: u32,
    pub joined_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    User,
    Merchant,
    Admin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gender {
    Male,
    Female,
}

pub(crate) fn people(block: Block, demo: &Demo) -> Vec<Person> {
    let degrees = social::degrees(block, demo.scale);
    (0..block::PEOPLE)
        .zip(degrees)
        .map(|(local, degree)| Person {
            fans: degree.fans,
            followees: degree.followees,
            ..person(block, local, demo.now)
        })
        .collect()
}

fn person(block: Block, local: u32, now: Timestamp) -> Person {
    let mut random = block.random(Stream::Person, local);
    let id = block.person_id(local);
    let account = demo_account(block, local);
    let nick_name = nick_name(&mut random);
    let introduce = random.pick(INTRODUCTIONS);
    Person {
        id,
        phone: (PHONE_BASE + id).to_string(),
        nick_name: account.map_or(nick_name, |(name, _)| name.to_owned()),
        icon: pictures::avatar_url(random.below(pictures::AVATARS)),
        role: role(block, local),
        city: random.pick(CITIES),
        introduce: account.map_or(introduce, |(_, introduce)| introduce),
        gender: random.pick(&[Gender::Female, Gender::Male]),
        birthday: birthday(&mut random),
        fans: 0,
        followees: 0,
        joined_at: now - SignedDuration::from_mins(i64::from(random.between(90, 800)) * 24 * 60),
    }
}

fn role(block: Block, local: u32) -> Role {
    match local {
        MERCHANT if block.is_first() => Role::Merchant,
        ADMIN if block.is_first() => Role::Admin,
        _ if MERCHANTS.contains(&local) => Role::Merchant,
        _ => Role::User,
    }
}

/// Nick name and introduction of the accounts that visitors of a demo site sign in with.
fn demo_account(block: Block, local: u32) -> Option<(&'static str, &'static str)> {
    match local {
        _ if !block.is_first() => None,
        VISITOR => Some(("演示访客·小满", "随便看看，也随便吃吃。")),
        MERCHANT => Some(("演示商家·掌柜老周", "开了几家小店，欢迎来坐。")),
        ADMIN => Some(("演示管理员", "有问题请联系我。")),
        _ => None,
    }
}

fn nick_name(random: &mut Random) -> String {
    match random.below(6) {
        0 => format!("{}的{}", random.pick(ADJECTIVES), random.pick(NOUNS)),
        1 => format!("{}{}", random.pick(NAMES), random.pick(SUFFIXES)),
        2 => format!("{}{}", random.pick(NAMES), random.pick(HABITS)),
        3 => format!("{}_{}", random.pick(NOUNS), random.between(10, 999)),
        4 => format!("{}{}", random.pick(ADJECTIVES), random.pick(NAMES)),
        _ => format!("{}{}", random.pick(NOUNS), random.pick(HABITS)),
    }
}

/// Every month has a 28th, so no draw can be an impossible date.
fn birthday(random: &mut Random) -> civil::Date {
    let year = random.between(1975, 2006) as i16;
    let month = random.between(1, 12) as i8;
    civil::date(year, month, random.between(1, 28) as i8)
}
