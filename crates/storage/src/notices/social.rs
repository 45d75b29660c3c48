//! Notices about what other people did: likes, comments, replies, follows and mentions. One row stands for all events of a kind about
//! one thing, so a note with ten thousand likes has one.
//!
//! The row says that there is something new; who and how many is read from the likes, comments and follows themselves
//! ([`super::describe_social`]), so what was deleted is in no notice. A row that was read and gets news is replaced by a new
//! one, which is unread and first in the list. All writers are effects of the outbox: none contends with a person's request,
//! and each may be repeated, because an event is remembered by its number.

use domain::UserId;
use sea_orm::{ConnectionTrait, DbErr, Value};

use super::NoticeKind;
use super::remembered::Remembered;
use crate::db::DatabaseTransaction;
use crate::sql::{execute, insert_ignore, statement};
use crate::{Db, Error, sql, time};

/// Something that one person did and another may want to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SocialEvent {
    pub kind: SocialKind,
    /// Who is told.
    pub owner: UserId,
    /// The note, the comment that was answered, or the owner: what events are grouped by. Mentions are grouped by the note
    /// that they are in or under.
    pub about: i64,
    /// Who did it.
    pub actor: UserId,
    /// Tells the event from others about the same thing: the liker, the comment or the follower. A mention in the note itself
    /// is [`IN_NOTE`].
    pub event: i64,
}

/// What people may switch off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SocialKind {
    NoteLiked,
    NoteCommented,
    CommentAnswered,
    Followed,
    Mentioned,
}

/// The event of a mention in a note: no comment has this id.
pub const IN_NOTE: i64 = 0;

/// What a change did to the owner's notices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoticeChange {
    /// There is one more unread notice.
    News,
    Nothing,
}

/// How often a row that another process inserts at the same moment is looked for.
const ATTEMPTS: usize = 3;

impl SocialKind {
    pub const ALL: [Self; 5] = [
        Self::NoteLiked,
        Self::NoteCommented,
        Self::CommentAnswered,
        Self::Followed,
        Self::Mentioned,
    ];

    pub const fn notice(self) -> NoticeKind {
        match self {
            Self::NoteLiked => NoticeKind::NoteLiked,
            Self::NoteCommented => NoticeKind::NoteCommented,
            Self::CommentAnswered => NoticeKind::CommentAnswered,
            Self::Followed => NoticeKind::Followed,
            Self::Mentioned => NoticeKind::Mentioned,
        }
    }

    /// What tells the row from all others of the kind. A note mentions several people, each with a row.
    fn subject(self, about: i64, owner: UserId) -> String {
        match self {
            Self::Mentioned => format!("{}{about}@{owner}", self.prefix()),
            _ => format!("{}{about}", self.prefix()),
        }
    }

    /// What a row of this subject is about.
    pub(super) fn about(self, subject: &str) -> Option<i64> {
        let about = subject.strip_prefix(self.prefix())?;
        let about = about.split_once('@').map_or(about, |(about, _)| about);
        about.parse().ok()
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::NoteLiked | Self::NoteCommented | Self::Mentioned => "note:",
            Self::CommentAnswered => "comment:",
            Self::Followed => "user:",
        }
    }
}

/// Tells the owner of the event, unless they were told of it before, did it themselves, do not want to know, or block who
/// did it.
pub async fn add(db: &Db, event: &SocialEvent) -> Result<NoticeChange, Error> {
    if event.owner == event.actor {
        return Ok(NoticeChange::Nothing);
    }
    for _ in 0..ATTEMPTS {
        let attempt = async {
            let transaction = db.begin().await?;
            let done = add_to(&transaction, event).await?;
            transaction.commit().await?;
            Ok(done)
        };
        if let Some(change) = db.run("add to notice", attempt).await? {
            return Ok(change);
        }
    }
    Ok(NoticeChange::Nothing)
}

/// The event was taken back: what its owner has not seen goes, what they have seen stays.
pub async fn take_back(db: &Db, event: &SocialEvent) -> Result<(), Error> {
    let take_back = async {
        let transaction = db.begin().await?;
        if let Some(row) = lock(&transaction, event).await? {
            take_from(&transaction, row, event.event).await?;
        }
        transaction.commit().await?;
        Ok(())
    };
    db.run("take back from notice", take_back).await
}

/// Deletes the notices about something that is gone.
pub async fn forget(db: &Db, kind: SocialKind, about: i64) -> Result<(), Error> {
    // A mention's subject goes on with `@` and its owner; `A` is what follows `@`. For the others both bounds are the same.
    let prefix = format!("{}{about}", kind.prefix());
    let (first, last) = match kind {
        SocialKind::Mentioned => (format!("{prefix}@"), format!("{prefix}A")),
        _ => (prefix.clone(), prefix),
    };
    let sql = "DELETE FROM tb_notice WHERE subject >= ? AND subject <= ? AND kind = ?";
    let values: [Value; 3] = [first.into(), last.into(), kind.notice().as_str().into()];
    db.run("forget notices", execute(db.writer(), sql, values))
        .await?;
    Ok(())
}

/// The kinds that the person has switched off.
pub async fn list_muted(db: &Db, user: UserId) -> Result<Vec<SocialKind>, Error> {
    let sql = "SELECT kind FROM tb_notice_mute WHERE user_id = ?";
    let statement = statement(db.reader(), sql, [user.get().into()]);
    let list = async {
        let rows = db.reader().query_all_raw(statement).await?;
        let kind = |row: &sea_orm::QueryResult| row.try_get::<String>("", "kind");
        rows.iter().map(kind).collect::<Result<Vec<_>, _>>()
    };
    let names = db.run("list muted notices", list).await?;
    let is_named = |kind: &SocialKind| names.iter().any(|name| name == kind.notice().as_str());
    Ok(SocialKind::ALL.into_iter().filter(is_named).collect())
}

