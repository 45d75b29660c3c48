//! What writers called the requests that made their notes and comments: `tb_write_key`.
//!
//! The row is written in the transaction of what it names, so a name makes one thing, whatever becomes of the reply, of the
//! process or of Redis. It is deleted with what it made.

use domain::UserId;
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::db::DatabaseTransaction;
use crate::{Db, Error, sql, time};

/// A request as its sender named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteKey {
    /// At most 64 characters.
    pub name: String,
    /// A digest of what is written, in hexadecimal digits: at most 64.
    pub fingerprint: String,
}

/// What an earlier request of this name made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyUsed {
    /// The same request: this is its note or comment.
    Again(i64),
    /// Another text, or something of another kind. With the id if it is of the same kind.
    ForOther(Option<i64>),
}

/// What a key may make.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    Note,
    Comment,
}

impl Written {
    fn subject(self, id: i64) -> String {
        format!("{}{id}", self.prefix())
    }

    /// `None` if the subject is of another kind.
    fn id_in(self, subject: &str) -> Option<i64> {
        subject.strip_prefix(self.prefix())?.parse().ok()
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Note => "note:",
            Self::Comment => "comment:",
        }
    }
}

/// What the key made, if anything. Reads the primary.
pub async fn find(
    db: &Db,
    user: UserId,
    key: &WriteKey,
    what: Written,
) -> Result<Option<KeyUsed>, Error> {
    let sql = "SELECT fingerprint, subject FROM tb_write_key WHERE user_id = ? AND name = ?";
    let values: [Value; 2] = [user.get().into(), key.name.as_str().into()];
    let statement = sql::statement(db.reader(), sql, values);
    let find = async {
        let Some(row) = db.reader().query_one_raw(statement).await? else {
            return Ok(None);
        };
        let (fingerprint, subject): (String, String) =
            (row.try_get("", "fingerprint")?, row.try_get("", "subject")?);
        Ok(Some(match what.id_in(&subject) {
            Some(id) if fingerprint == key.fingerprint => KeyUsed::Again(id),
            id => KeyUsed::ForOther(id),
        }))
    };
    db.run("find write key", find).await
}

/// What this name has made, whatever it said: its id if it is of this kind.
pub(crate) async fn made(
    transaction: &DatabaseTransaction,
    user: UserId,
    name: &str,
    what: Written,
) -> Result<Option<Option<i64>>, DbErr> {
    let sql = "SELECT subject FROM tb_write_key WHERE user_id = ? AND name = ?";
    let values: [Value; 2] = [user.get().into(), name.into()];
    let statement = sql::statement(transaction, sql, values);
    let Some(row) = transaction.query_one_raw(statement).await? else {
        return Ok(None);
    };
    Ok(Some(what.id_in(&row.try_get::<String>("", "subject")?)))
}

/// Names what the transaction makes; returns whether the name was free. Waits for another transaction with the same name.
pub(crate) async fn insert(
    transaction: &DatabaseTransaction,
    user: UserId,
    key: &WriteKey,
    what: Written,
    id: i64,
) -> Result<bool, DbErr> {
    let insert = format!(
        "{} tb_write_key (user_id, name, fingerprint, subject, create_time) VALUES (?, ?, ?, ?, ?)",
        sql::insert_ignore(transaction)
    );
    let values: [Value; 5] = [
        user.get().into(),
        key.name.as_str().into(),
        key.fingerprint.as_str().into(),
        what.subject(id).into(),
        time::now().into(),
    ];
    Ok(sql::execute(transaction, insert, values).await? == 1)
}

/// Forgets the names of what is deleted.
pub(crate) async fn forget(
    transaction: &impl ConnectionTrait,
    what: Written,
    ids: &[i64],
) -> Result<(), DbErr> {
    if ids.is_empty() {
        return Ok(());
    }
    let placeholders = sql::placeholders(ids.len());
    let delete = format!("DELETE FROM tb_write_key WHERE subject IN ({placeholders})");
    let values = ids.iter().map(|id| what.subject(*id).into());
    sql::execute(transaction, delete, values).await?;
    Ok(())
}
