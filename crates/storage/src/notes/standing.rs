//! Whether a note is there to be seen, and what it counts for: for those who keep views of it.

use domain::NoteId;
use sea_orm::{ConnectionTrait, DbErr, EntityTrait, QuerySelect};

use super::HIDDEN;
use crate::entity::blog::{Column, Entity};
use crate::{Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    Gone,
    /// By a moderator; it may come back.
    Hidden,
    Shown {
        likes: u32,
    },
}

/// `false` also for one that is not there.
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
pub async fn get_standing(db: &Db, id: NoteId) -> Result<Standing, Error> {
    let find = Entity::find_by_id(id.get())
        .select_only()
        .columns([Column::Status, Column::Liked])
        .into_tuple::<(i16, i32)>()
        .one(db.reader());
    Ok(match db.run("look at note", find).await? {
        None => Standing::Gone,
        Some((HIDDEN, _)) => Standing::Hidden,
        Some((_, likes)) => Standing::Shown {
            likes: u32::try_from(likes).unwrap_or(0),
        },
    })
}
