//! That a comment came, went or was hidden, for the notices of those whom it concerns.

use domain::{CommentId, NoteId, UserId};
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QuerySelect};
use serde::{Deserialize, Serialize};

use super::HIDDEN;
use crate::entity::blog;
use crate::entity::blog_comment::{Column, Entity, Model};
use crate::notes::HIDDEN as HIDDEN_NOTE;
use crate::{Db, Error, mentions, outbox};

/// Outbox payload of a comment that was written, deleted, hidden or shown. The effect reads the present state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommentChanged {
    pub id: CommentId,
    pub author: UserId,
    pub note: NoteId,
    /// The comment that it answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answered: Option<CommentId>,
    /// Who is named in it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned: Vec<UserId>,
}

impl CommentChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "comment_changed";
}

/// Whom a comment concerns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommentPlace {
    /// Whether it is there and not hidden.
    pub is_shown: bool,
    /// Whether readers see it: its note is shown too.
    pub is_seen: bool,
    /// Absent if the note is gone.
    pub note_author: Option<UserId>,
    /// Absent if it answers nothing that is left.
    pub answered_author: Option<UserId>,
}

/// Reads the primary.
pub async fn get_place(db: &Db, comment: &CommentChanged) -> Result<CommentPlace, Error> {
    let read = async {
        let find = Entity::find_by_id(comment.id.get())
            .one(db.reader())
            .await?;
        let note = blog::Entity::find_by_id(comment.note.get())
            .select_only()
            .columns([blog::Column::UserId, blog::Column::Status])
            .into_tuple::<(i64, i16)>()
            .one(db.reader())
            .await?;
        let answered = match comment.answered {
            None => None,
            Some(answered) => {
                Entity::find_by_id(answered.get())
                    .select_only()
                    .column(Column::UserId)
                    .into_tuple::<i64>()
                    .one(db.reader())
                    .await?
            }
        };
        let is_shown = find.is_some_and(|row| row.status != HIDDEN);
        Ok(CommentPlace {
            is_shown,
            is_seen: is_shown && note.is_some_and(|(_, status)| status != HIDDEN_NOTE),
            note_author: note.map(|(author, _)| UserId::new(author)),
            answered_author: answered.map(UserId::new),
        })
    };
    db.run("get place of comment", read).await
}

/// Call it in the transaction of the change, which holds the lock of the note, while the mentions are there.
pub(super) async fn enqueue_change(
    transaction: &impl ConnectionTrait,
    row: &Model,
) -> Result<(), DbErr> {
    let answered = [row.answer_id, row.parent_id]
        .into_iter()
        .find(|id| *id != 0);
    let mentioned = mentions::of_comments(transaction, &[row.id]).await?;
    let mentioned = mentioned.into_values().flatten();
    let changed = CommentChanged {
        id: CommentId::new(row.id),
        author: UserId::new(row.user_id),
        note: NoteId::new(row.blog_id),
        answered: answered.map(CommentId::new),
        mentioned: mentioned.map(|it| it.user).collect(),
    };
    let key = format!("comment:{}", row.id);
    outbox::append(transaction, CommentChanged::KIND, &key, &changed).await
}
