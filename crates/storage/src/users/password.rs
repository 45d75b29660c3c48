//! Hashes of passwords: the column `password` of `tb_user`, which the original declares and fills with what is no hash of ours.
//!
//! Every change names the hash that it replaces, so of two changes at once one wins. It writes its audit entry, and the outbox
//! row that ends the user's other sessions, in the same transaction.

use domain::{Contact, PasswordHash, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Value};
use serde::{Deserialize, Serialize};

use crate::sql::{execute, statement};
use crate::{Db, Error, audit, outbox, time};

/// A password was changed or removed: sessions that were opened before must end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PasswordChanged {
    pub id: UserId,
    /// The session that changed it, which goes on.
    pub kept_session: u32,
    pub changed_at_ms: i64,
}

impl PasswordChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "password_changed";
}

pub async fn get_password(db: &Db, id: UserId) -> Result<Option<PasswordHash>, Error> {
    let find = find(db.reader(), "id", id.get().into());
    db.run("get password", find).await
}

pub async fn find_password(db: &Db, contact: &Contact) -> Result<Option<PasswordHash>, Error> {
    let column = match contact {
        Contact::Phone(_) => "phone",
        Contact::Email(_) => "email",
    };
    let find = find(db.reader(), column, contact.as_str().into());
    db.run("find password", find).await
}

/// Replaces `known` by `new`; `false` if the user has another one than `known` meanwhile.
pub async fn set_password(
    db: &Db,
    id: UserId,
    known: Option<&PasswordHash>,
    new: Option<&PasswordHash>,
    kept_session: u32,
) -> Result<bool, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let (condition, value) = match known {
            Some(known) => ("password = ?", known.as_str()),
            None => ("(password IS NULL OR password NOT LIKE ?)", "$argon2id$%"),
        };
        let sql = format!(
            "UPDATE tb_user SET password = ?, update_time = ? WHERE id = ? AND {condition}"
        );
        let values: [Value; 4] = [
            new.map_or("", PasswordHash::as_str).into(),
            time::now().into(),
            id.get().into(),
            value.into(),
        ];
        if execute(&transaction, sql, values).await? == 0 {
            return Ok(false);
        }
        let action = match (known, new) {
            (None, _) => "set_password",
            (Some(_), Some(_)) => "change_password",
            (Some(_), None) => "remove_password",
        };
        let subject = format!("user:{id}");
        audit::insert(&transaction, Some(id), action, &subject, "").await?;
        if known.is_some() {
            let changed = PasswordChanged {
                id,
                kept_session,
                changed_at_ms: Timestamp::now().as_millisecond(),
            };
            outbox::append(&transaction, PasswordChanged::KIND, &subject, &changed).await?;
        }
        transaction.commit().await?;
        Ok(true)
    };
    db.run("set password", set).await
}

async fn find(
    connection: &impl ConnectionTrait,
    column: &str,
    value: Value,
) -> Result<Option<PasswordHash>, DbErr> {
    let sql = format!("SELECT password FROM tb_user WHERE {column} = ?");
    let statement = statement(connection, sql, [value]);
    let row = PasswordRow::find_by_statement(statement)
        .one(connection)
        .await?;
    let stored = row.and_then(|row| row.password);
    Ok(stored.and_then(|text| PasswordHash::parse(&text)))
}

#[derive(FromQueryResult)]
struct PasswordRow {
    password: Option<String>,
}
