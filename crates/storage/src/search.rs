//! The search over shops, notes and people: `tb_search_gram`, an index of the grams of their texts (`domain::search`).
//!
//! Invariant: every gram of a text has its row, once [`backfill`](backfill::index_next) has passed it. An extra row is
//! harmless, because whoever reads candidates compares the texts themselves; a missing row would hide something. So grams
//! are written in the transaction that writes the text.
//!
//! A word that is everywhere has millions of rows, so nothing here reads all of them: [`find_window`] looks at
//! [`WINDOW_ROWS`] rows of the needle's rarest gram, and says where the next window begins.

mod backfill;
mod find;
mod index;
mod read;

pub use backfill::{Backfill, BackfillStep, index_next, restart};
pub use find::{SearchPlan, WINDOW_ROWS, Window, find_window, plan};
pub(crate) use index::{IndexedText, NoteWords, index_note, replace, write};
pub use read::{FoundNote, FoundPerson, list_notes, list_people, with_deals};

/// What is searched. The codes are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SearchKind {
    Shops = 1,
    Notes = 2,
    People = 3,
}

impl SearchKind {
    pub const ALL: [Self; 3] = [Self::Shops, Self::Notes, Self::People];

    const fn code(self) -> i16 {
        self as i16
    }

    /// In logs and progress output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shops => "shops",
            Self::Notes => "notes",
            Self::People => "people",
        }
    }
}
