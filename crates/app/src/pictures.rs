//! Pictures that people send: uploaded, looked at, deleted, and cleared away when nothing came of them.
//!
//! SQL knows whose each picture is and what uses it; the shelf has its prints. The row is there before the prints and
//! goes after them, so that no print is ever without one.

mod clean;
mod in_hand;
mod upload;

pub use clean::{clean, run_cleaning};
pub use pictures::{Bucket, Found, MAX_BYTES, Shelf, ShelfError, Size};
pub use storage::uploads::Sight;
pub use upload::{Upload, begin_upload, delete, find, path_of, sight, upload};

use in_hand::InHand;
use pictures::Studio;

/// What is needed to take pictures in, and the site's rules for it.
#[derive(Debug)]
pub struct Pictures {
    studio: Studio,
    in_hand: InHand,
    shelf: Shelf,
    rules: PictureRules,
}

#[derive(Clone, Debug)]
pub struct PictureRules {
    /// How many one person may keep.
    pub max_per_user: u64,
    pub uploads_per_user_per_hour: u32,
    /// How many uploads this process takes at once; each may hold a whole file.
    pub max_in_hand: usize,
    /// How many of them may be one person's.
    pub max_in_hand_per_user: usize,
}

impl Pictures {
    pub fn new(shelf: Shelf, rules: PictureRules) -> Self {
        Self {
            studio: Studio::new(rules.max_in_hand),
            in_hand: InHand::default(),
            shelf,
            rules,
        }
    }

    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }
}
