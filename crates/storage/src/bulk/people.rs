//! Users, their profiles and their follows.

use std::collections::HashMap;

use domain::{Email, Phone, Role, UserId};
use jiff::Timestamp;
use jiff::civil::Date;
use sea_orm::Value;

use super::insert::{BulkRow, insert};
use crate::search::IndexedText;
use crate::time::{date_to_sql, to_sql};
use crate::{Db, Error};

#[derive(Clone, Debug)]
pub struct UserRow {
    pub id: UserId,
    pub phone: Option<Phone>,
    pub email: Option<Email>,
    pub nick_name: String,
    pub icon: String,
    pub role: Role,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct UserInfoRow {
    pub user_id: UserId,
    pub city: String,
    pub introduce: Option<String>,
    pub is_female: bool,
    pub birthday: Option<Date>,
    pub credits: i32,
    pub level: i16,
    pub created_at: Timestamp,
}

/// The database chooses its id; the pair is what makes it unique.
#[derive(Clone, Debug)]
pub struct FollowRow {
    /// Who follows.
    pub user_id: UserId,
    /// Who is followed.
    pub followed_id: UserId,
    pub created_at: Timestamp,
}

pub async fn insert_users(db: &Db, rows: &[UserRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

pub async fn insert_user_infos(db: &Db, rows: &[UserInfoRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

pub async fn insert_follows(db: &Db, rows: &[FollowRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

impl BulkRow for UserRow {
    const OPERATION: &'static str = "insert users";
    const TABLE: &'static str = "tb_user";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "phone",
        "email",
        "nick_name",
        "icon",
        "role",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.id.get().into(),
            self.phone.as_ref().map(Phone::as_str).into(),
            self.email.as_ref().map(Email::as_str).into(),
            self.nick_name.as_str().into(),
            self.icon.as_str().into(),
            self.role.code().into(),
            created_at.into(),
            created_at.into(),
        ]
    }

    /// Each brings some twenty rows of the search's index with it.
    const ROWS_PER_TRANSACTION: usize = 1_000;

    fn indexed(&self, _kinds: &HashMap<i64, String>) -> Option<IndexedText> {
        Some(IndexedText::of_person(self.id.get(), &self.nick_name))
    }
}

impl BulkRow for UserInfoRow {
    const OPERATION: &'static str = "insert user infos";
    const TABLE: &'static str = "tb_user_info";
    const COLUMNS: &'static [&'static str] = &[
        "user_id",
        "city",
        "introduce",
        "gender",
        "birthday",
        "credits",
        "level",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.user_id.get().into(),
            self.city.as_str().into(),
            self.introduce.as_deref().into(),
            i16::from(self.is_female).into(),
            self.birthday.map(date_to_sql).into(),
            self.credits.into(),
            self.level.into(),
            created_at.into(),
            created_at.into(),
        ]
    }
}

impl BulkRow for FollowRow {
    const OPERATION: &'static str = "insert follows";
    const TABLE: &'static str = "tb_follow";
    const COLUMNS: &'static [&'static str] = &["user_id", "follow_user_id", "create_time"];

    fn values(&self) -> Vec<Value> {
        vec![
            self.user_id.get().into(),
            self.followed_id.get().into(),
            to_sql(self.created_at).into(),
        ]
    }
}
