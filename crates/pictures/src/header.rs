//! Checks a file's format and dimensions against the limits, before anything is decoded.
//!
//! Invariant: a [`Header`] exists only for a JPEG, PNG or WebP within all limits. The file's first bytes decide the
//! format; the name and content type of the upload are ignored.

use std::io::Cursor;

use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{ImageDecoder, ImageError, ImageResult, Limits};

use crate::{PictureRejection, webp};

/// Enough for a photo of a good camera; more would waste memory, because the full size has 1,600 pixels a side.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// Enough for a photo of a good camera. A file of a few bytes can declare any number.
pub const MAX_PIXELS: u64 = 40_000_000;

/// Longer than any camera or screen produces, panoramas included.
pub const MAX_SIDE: u32 = 20_000;

/// Four bytes a pixel. Pictures with 16 bits a channel may have fewer pixels only.
pub const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;

/// Memory of a decoder besides the pixels: profiles, palettes, texts.
const DECODER_BYTES: u64 = 32 * 1024 * 1024;

type FileReader<'a> = Cursor<&'a [u8]>;

/// A picture whose header was read and found to be within bounds.
pub(crate) struct Header<'a> {
    decoder: Box<dyn ImageDecoder + 'a>,
}

impl<'a> Header<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, PictureRejection> {
        if bytes.len() > MAX_BYTES {
            return Err(PictureRejection::TooLarge);
        }
        let decoder = open(bytes)?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        if width.max(height) > MAX_SIDE || pixels > MAX_PIXELS {
            return Err(PictureRejection::TooLarge);
        }
        if decoder.total_bytes() > MAX_DECODED_BYTES {
            return Err(PictureRejection::TooLarge);
        }
        if pixels == 0 {
            return Err(PictureRejection::Unsupported);
        }
        Ok(Self { decoder })
    }

    /// The size of the decoded picture in memory.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        self.decoder.total_bytes()
    }

    pub(crate) fn into_decoder(self) -> Box<dyn ImageDecoder + 'a> {
        self.decoder
    }
}

/// By the first bytes alone: the client chooses the name and the content type.
fn open(bytes: &[u8]) -> Result<Box<dyn ImageDecoder + '_>, PictureRejection> {
    let source = Cursor::new(bytes);
    let opened = match bytes {
        [0xFF, 0xD8, 0xFF, ..] if has_scan_per_component(bytes) => {
            return Err(PictureRejection::Unsupported);
        }
        [0xFF, 0xD8, 0xFF, ..] => open_jpeg(source),
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => open_png(source),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => match webp::checked(bytes) {
            Some(bytes) => open_webp(Cursor::new(bytes)),
            None => return Err(PictureRejection::Unsupported),
        },
        _ => return Err(PictureRejection::Unsupported),
    };
    opened.map_err(|error| rejection(&error))
}

/// Whether a JPEG is sequential with one scan per colour component. Hardly any program writes such files, and the decoder
/// turns them into green stripes: a refusal is better than a wrong picture.
fn has_scan_per_component(bytes: &[u8]) -> bool {
    const SEQUENTIAL: [u8; 2] = [0xC0, 0xC1];
    const START_OF_SCAN: u8 = 0xDA;
    let mut colours = None;
    let mut rest = bytes.get(2..).unwrap_or_default();
    while let [0xFF, marker, high, low, ..] = *rest {
        let length = usize::from(u16::from_be_bytes([high, low]));
        let Some(segment) = rest.get(4..2 + length) else {
            return false;
        };
        match marker {
            START_OF_SCAN => return colours.is_some_and(|colours| segment.first() < Some(colours)),
            _ if SEQUENTIAL.contains(&marker) => colours = segment.get(5),
            _ => {}
        }
        rest = &rest[2 + length..];
    }
    false
}

fn open_jpeg(source: FileReader<'_>) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    Ok(Box::new(JpegDecoder::new(source)?))
}

fn open_png(source: FileReader<'_>) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    Ok(Box::new(PngDecoder::with_limits(source, limits())?))
}

fn open_webp(source: FileReader<'_>) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    Ok(Box::new(WebPDecoder::new(source)?))
}

pub(crate) fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES + DECODER_BYTES);
    limits
}

pub(crate) fn rejection(error: &ImageError) -> PictureRejection {
    match error {
        ImageError::Limits(_) => PictureRejection::TooLarge,
        _ => PictureRejection::Unsupported,
    }
}
