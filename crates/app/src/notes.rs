//! Notes: written, read, liked, ranked, deleted.
//!
//! SQL is the source of truth. Redis keeps two views: the likers of each note, and all notes ranked by likes. A
//! change is one transaction with an outbox row. After the commit this process updates the views at once, if Redis
//! answers; the outbox does it again. Both read the rows under the note's lock instead of carrying them, so they may
//! run late, twice or in any order (see [`views`]).
//!
//! | what happens | what the viewer sees |
//! |---|---|
//! | a view is not loaded (new site, flushed Redis) | a reply from SQL; the view is loaded in the background |
//! | Redis is unavailable | a reply from SQL |
//! | a note is deleted or hidden | it disappears at once: pages take their rows from SQL |

mod hot;
mod imported;
mod likes;
mod moderate;
mod publish;
mod read;
mod rebuild;
mod views;

use storage::notes::AuthoredNote;

pub use hot::list_hot;
pub(crate) use imported::{rank_again, show_imported_likes};
pub(crate) use likes::seen_by;
pub use likes::{like, list_first_likers};
pub use moderate::set_visibility;
pub use publish::{SubmittedNote, delete, publish};
pub use read::{get, list_of_author, list_of_shop};
pub(crate) use rebuild::rebuild;
pub(crate) use views::{apply_deletion, apply_like, apply_publication};

/// A page of the original.
pub const NOTES_PER_PAGE: u32 = 10;

/// A note as one reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSeen {
    pub shown: AuthoredNote,
    /// Whether the viewer likes it; absent for a guest.
    pub is_liked: Option<bool>,
}

/// Per-process state of notes.
#[derive(Debug, Default)]
pub struct Notes {
    loads: views::ViewLoads,
}
