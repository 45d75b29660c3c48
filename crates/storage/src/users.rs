//! People: `tb_user` and `tb_user_info`.
//!
//! A phone number or address belongs to at most one row: the unique key decides between concurrent first logins, and
//! the loser reads the winner's row.

use domain::{Contact, Email, Phone, ProfileChange, Role, UserId};
use jiff::Timestamp;
use jiff::civil::Date;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, ConnectionTrait, DatabaseTransaction, DbErr, EntityTrait,
    IntoActiveModel, QueryFilter, Select, SqlErr,
};

use crate::entity::{user, user_info};
use crate::{Db, Error, audit, time};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct User {
    pub id: UserId,
    /// `None` also for a number in an adopted database that is not a mobile number: nobody can sign in with it.
    pub phone: Option<Phone>,
    pub email: Option<Email>,
    pub nick_name: String,
    pub icon: String,
    pub role: Role,
    pub status: UserStatus,
    pub created_at: Timestamp,
}

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserStatus {
    Active,
    Blocked,
}

/// Ids per query of [`get_many`]: below SQLite's 32,766 and MySQL's 65,535 parameters with room to spare.
const IDS_PER_QUERY: usize = 1_000;

pub async fn get(db: &Db, id: UserId) -> Result<Option<User>, Error> {
    let find = user::Entity::find_by_id(id.get()).one(db.reader());
    Ok(db.run("get user", find).await?.map(User::from_row))
}

/// In no particular order; ids without a row are left out.
pub async fn get_many(db: &Db, ids: &[UserId]) -> Result<Vec<User>, Error> {
    let mut users = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let wanted = user::Column::Id.is_in(chunk.iter().map(|id| id.get()));
        let find = user::Entity::find().filter(wanted).all(db.reader());
        users.extend(
            db.run("get users", find)
                .await?
                .into_iter()
                .map(User::from_row),
        );
    }
    Ok(users)
}

pub async fn get_info(db: &Db, id: UserId) -> Result<Option<UserInfo>, Error> {
    let find = user_info::Entity::find_by_id(id.get()).one(db.reader());
    Ok(db.run("get user info", find).await?.map(UserInfo::from_row))
}

pub async fn find_by_contact(db: &Db, contact: &Contact) -> Result<Option<User>, Error> {
    let find = of_contact(contact).one(db.reader());
    Ok(db.run("find user", find).await?.map(User::from_row))
}

/// The account of `contact`, made on the spot if there is none.
pub async fn find_or_create(
    db: &Db,
    contact: &Contact,
    default_nick_name: &str,
) -> Result<User, Error> {
    if let Some(user) = find_by_contact(db, contact).await? {
        return Ok(user);
    }
    let create = async {
        match new_user(contact, default_nick_name)
            .insert(db.writer())
            .await
        {
            Err(error) if is_taken(&error) => of_contact(contact)
                .one(db.writer())
                .await?
                .ok_or_else(|| DbErr::RecordNotFound("the user that was just there".to_owned())),
            result => result,
        }
    };
    db.run("create user", create).await.map(User::from_row)
}

/// Writes both tables in one transaction and returns the row as it stands afterwards.
pub async fn update_profile(db: &Db, id: UserId, change: &ProfileChange) -> Result<User, Error> {
    let update = async {
        let transaction = db.begin().await?;
        let Some(row) = user::Entity::find_by_id(id.get()).one(&transaction).await? else {
            return Ok(None);
        };
        let row = write_names(&transaction, row, change).await?;
        write_info(&transaction, id, change).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("update profile", update)
        .await?
        .ok_or(Error::NoSuchUser(id))
}

/// Gives a role and records who gave it. `None`: nobody has this contact, nothing is created.
pub async fn set_role(
    db: &Db,
    contact: &Contact,
    role: Role,
    actor: Option<UserId>,
) -> Result<Option<User>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let Some(row) = of_contact(contact).one(&transaction).await? else {
            return Ok(None);
        };
        let (id, before) = (row.id, Role::from_code(row.role));
        let mut changed = touched(row);
        changed.role = Set(role.code());
        let row = changed.update(&transaction).await?;
        let detail = format!("{before} -> {role}");
        audit::insert(&transaction, actor, "set_role", &subject(id), &detail).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("set role", set).await
}

