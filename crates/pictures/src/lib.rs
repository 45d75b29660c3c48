//! Uploaded pictures: checked, re-encoded in two sizes, stored in a folder or in a bucket.
//!
//! The uploaded file itself is never stored or served. Its header is checked against limits before it is decoded, and
//! what is stored is a new JPEG of the pixels: metadata (GPS position, names), scripts and appended files are dropped.
//! The orientation is applied to the pixels.
//!
//! [`PictureProcessor`] re-encodes pictures, a few at a time; [`PictureFileStore`] stores them under a [`PictureName`].

mod file_store;
mod header;
mod name;
mod processor;
mod reencode;
mod webp;

pub use file_store::{FileStoreError, PictureFileStore, S3Bucket, StoredFile};
pub use header::{MAX_BYTES, MAX_DECODED_BYTES, MAX_PIXELS, MAX_SIDE};
pub use name::{PictureName, Size};
pub use processor::{PictureProcessor, ProcessError, ProcessingSlot};
pub use reencode::{FULL_SIDE, ReencodedPicture, SMALL_SIDE, reencode};

use thiserror::Error;

/// Why a file is rejected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PictureRejection {
    /// Another format, not a picture, or a damaged one.
    #[error("the file is not a readable JPEG, PNG or WebP")]
    Unsupported,
    /// More bytes, pixels or bytes per pixel than the limits allow.
    #[error("the picture is too large")]
    TooLarge,
}
