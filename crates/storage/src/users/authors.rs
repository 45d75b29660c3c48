//! What pages of notes say about authors, for a cache.

use domain::UserId;
use domain::harmless::shown_name;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QuerySelect};
use serde::{Deserialize, Serialize};

use crate::entity::user::{Column, Entity};
use crate::sql::IDS_PER_QUERY;
use crate::{Db, Error};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    pub name: String,
    pub icon: String,
}

/// In no particular order; ids without a row are left out. Reads the primary.
pub async fn get_authors_for_fill(db: &Db, ids: &[UserId]) -> Result<Vec<(UserId, Author)>, Error> {
    let mut authors = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let find = Entity::find()
            .select_only()
            .columns([Column::Id, Column::NickName, Column::Icon])
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.get())))
            .into_tuple::<(i64, String, String)>()
            .all(db.reader());
        let rows = db.run("get authors", find).await?;
        authors.extend(rows.into_iter().map(|(id, name, icon)| {
            let (name, icon) = (shown_name(name), shown_name(icon));
            (UserId::new(id), Author { name, icon })
        }));
    }
    Ok(authors)
}
