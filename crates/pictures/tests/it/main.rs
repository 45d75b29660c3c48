//! Uploaded pictures, hostile ones among them, and the store of their files.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers, which the lint takes for ordinary code"
)]

mod file_store;
mod hostile;
mod reencode;

use image::{DynamicImage, ImageFormat};

/// A JPEG, PNG or WebP of plain colour.
fn picture(format: ImageFormat, width: u32, height: u32) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    let picture = DynamicImage::new_rgb8(width, height);
    picture.write_to(&mut file, format).unwrap();
    file.into_inner()
}

/// Decodes a stored file.
fn decode(file: &[u8]) -> DynamicImage {
    image::load_from_memory_with_format(file, ImageFormat::Jpeg).unwrap()
}
