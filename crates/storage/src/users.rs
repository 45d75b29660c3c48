//! Users: `tb_user` and `tb_user_info`.
//!
//! A phone number or e-mail address belongs to at most one row: the unique key decides between concurrent first
//! logins, and the loser reads the winner's row.

mod access;
mod authors;
mod changed;
mod contacts;
mod password;
mod profile;
mod shown;

use domain::harmless::shown_name;
use domain::{Contact, Email, Phone, Role, UserId};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, DbErr, EntityTrait, IntoActiveModel, QueryFilter, QuerySelect,
    Select,
};

pub(crate) use access::admins;
pub use access::{list_admins, set_role, set_status};
pub use authors::{Author, get_authors_for_fill};
pub use changed::UserChanged;
pub(crate) use changed::enqueue_change;
pub use contacts::{
    ContactChange, ContactChanged, ContactRefusal, Contacts, remove_contact, set_contact,
    start_anew,
};
pub use password::{PasswordChanged, find_password, get_password, set_password};
pub use profile::{UserInfo, get_info, update_profile};
pub use shown::get_shown;

use crate::db::DatabaseTransaction;
use crate::entity::user;
use crate::search::{self, IndexedText};
use crate::sql::{IDS_PER_QUERY, is_unique_violation};
use crate::{Db, Error, time};

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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserStatus {
    Active,
    Blocked,
    /// Its owner wanted it deleted: it is about to be erased, or is.
    Closed,
}

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

pub async fn find_by_contact(db: &Db, contact: &Contact) -> Result<Option<User>, Error> {
    let find = of_contact(contact).one(db.reader());
    Ok(db.run("find user", find).await?.map(User::from_row))
}

/// The account of `contact`, created if missing.
pub async fn find_or_create(
    db: &Db,
    contact: &Contact,
    default_nick_name: &str,
) -> Result<User, Error> {
    if let Some(user) = find_by_contact(db, contact).await? {
        return Ok(user);
    }
    let create = async {
        match create(db, contact, default_nick_name).await {
            Err(error) if is_unique_violation(&error) => of_contact(contact)
                .one(db.writer())
                .await?
                .ok_or_else(|| DbErr::RecordNotFound("the user that was just there".to_owned())),
            result => result,
        }
    };
    db.run("create user", create).await.map(User::from_row)
}

/// The row, and what the search finds it by.
async fn create(db: &Db, contact: &Contact, nick_name: &str) -> Result<user::Model, DbErr> {
    let transaction = db.begin().await?;
    let row = insert_new(&transaction, contact, nick_name).await?;
    transaction.commit().await?;
    Ok(row)
}

async fn insert_new(
    transaction: &DatabaseTransaction,
    contact: &Contact,
    nick_name: &str,
) -> Result<user::Model, DbErr> {
    let row = new_user(contact, nick_name).insert(transaction).await?;
    let found_by = IndexedText::of_person(row.id, &row.nick_name);
    search::write(transaction, &[found_by]).await?;
    Ok(row)
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

/// The row as an active model with a new `update_time`.
fn touched(row: user::Model) -> user::ActiveModel {
    let mut row = row.into_active_model();
    row.update_time = Set(time::now());
    row
}

impl UserStatus {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Blocked => "blocked",
            Self::Closed => "closed",
        }
    }

    pub(crate) const fn code(self) -> i16 {
        match self {
            Self::Active => 0,
            Self::Blocked => 1,
            Self::Closed => 2,
        }
    }

    /// An unknown status of a newer version counts as blocked.
    pub(crate) const fn from_code(code: i16) -> Self {
        match code {
            0 => Self::Active,
            2 => Self::Closed,
            _ => Self::Blocked,
        }
    }
}

impl User {
    pub fn contacts(&self) -> Contacts {
        Contacts {
            phone: self.phone.clone(),
            email: self.email.clone(),
        }
    }

    fn from_row(row: user::Model) -> Self {
        Self {
            id: UserId::new(row.id),
            phone: row.phone.and_then(|phone| Phone::parse(&phone).ok()),
            email: row.email.and_then(|email| Email::parse(&email).ok()),
            nick_name: shown_name(row.nick_name),
            icon: shown_name(row.icon),
            role: Role::from_code(row.role),
            status: UserStatus::from_code(row.status),
            created_at: time::from_sql(row.create_time),
        }
    }
}

/// Serialises the changes of one person. SQLite has one writer and needs no lock.
pub(crate) async fn lock_user(
    transaction: &DatabaseTransaction,
    user: UserId,
) -> Result<(), DbErr> {
    let find = user::Entity::find_by_id(user.get())
        .select_only()
        .column(user::Column::Id)
        .lock_exclusive()
        .into_tuple::<i64>();
    find.one(transaction).await?;
    Ok(())
}
