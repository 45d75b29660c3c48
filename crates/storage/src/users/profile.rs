//! Profiles: names in `tb_user`, the rest in `tb_user_info`.

use domain::harmless::{shown_lines, shown_name};
use domain::{ProfileChange, UserId};
use jiff::civil::Date;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ConnectionTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect,
};

use super::changed::enqueue_change;
use super::{User, shown, touched};
use crate::db::DatabaseTransaction;
use crate::entity::{user, user_info};
use crate::search::{self, IndexedText};
use crate::{Db, Error, time, uploads};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserInfo {
    pub user_id: UserId,
    pub city: String,
    pub introduce: String,
    pub fans: u32,
    pub followee: u32,
    pub is_female: bool,
    pub birthday: Option<Date>,
    pub credits: u32,
    pub level: u8,
}

pub async fn get_info(db: &Db, id: UserId) -> Result<Option<UserInfo>, Error> {
    let find = user_info::Entity::find_by_id(id.get()).one(db.reader());
    Ok(db.run("get user info", find).await?.map(UserInfo::from_row))
}

/// Updates both tables in one transaction and returns the new row.
pub async fn update_profile(db: &Db, id: UserId, change: &ProfileChange) -> Result<User, Error> {
    let update = async {
        let transaction = db.begin().await?;
        // What the search finds is changed by the difference to this row.
        let find = user::Entity::find_by_id(id.get()).lock_exclusive();
        let Some(row) = find.one(&transaction).await? else {
            return Ok(None);
        };
        let row = write_names(&transaction, row, change).await?;
        write_info(&transaction, id, change).await?;
        shown::write(&transaction, id, change.shown).await?;
        enqueue_change(&transaction, id).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("update profile", update)
        .await?
        .ok_or(Error::NoSuchUser(id))
}

async fn write_names(
    transaction: &DatabaseTransaction,
    row: user::Model,
    change: &ProfileChange,
) -> Result<user::Model, DbErr> {
    let id = row.id;
    let found_before = IndexedText::of_person(id, &row.nick_name);
    let mut changed = touched(row);
    if let Some(nick_name) = &change.nick_name {
        let found_by = IndexedText::of_person(id, nick_name);
        search::replace(transaction, Some(&found_before), Some(&found_by)).await?;
        changed.nick_name = Set(nick_name.clone());
    }
    if let Some(icon) = &change.icon {
        changed.icon = Set(icon.clone());
        let owner = Some(UserId::new(id));
        uploads::assign(transaction, owner, icon, &format!("user:{id}")).await?;
    }
    changed.update(transaction).await
}

async fn write_info(
    transaction: &DatabaseTransaction,
    id: UserId,
    change: &ProfileChange,
) -> Result<(), DbErr> {
    let mut changed = ensure_info(transaction, id).await?.into_active_model();
    if let Some(city) = &change.city {
        changed.city = Set(city.clone());
    }
    if let Some(introduce) = &change.introduce {
        changed.introduce = Set(Some(introduce.clone()));
    }
    if let Some(is_female) = change.is_female {
        changed.gender = Set(i16::from(is_female));
    }
    if let Some(birthday) = change.birthday {
        changed.birthday = Set(Some(time::date_to_sql(birthday)));
    }
    changed.update_time = Set(time::now());
    changed.update(transaction).await?;
    Ok(())
}

/// The row of `tb_user_info`, created empty if missing. The update before locked the user's row, so concurrent
/// changes of one profile serialise.
async fn ensure_info(
    connection: &impl ConnectionTrait,
    id: UserId,
) -> Result<user_info::Model, DbErr> {
    if let Some(row) = user_info::Entity::find_by_id(id.get())
        .one(connection)
        .await?
    {
        return Ok(row);
    }
    let now = time::now();
    let empty = user_info::ActiveModel {
        user_id: Set(id.get()),
        city: Set(String::new()),
        introduce: Set(None),
        fans: Set(0),
        followee: Set(0),
        gender: Set(0),
        birthday: Set(None),
        credits: Set(0),
        level: Set(0),
        create_time: Set(now),
        update_time: Set(now),
    };
    empty.insert(connection).await
}

impl UserInfo {
    fn from_row(row: user_info::Model) -> Self {
        // A negative counter of an adopted database counts as zero.
        let count = |counter: i32| u32::try_from(counter).unwrap_or(0);
        Self {
            user_id: UserId::new(row.user_id),
            city: shown_name(row.city),
            introduce: shown_lines(row.introduce.unwrap_or_default()),
            fans: count(row.fans),
            followee: count(row.followee),
            is_female: row.gender == 1,
            birthday: row.birthday.and_then(time::date_from_sql),
            credits: count(row.credits),
            level: u8::try_from(row.level).unwrap_or(0),
        }
    }
}
