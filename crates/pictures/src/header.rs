//! What a file says of itself, before anything is decoded: its format and its measures, held to our bounds.
//!
//! Invariant: a [`Header`] exists only for a JPEG, PNG or WebP within all bounds. The name and the type that came with
//! the file are not looked at; its first bytes decide.

use std::io::Cursor;

use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::PngDecoder;
use image::codecs::webp::WebPDecoder;
use image::{ImageDecoder, ImageError, ImageResult, Limits};

use crate::{Unfit, webp};

/// A photo of a good camera; more would be held in memory for nothing, because we keep 1,600 pixels a side.
pub const MAX_BYTES: usize = 10 * 1024 * 1024;

/// A photo of a good camera, again. A file of a few bytes can claim any number.
pub const MAX_PIXELS: u64 = 40_000_000;

/// Longer than any camera or screen makes them, panoramas included.
pub const MAX_SIDE: u32 = 20_000;

/// Four bytes a pixel. Pictures of more (16 bits a colour) may only have fewer pixels.
pub const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;

/// For what decoders need beside the picture itself: profiles, palettes, texts.
const DECODER_BYTES: u64 = 32 * 1024 * 1024;

type Source<'a> = Cursor<&'a [u8]>;

/// A picture whose header was read and found to be within bounds.
pub(crate) struct Header<'a> {
    decoder: Box<dyn ImageDecoder + 'a>,
}

impl<'a> Header<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Result<Self, Unfit> {
        if bytes.len() > MAX_BYTES {
            return Err(Unfit::TooLarge);
        }
        let decoder = open(bytes)?;
        let (width, height) = decoder.dimensions();
        let pixels = u64::from(width) * u64::from(height);
        if width.max(height) > MAX_SIDE || pixels > MAX_PIXELS {
            return Err(Unfit::TooLarge);
        }
        if decoder.total_bytes() > MAX_DECODED_BYTES {
            return Err(Unfit::TooLarge);
        }
        if pixels == 0 {
            return Err(Unfit::Unsupported);
        }
        Ok(Self { decoder })
    }

    /// How much the decoded picture takes.
    pub(crate) fn decoded_bytes(&self) -> u64 {
        self.decoder.total_bytes()
    }

    pub(crate) fn into_decoder(self) -> Box<dyn ImageDecoder + 'a> {
        self.decoder
    }
}

/// By the first bytes alone: whoever sends a file may call it what they like.
fn open(bytes: &[u8]) -> Result<Box<dyn ImageDecoder + '_>, Unfit> {
    let source = Cursor::new(bytes);
    let opened = match bytes {
        [0xFF, 0xD8, 0xFF, ..] if is_colour_by_colour(bytes) => return Err(Unfit::Unsupported),
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
        ] => match webp::sound(bytes) {
            Some(bytes) => open_webp(Cursor::new(bytes)),
            None => return Err(Unfit::Unsupported),
        },
        _ => return Err(Unfit::Unsupported),
    };
    opened.map_err(|error| unfit(&error))
}

/// Whether a JPEG that is not progressive tells its colours one after the other. Hardly any program writes that, and the
/// decoder makes green stripes of it: better no picture than another one.
fn is_colour_by_colour(bytes: &[u8]) -> bool {
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

fn open_jpeg(source: Source<'_>) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    Ok(Box::new(JpegDecoder::new(source)?))
}

fn open_png(source: Source<'_>) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    Ok(Box::new(PngDecoder::with_limits(source, limits())?))
}

fn open_webp(source: Source<'_>) -> ImageResult<Box<dyn ImageDecoder + '_>> {
    Ok(Box::new(WebPDecoder::new(source)?))
}

pub(crate) fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES + DECODER_BYTES);
    limits
}

pub(crate) fn unfit(error: &ImageError) -> Unfit {
    match error {
        ImageError::Limits(_) => Unfit::TooLarge,
        _ => Unfit::Unsupported,
    }
}