/// Switches exactly these kinds off, and the others on.
pub async fn set_muted(db: &Db, user: UserId, muted: &[SocialKind]) -> Result<(), Error> {
    let set = async {
        let transaction = db.begin().await?;
        let delete = "DELETE FROM tb_notice_mute WHERE user_id = ?";
        execute(&transaction, delete, [user.get().into()]).await?;
        for kind in muted {
            let verb = insert_ignore(&transaction);
            let insert = format!("{verb} tb_notice_mute (user_id, kind) VALUES (?, ?)");
            let values: [Value; 2] = [user.get().into(), kind.notice().as_str().into()];
            execute(&transaction, insert, values).await?;
        }
        transaction.commit().await?;
        Ok(())
    };
    db.run("mute notices", set).await
}

struct LockedNotice {
    id: i64,
    is_read: bool,
    remembered: Remembered,
}

/// `None` if another transaction has just written the row.
async fn add_to(
    transaction: &DatabaseTransaction,
    event: &SocialEvent,
) -> Result<Option<NoticeChange>, DbErr> {
    let Some(mut row) = lock(transaction, event).await? else {
        if is_unwanted(transaction, event).await? {
            return Ok(Some(NoticeChange::Nothing));
        }
        let is_new = insert(transaction, event, &Remembered::of(event.event)).await?;
        return Ok(is_new.then_some(NoticeChange::News));
    };
    if row.is_read {
        row.remembered.mark_told();
    }
    if !row.remembered.add(event.event) || is_unwanted(transaction, event).await? {
        return Ok(Some(NoticeChange::Nothing));
    }
    if !row.is_read {
        write(transaction, &row).await?;
        return Ok(Some(NoticeChange::Nothing));
    }
    delete(transaction, row.id).await?;
    let is_new = insert(transaction, event, &row.remembered).await?;
    Ok(is_new.then_some(NoticeChange::News))
}

async fn take_from(
    transaction: &DatabaseTransaction,
    mut row: LockedNotice,
    event: i64,
) -> Result<(), DbErr> {
    if row.is_read || !row.remembered.take_back(event) {
        return Ok(());
    }
    if row.remembered.has_news() {
        return write(transaction, &row).await;
    }
    if !row.remembered.was_told() {
        return delete(transaction, row.id).await;
    }
    write(transaction, &row).await?;
    let read = "UPDATE tb_notice SET read_at = ? WHERE id = ?";
    let values: [Value; 2] = [time::now().into(), row.id.into()];
    execute(transaction, read, values).await?;
    Ok(())
}

async fn lock(
    transaction: &DatabaseTransaction,
    event: &SocialEvent,
) -> Result<Option<LockedNotice>, DbErr> {
    let select = format!(
        "SELECT id, payload, read_at FROM tb_notice WHERE subject = ? AND kind = ? {}",
        sql::for_update(crate::Backend::of(transaction))
    );
    let values: [Value; 2] = [
        event.kind.subject(event.about, event.owner).into(),
        event.kind.notice().as_str().into(),
    ];
    let found = transaction
        .query_one_raw(statement(transaction, select, values))
        .await?;
    let Some(row) = found else { return Ok(None) };
    let (payload, read_at): (String, Option<chrono::NaiveDateTime>) =
        (row.try_get("", "payload")?, row.try_get("", "read_at")?);
    Ok(Some(LockedNotice {
        id: row.try_get("", "id")?,
        is_read: read_at.is_some(),
        remembered: Remembered::parse(&payload),
    }))
}

/// Whether the owner has switched the kind off, or blocks the actor.
async fn is_unwanted(
    transaction: &DatabaseTransaction,
    event: &SocialEvent,
) -> Result<bool, DbErr> {
    let sql = "SELECT 1 AS found FROM tb_notice_mute WHERE user_id = ? AND kind = ? \
        UNION ALL SELECT 1 AS found FROM tb_block WHERE user_id = ? AND blocked_user_id = ?";
    let values: [Value; 4] = [
        event.owner.get().into(),
        event.kind.notice().as_str().into(),
        event.owner.get().into(),
        event.actor.get().into(),
    ];
    let statement = statement(transaction, sql, values);
    Ok(transaction.query_one_raw(statement).await?.is_some())
}

async fn insert(
    transaction: &DatabaseTransaction,
    event: &SocialEvent,
    remembered: &Remembered,
) -> Result<bool, DbErr> {
    let verb = insert_ignore(transaction);
    let sql = format!(
        "{verb} tb_notice (user_id, kind, subject, payload, create_time) VALUES (?, ?, ?, ?, ?)"
    );
    let values: [Value; 5] = [
        event.owner.get().into(),
        event.kind.notice().as_str().into(),
        event.kind.subject(event.about, event.owner).into(),
        remembered.to_payload().into(),
        time::now().into(),
    ];
    Ok(execute(transaction, sql, values).await? == 1)
}

async fn write(transaction: &DatabaseTransaction, row: &LockedNotice) -> Result<(), DbErr> {
    let update = "UPDATE tb_notice SET payload = ? WHERE id = ?";
    let values: [Value; 2] = [row.remembered.to_payload().into(), row.id.into()];
    execute(transaction, update, values).await?;
    Ok(())
}

async fn delete(transaction: &DatabaseTransaction, id: i64) -> Result<(), DbErr> {
    execute(
        transaction,
        "DELETE FROM tb_notice WHERE id = ?",
        [id.into()],
    )
    .await?;
    Ok(())
}
