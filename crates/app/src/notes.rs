//! Notes as people meet them: written, read, liked, ranked, deleted.
//!
//! SQL is the truth. Redis keeps two views of it: who likes a note, and all notes by their likes. A change is one
//! transaction with an outbox row in it. When it has committed, this process brings the views in line at once, as far as
//! Redis answers; the outbox does the same once more, however long that takes. Both read the rows anew instead of
//! carrying them, under the note's lock, so they may come late, twice or in any order (see [`views`]).
//!
//! | what happens | what the asker sees |
//! |---|---|
//! | a view is not loaded (new site, flushed Redis) | an answer from SQL; the view is loaded in the background |
//! | Redis is away | an answer from SQL |
//! | a note is deleted or hidden | it is on no page from that moment on: pages take their rows from SQL |

mod clean;
mod hot;
mod likes;
mod moderate;
mod publish;
mod read;
mod rebuild;
mod views;

use storage::notes::AuthoredNote;

pub(crate) use clean::plain as clean_text;
pub use hot::list_hot;
pub(crate) use likes::seen_by;
pub use likes::{like, list_first_likers};
pub use moderate::set_visibility;
pub use publish::{Draft, delete, publish};
pub use read::{get, list_of_author, list_of_shop};
pub(crate) use rebuild::rebuild;
pub(crate) use views::{apply_deletion, apply_like, apply_publication};

/// A page of the original.
pub const NOTES_PER_PAGE: u32 = 10;

/// A note as one reader sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoteSeen {
    pub shown: AuthoredNote,
    /// Whether the reader likes it; nobody knows for a reader who is not signed in.
    pub is_liked: Option<bool>,
}

/// What the notes of a process keep in memory.
#[derive(Debug, Default)]
pub struct Notes {
    loads: views::Loads,
}
