//! Pictures that people send: uploaded, looked at, deleted, and cleared away when nothing came of them.
//!
//! SQL knows whose each picture is and what uses it; the shelf has its prints. The row is there before the prints and
//! goes after them, so that no print is ever without one.

mod clean;
mod in_flight;
mod upload;

pub use clean::{clean, run_cleaning};
pub use pictures::{Bucket, Found, MAX_BYTES, Shelf, ShelfError, Size};
pub use storage::uploads::PictureAccess;
pub use upload::{Upload, access, begin_upload, delete, find, path_of, upload};

use in_flight::UploadsInFlight;
use pictures::Studio;

/// What is needed to take pictures in, and the site's rules for it.
#[derive(Debug)]
pub struct Pictures {
    studio: Studio,
    in_flight: UploadsInFlight,
    shelf: Shelf,
    rules: PictureRules,
}

#[derive(Clone, Debug)]
pub struct PictureRules {
    /// How many one person may keep.
    pub max_per_user: u64,
    pub uploads_per_user_per_hour: u32,
    /// How many uploads this process takes at once; each may hold a whole file.
    pub max_in_flight: usize,
    /// How many of them may be one person's.
    pub max_in_flight_per_user: usize,
}

impl Pictures {
    pub fn new(shelf: Shelf, rules: PictureRules) -> Self {
        Self {
            studio: Studio::new(rules.max_in_flight),
            in_flight: UploadsInFlight::default(),
            shelf,
            rules,
        }
    }

    pub fn shelf(&self) -> &Shelf {
        &self.shelf
    }
}
