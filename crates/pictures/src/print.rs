//! From a file to the two prints that are kept.
//!
//! The order of the steps keeps memory low: the picture is flattened where it lies and made small at once; turning and
//! the fine filter only ever see the small one. Of something animated the first picture is kept.

use bytes::Bytes;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, Rgba};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::Unfit;
use crate::header::{Header, limits, unfit};

/// The long side of the full print: the width of a large phone, twice over.
pub const FULL_SIDE: u32 = 1_600;

/// The long side of the small print: half a phone's width at its density.
pub const SMALL_SIDE: u32 = 400;

/// Where a photo has no visible faults and is half the size of 90.
const QUALITY: u8 = 82;

/// Below this the coarse filter, which averages, leaves the rest to the fine one.
const COARSE_FACTOR: u32 = 2;

/// The same picture twice, as JPEG.
#[derive(Clone, Debug)]
pub struct Prints {
    pub full: Bytes,
    pub small: Bytes,
}

/// Decodes a picture and makes both prints of it. Takes up to a few seconds: not for async code, see
/// [`Studio`](crate::Studio).
pub fn develop(bytes: &[u8]) -> Result<Prints, Unfit> {
    develop_from(Header::read(bytes)?)
}

pub(crate) fn develop_from(header: Header<'_>) -> Result<Prints, Unfit> {
    let (picture, orientation) = decode(header)?;
    let mut full = shrink(flatten(picture), FULL_SIDE);
    full.apply_orientation(orientation);
    let prints = (encode(&full), encode(&shrink(full, SMALL_SIDE)));
    Ok(Prints {
        full: prints.0,
        small: prints.1,
    })
}

fn decode(header: Header<'_>) -> Result<(DynamicImage, Orientation), Unfit> {
    let mut decoder = header.into_decoder();
    decoder
        .set_limits(limits())
        .map_err(|error| unfit(&error))?;
    // Without a legible word about it the picture stands as it is.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| unfit(&error))?;
    Ok((picture, orientation))
}

/// JPEG knows no transparency: what shines through is the white of a page.
fn flatten(picture: DynamicImage) -> DynamicImage {
    if !picture.color().has_alpha() {
        return picture;
    }
    let mut pixels = picture.into_rgba8();
    for pixel in pixels.pixels_mut() {
        let Rgba([red, green, blue, alpha]) = *pixel;
        *pixel = Rgba([
            over_white(red, alpha),
            over_white(green, alpha),
            over_white(blue, alpha),
            u8::MAX,
        ]);
    }
    DynamicImage::ImageRgba8(pixels)
}

fn over_white(colour: u8, alpha: u8) -> u8 {
    let (colour, alpha, white) = (u32::from(colour), u32::from(alpha), u32::from(u8::MAX));
    let mixed = (colour * alpha + white * (white - alpha) + white / 2) / white;
    u8::try_from(mixed).unwrap_or(u8::MAX)
}

/// In RGB, with at most `side` pixels on its long side; never larger than it was.
fn shrink(picture: DynamicImage, side: u32) -> DynamicImage {
    let coarse_side = side * COARSE_FACTOR;
    let long_side = picture.width().max(picture.height());
    let coarse = if long_side > coarse_side {
        picture.thumbnail(coarse_side, coarse_side)
    } else {
        picture
    };
    let coarse = DynamicImage::ImageRgb8(coarse.into_rgb8());
    if long_side > side {
        coarse.resize(side, side, FilterType::Lanczos3)
    } else {
        coarse
    }
}

fn encode(picture: &DynamicImage) -> Bytes {
    let pixels = picture.to_rgb8();
    let [width, height] = [pixels.width(), pixels.height()]
        .map(|side| u16::try_from(side).expect("a print is at most 1,600 pixels a side"));
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    encoder
        .encode(&pixels, width, height, ColorType::Rgb)
        .expect("a picture of at least one pixel can be written to memory");
    file.into()
}
