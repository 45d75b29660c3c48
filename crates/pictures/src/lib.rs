//! Pictures that people send: checked, re-encoded in two sizes, kept in a folder or in a bucket.
//!
//! Nothing that a person sent is ever kept or served. A picture is decoded within bounds that its header is held to
//! first, and what is kept is a JPEG of our own making: whatever else was in the file (places, names, scripts, a second
//! file behind the first) is gone. Only the orientation lives on, in the pixels.
//!
//! [`Studio`] develops pictures, few at a time; [`Shelf`] keeps them under a [`PictureName`].

mod header;
mod name;
mod print;
mod shelf;
mod studio;
mod webp;

pub use header::{MAX_BYTES, MAX_DECODED_BYTES, MAX_PIXELS, MAX_SIDE};
pub use name::{PictureName, Size};
pub use print::{FULL_SIDE, Prints, SMALL_SIDE, develop};
pub use shelf::{Bucket, Found, Shelf, ShelfError};
pub use studio::{DevelopError, Place, Studio};

use thiserror::Error;

/// Why something is no picture for us.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Unfit {
    /// Another format, or not a picture at all, or one that is damaged.
    #[error("this is no JPEG, PNG or WebP that can be read")]
    Unsupported,
    /// More bytes, pixels or colours than we care to decode.
    #[error("the picture is too large")]
    TooLarge,
}
