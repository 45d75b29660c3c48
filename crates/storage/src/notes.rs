//! Notes: `tb_blog`.
//!
//! Publishing and deleting are one transaction each: the row, the shop's counters, the use of pictures, and the
//! outbox rows for caches and feeds. Likes and comments of a deleted note are purged afterwards in batches
//! ([`purge`]): there may be millions, and no page shows them any more.

mod delete;
mod dishes;
mod edit;
mod hide;
mod lists;
mod opinion;
mod publish;
mod report;
pub(crate) mod shop_counts;
mod shown;
mod state;
mod texts;
mod timeline;

use domain::harmless::{shown_content, shown_name, shown_plain};
use domain::{NoteId, ShopId, UserId};
use jiff::Timestamp;
use sea_orm::ColumnTrait as _;
use sea_orm::sea_query::SimpleExpr;

pub use delete::{NoteDeleteRefusal, NoteDeleted, delete, purge};
pub use dishes::{RecommendedDish, list_dishes, list_of_dish};
pub use edit::{NoteEdit, NoteEditRefusal, edit};
pub use hide::{Visibility, set_visibility};
pub use lists::{
    AuthoredNote, ListOf, ListedNote, NoteLikes, count_of_author, get, list, list_authors,
    list_hot, list_likes,
};
pub(crate) use opinion::{stored_dishes, stored_ratings};
pub use publish::{NewNote, NotePublished, PublishRefusal, publish};
pub use report::{FlaggedNote, list_flagged, report};
pub use shown::{NotesAsked, get_shown};
pub(crate) use state::is_hidden;
pub use state::{NoteState, get_state};
pub use texts::{NoteText, NoteTextChanged, get_texts_for_fill};
pub use timeline::{TimelinePosition, list_feed, list_timeline};

use crate::entity::blog::{Column, Model};
use crate::search::NoteWords;
use crate::time;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    pub id: NoteId,
    pub shop_id: ShopId,
    pub author: UserId,
    pub title: String,
    /// Addresses of pictures, separated by commas.
    pub images: String,
    pub content: String,
    pub likes: u32,
    pub comments: u32,
    /// 1 to 5, for the shop.
    pub stars: Option<u8>,
    pub is_hidden: bool,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// Hidden by a moderator.
pub(crate) const HIDDEN: i16 = 2;
const SHOWN: i16 = 0;
/// Reported by a reader: still visible, and in the moderation queue.
const REPORTED: i16 = 1;

/// What the search finds a note by.
pub(crate) fn words_of(row: &Model) -> NoteWords<'_> {
    NoteWords {
        title: &row.title,
        content: &row.content,
    }
}

pub(crate) fn is_shown() -> SimpleExpr {
    Column::Status.ne(HIDDEN)
}

impl Note {
    fn from_row(row: Model) -> Self {
        let count = |counter: i32| u32::try_from(counter).unwrap_or(0);
        Self {
            id: NoteId::new(row.id),
            shop_id: ShopId::new(row.shop_id),
            author: UserId::new(row.user_id),
            title: shown_plain(row.title),
            images: shown_name(row.images),
            content: shown_content(row.content),
            likes: count(row.liked),
            comments: count(row.comments),
            stars: row.score.and_then(|stars| u8::try_from(stars).ok()),
            is_hidden: row.status == HIDDEN,
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
        }
    }
}
