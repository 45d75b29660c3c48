//! The search over shops, notes and people.
//!
//! SQL's index (`storage::search`) gives candidates, the newest first, in windows of bounded size. Here their texts are
//! compared with the needle, and those of a window are ranked. So a page costs the same for a word that is everywhere; the
//! price is that rank orders rows of one window, not of all.
//!
//! A list is walked in stages, each excluding what those before it show: names that are the needle, then the shops nearest
//! to the caller, then all the rest. The cursor names the stage, the window and the rank in it, so pages neither repeat nor
//! skip while rows come and go.

mod backfill;
mod cursor;
mod notes;
mod people;
mod shops;
mod walk;
mod words;

pub use backfill::{index_all, run_backfill};
pub use cursor::SearchCursor;
pub use notes::search_notes;
pub use people::search_people;
pub use shops::{ShopFilter, ShopQuery, search_shops, suggest_shops};
pub use words::{SearchWords, admit, count_search, list_hot_words};

use crate::PageSize;

/// Items on a page.
pub const FOUND_PER_PAGE: PageSize = PageSize::new(10);