/// Blocks or unblocks a person and records who did. `None`: there is no such user.
pub async fn set_status(
    db: &Db,
    id: UserId,
    status: UserStatus,
    actor: Option<UserId>,
) -> Result<Option<User>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let Some(row) = user::Entity::find_by_id(id.get()).one(&transaction).await? else {
            return Ok(None);
        };
        let mut changed = touched(row);
        changed.status = Set(status.code());
        let row = changed.update(&transaction).await?;
        let detail = status.as_str();
        audit::insert(&transaction, actor, "set_status", &subject(row.id), detail).await?;
        transaction.commit().await?;
        Ok(Some(User::from_row(row)))
    };
    db.run("set status", set).await
}

fn of_contact(contact: &Contact) -> Select<user::Entity> {
    let column = match contact {
        Contact::Phone(_) => user::Column::Phone,
        Contact::Email(_) => user::Column::Email,
    };
    user::Entity::find().filter(column.eq(contact.as_str()))
}

fn new_user(contact: &Contact, nick_name: &str) -> user::ActiveModel {
    let (phone, email) = match contact {
        Contact::Phone(phone) => (Some(phone.as_str().to_owned()), None),
        Contact::Email(email) => (None, Some(email.as_str().to_owned())),
    };
    let now = time::now();
    user::ActiveModel {
        phone: Set(phone),
        email: Set(email),
        nick_name: Set(nick_name.to_owned()),
        icon: Set(String::new()),
        role: Set(Role::User.code()),
        status: Set(UserStatus::Active.code()),
        create_time: Set(now),
        update_time: Set(now),
        ..Default::default()
    }
}

fn is_taken(error: &DbErr) -> bool {
    matches!(error.sql_err(), Some(SqlErr::UniqueConstraintViolation(_)))
}

async fn write_names(
    transaction: &DatabaseTransaction,
    row: user::Model,
    change: &ProfileChange,
) -> Result<user::Model, DbErr> {
    let mut changed = touched(row);
    if let Some(nick_name) = &change.nick_name {
        changed.nick_name = Set(nick_name.clone());
    }
    if let Some(icon) = &change.icon {
        changed.icon = Set(icon.clone());
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

/// The row of `tb_user_info`, made empty if there is none. The user's own row was locked by the update before,
/// so two changes of one profile take turns and the second finds the row of the first.
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

fn touched(row: user::Model) -> user::ActiveModel {
    let mut row = row.into_active_model();
    row.update_time = Set(time::now());
    row
}

fn subject(id: i64) -> String {
    format!("user:{id}")
}

impl UserStatus {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Blocked => "blocked",
        }
    }

    const fn code(self) -> i16 {
        match self {
            Self::Active => 0,
            Self::Blocked => 1,
        }
    }

    /// A status of a newer version is none under which anyone may act here.
    const fn from_code(code: i16) -> Self {
        match code {
            0 => Self::Active,
            _ => Self::Blocked,
        }
    }
}

impl User {
    fn from_row(row: user::Model) -> Self {
        Self {
            id: UserId::new(row.id),
            phone: row.phone.and_then(|phone| Phone::parse(&phone).ok()),
            email: row.email.and_then(|email| Email::parse(&email).ok()),
            nick_name: row.nick_name,
            icon: row.icon,
            role: Role::from_code(row.role),
            status: UserStatus::from_code(row.status),
            created_at: time::from_sql(row.create_time),
        }
    }
}

impl UserInfo {
    fn from_row(row: user_info::Model) -> Self {
        // The counters are never negative: adoption refuses such rows and every change keeps them so.
        let count = |counter: i32| u32::try_from(counter).unwrap_or(0);
        Self {
            user_id: UserId::new(row.user_id),
            city: row.city,
            introduce: row.introduce.unwrap_or_default(),
            fans: count(row.fans),
            followee: count(row.followee),
            is_female: row.gender == 1,
            birthday: row.birthday.and_then(time::date_from_sql),
            credits: count(row.credits),
            level: u8::try_from(row.level).unwrap_or(0),
        }
    }
}
