//! Whether a note is visible, its likes and its revision: for maintaining derived views.

use domain::NoteId;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QuerySelect};

use super::HIDDEN;
use crate::entity::blog::{Column, Entity};
use crate::{Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteState {
    Gone,
    /// Hidden by a moderator; it may be shown again.
    Hidden {
        revision: u64,
    },
    Shown {
        likes: u32,
        revision: u64,
    },
}

/// `false` also for a deleted note.
pub(crate) async fn is_hidden(connection: &impl ConnectionTrait, id: i64) -> Result<bool, DbErr> {
    let status = Entity::find_by_id(id)
        .select_only()
        .column(Column::Status)
        .into_tuple::<i16>()
        .one(connection)
        .await?;
    Ok(status == Some(HIDDEN))
}

/// Never lags.
pub async fn get_state(db: &Db, id: NoteId) -> Result<NoteState, Error> {
    let find = Entity::find_by_id(id.get())
        .select_only()
        .columns([Column::Status, Column::Liked, Column::Revision])
        .into_tuple::<(i16, i32, i64)>()
        .one(db.reader());
    let Some((status, likes, revision)) = db.run("get note state", find).await? else {
        return Ok(NoteState::Gone);
    };
    let revision = revision.unsigned_abs();
    Ok(match status {
        HIDDEN => NoteState::Hidden { revision },
        _ => NoteState::Shown {
            likes: u32::try_from(likes).unwrap_or(0),
            revision,
        },
    })
}
