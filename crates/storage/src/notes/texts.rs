//! The part of a note that stays as its author left it, for a cache: edits change it, and an import of its pictures.

use domain::harmless::{shown_content, shown_name, shown_plain};
use domain::{Aspects, Mention, NoteId, Opinion, ShopId, UserId};
use jiff::Timestamp;
use sea_orm::{ColumnTrait, DerivePartialModel, EntityTrait, QueryFilter};
use serde::{Deserialize, Serialize};

use super::opinion::from_stored;
use crate::entity::blog::{Column, Entity};
use crate::sql::IDS_PER_QUERY;
use crate::{Db, Error, mentions, time, topics};

/// Of any note, hidden ones included: SQL says which are shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteText {
    pub id: NoteId,
    pub shop_id: ShopId,
    pub author: UserId,
    pub title: String,
    /// Addresses of pictures, separated by commas.
    pub images: String,
    pub content: String,
    /// 1 to 5, for the shop.
    pub stars: Option<u8>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
    /// How often its author changed it; 0 in an entry of a version that did not know.
    #[serde(default)]
    pub edits: u32,
    #[serde(default)]
    pub edited_at: Option<Timestamp>,
    /// Who is named in the content.
    #[serde(default)]
    pub mentions: Vec<Mention>,
    /// Those that lists of topics have the note under, as it has them.
    #[serde(default)]
    pub topics: Vec<String>,
    #[serde(default)]
    pub opinion: Opinion,
}

#[derive(DerivePartialModel)]
#[sea_orm(entity = "Entity")]
struct TextRow {
    id: i64,
    shop_id: i64,
    user_id: i64,
    title: String,
    images: String,
    content: String,
    score: Option<i16>,
    create_time: chrono::NaiveDateTime,
    update_time: chrono::NaiveDateTime,
    edits: i32,
    edited_at: Option<chrono::NaiveDateTime>,
    rating_main: Option<i16>,
    rating_surroundings: Option<i16>,
    rating_service: Option<i16>,
    dishes: String,
}

/// Outbox payload of a changed text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoteTextChanged {
    pub id: NoteId,
    /// Whom the change mentions, and the text before did not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mentioned: Vec<UserId>,
    /// Whom it mentions no longer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unmentioned: Vec<UserId>,
}

impl NoteTextChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "note_text_changed";
}

/// In no particular order; ids without a row are left out. Reads the primary.
pub async fn get_texts_for_fill(db: &Db, ids: &[NoteId]) -> Result<Vec<NoteText>, Error> {
    let mut texts = Vec::with_capacity(ids.len());
    for chunk in ids.chunks(IDS_PER_QUERY) {
        let find = Entity::find()
            .filter(Column::Id.is_in(chunk.iter().map(|id| id.get())))
            .into_partial_model::<TextRow>()
            .all(db.reader());
        let rows = db.run("get texts of notes", find).await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mentions = mentions::of_notes(db.reader(), &ids);
        let mut mentions = db.run("get mentions of notes", mentions).await?;
        let names = topics::names_of_notes(db.reader(), &ids);
        let mut names = db.run("get topics of notes", names).await?;
        texts.extend(rows.into_iter().map(|row| {
            let mentions = mentions.remove(&row.id).unwrap_or_default();
            let topics = names.remove(&row.id).unwrap_or_default();
            NoteText {
                mentions,
                topics,
                ..NoteText::from_row(row)
            }
        }));
    }
    Ok(texts)
}

impl NoteText {
    fn from_row(row: TextRow) -> Self {
        let ratings = Aspects {
            main: row.rating_main,
            surroundings: row.rating_surroundings,
            service: row.rating_service,
        };
        Self {
            id: NoteId::new(row.id),
            shop_id: ShopId::new(row.shop_id),
            author: UserId::new(row.user_id),
            title: shown_plain(row.title),
            images: shown_name(row.images),
            content: shown_content(row.content),
            stars: row.score.and_then(|stars| u8::try_from(stars).ok()),
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
            edits: row.edits.unsigned_abs(),
            edited_at: row.edited_at.map(time::from_sql),
            mentions: Vec::new(),
            topics: Vec::new(),
            opinion: from_stored(ratings, &row.dishes),
        }
    }
}
