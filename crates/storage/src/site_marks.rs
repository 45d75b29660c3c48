//! Facts that a site stores about itself: `tb_site_mark`.
//!
//! The environment that it last served in, with the stamp that sessions of that time carry. A start in another
//! environment generates a new stamp, which invalidates all sessions at once without looking for them. SQL stores it,
//! so a flushed Redis changes nothing, and processes that start together agree: the row is replaced by a conditional
//! update, and the loser reads the winner's row.

use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, Value};

use crate::sql::{execute, insert_ignore};
use crate::{Db, Error, audit, sql};

const ENV: &str = "env";

/// Since when the site keeps proofs of phone numbers.
const PHONE_PROOFS_SINCE: &str = "phone_proofs_since";

/// The audit action for the change.
const AUDIT_ACTION: &str = "change_env";

/// An environment and the stamp of its sessions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvMark {
    pub env: String,
    pub stamp: String,
}

/// The outcome at startup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvSettled {
    pub mark: EnvMark,
    /// The environment before this start, if it was another one.
    pub before: Option<String>,
}

/// The mark as it stands; none before the first start.
pub async fn env(db: &Db) -> Result<Option<EnvMark>, Error> {
    let read = read(db);
    Ok(db
        .run("read the environment", read)
        .await?
        .map(|(mark, _)| mark))
}

/// Sets the site's environment. `fresh` becomes the stamp if the environment changed.
pub async fn settle_env(db: &Db, env: &str, fresh: &str) -> Result<EnvSettled, Error> {
    let wanted = EnvMark {
        env: env.to_owned(),
        stamp: fresh.to_owned(),
    };
    loop {
        let settle = settle(db, &wanted);
        if let Some(settled) = db.run("settle the environment", settle).await? {
            return Ok(settled);
        }
        // Another process changed it in between; read its mark next. Every process writes once, so this ends.
    }
}

/// Since when the site keeps proofs of phone numbers: `now`, the first time.
pub async fn phone_proofs_since(db: &Db, now: Timestamp) -> Result<Timestamp, Error> {
    let settle = async {
        let mut text = read_value(db, PHONE_PROOFS_SINCE).await?;
        if text.is_none() {
            let verb = insert_ignore(db.writer());
            let sql = format!("{verb} tb_site_mark (name, value) VALUES (?, ?)");
            let values: [Value; 2] = [PHONE_PROOFS_SINCE.into(), now.to_string().into()];
            execute(db.writer(), sql, values).await?;
            text = read_value(db, PHONE_PROOFS_SINCE).await?;
        }
        Ok(text.and_then(|text| text.parse().ok()).unwrap_or(now))
    };
    db.run("settle since when phones are proven", settle).await
}

async fn settle(db: &Db, wanted: &EnvMark) -> Result<Option<EnvSettled>, DbErr> {
    let verb = insert_ignore(db.writer());
    let sql = format!("{verb} tb_site_mark (name, value) VALUES (?, ?)");
    let values: [Value; 2] = [ENV.into(), wanted.to_string().into()];
    execute(db.writer(), sql, values).await?;
    let Some((mark, text)) = read(db).await? else {
        return Ok(None);
    };
    if mark.env == wanted.env {
        return Ok(Some(EnvSettled { mark, before: None }));
    }
    let sql = "UPDATE tb_site_mark SET value = ? WHERE name = ? AND value = ?";
    let values: [Value; 3] = [wanted.to_string().into(), ENV.into(), text.into()];
    if execute(db.writer(), sql, values).await? == 0 {
        return Ok(None);
    }
    let detail = format!("{} -> {}", mark.env, wanted.env);
    audit::insert(db.writer(), None, AUDIT_ACTION, "site", &detail).await?;
    Ok(Some(EnvSettled {
        mark: wanted.clone(),
        before: Some(mark.env),
    }))
}

/// The mark, and as it is written.
async fn read(db: &Db) -> Result<Option<(EnvMark, String)>, DbErr> {
    let Some(text) = read_value(db, ENV).await? else {
        return Ok(None);
    };
    let (env, stamp) = text.split_once(' ').unwrap_or((&text, ""));
    let mark = EnvMark {
        env: env.to_owned(),
        stamp: stamp.to_owned(),
    };
    Ok(Some((mark, text)))
}

async fn read_value(db: &Db, name: &str) -> Result<Option<String>, DbErr> {
    let sql = "SELECT value FROM tb_site_mark WHERE name = ?";
    let statement = sql::statement(db.reader(), sql, [Value::from(name)]);
    // From the writer: on SQLite a reader may not have seen what was just written.
    let row = db.writer().query_one_raw(statement).await?;
    row.map(|row| row.try_get("", "value")).transpose()
}

impl std::fmt::Display for EnvMark {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.env, self.stamp)
    }
}
