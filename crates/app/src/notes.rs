//! Notes: written, changed, read, liked, ranked, deleted.
//!
//! SQL is the source of truth: every list asks it which notes are shown and how many like them. What a note says comes from
//! a cache ([`texts`]). Redis keeps views: what each reader likes, the likers of each note, and all notes ranked by likes.
//! A change is one transaction with an outbox row, after which the views are updated; they may be late or twice, and in any
//! order (see [`views`]).
//!
//! | what happens | what the viewer sees |
//! |---|---|
//! | a view is not loaded (new site, flushed Redis) | a reply from SQL; the view is loaded in the background |
//! | Redis is unavailable | a reply from SQL |
//! | a note is deleted or hidden | it disappears at once: pages take their rows from SQL |

mod dishes;
mod drafts;
mod edit;
mod hot;
mod imported;
mod likes;
mod moderate;
mod publish;
mod read;
mod rebuild;
mod shown;
mod texts;
mod views;

use std::sync::Arc;

use cache::CacheHub;
use domain::{NoteId, TieBreak};
use storage::Db;
use storage::notes::NoteText;
use storage::users::Author;

use crate::shared_reads::SharedReads;
use texts::DescribedNote;

pub use dishes::{DISHES_PER_SHOP_MAX, RecommendedDish, list_dishes, list_of_dish};
pub use drafts::{delete_draft, list_drafts, save_draft};
pub use edit::edit;
pub use hot::{list_hot, list_hot_around};
pub(crate) use imported::{rank_again, show_imported_likes};
pub(crate) use likes::seen_by;
pub use likes::{like, list_first_likers};
pub(crate) use likes::{likes_among, see};
pub use moderate::{list_flagged, report, set_visibility};
pub use publish::{SubmittedNote, delete, publish};
pub use read::{get, list_of_author, list_of_shop};
pub(crate) use rebuild::rebuild;
pub(crate) use shown::get_shown;
pub(crate) use texts::{apply_text_change, describe, forget_author};
pub(crate) use views::{apply_deletion, apply_like, apply_publication};

/// A page of the original.
pub const NOTES_PER_PAGE: u32 = 10;

/// A note as one reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSeen {
    pub text: Arc<NoteText>,
    /// Absent if the account is gone.
    pub author: Option<Arc<Author>>,
    pub likes: u32,
    pub comments: u32,
    /// Whether the viewer likes it; absent for a guest.
    pub is_liked: Option<bool>,
}

/// Per-process state of notes.
#[derive(Debug)]
pub struct Notes {
    loads: views::ViewLoads,
    texts: texts::Texts,
    shown: shown::ShownNotes,
    /// Pages of the hot list, which many read at once.
    hot_pages: SharedReads<(u32, TieBreak), Vec<DescribedNote>>,
    /// Single notes.
    pages: SharedReads<NoteId, Vec<DescribedNote>>,
}

impl Notes {
    /// Must be called within a tokio runtime.
    pub fn new(caches: &CacheHub, db: &Db) -> Self {
        Self {
            loads: views::ViewLoads::default(),
            texts: texts::Texts::new(caches, db),
            shown: shown::ShownNotes::new(db),
            hot_pages: SharedReads::default(),
            pages: SharedReads::default(),
        }
    }
}
