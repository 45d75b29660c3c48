//! Decodes an uploaded file and encodes it as JPEG in two sizes.
//!
//! The order of the steps keeps memory low: transparency is flattened in place and the picture is scaled down at once, so
//! rotation and the fine filter process the small one only. Of an animation the first frame is used.

use bytes::Bytes;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, Rgba};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use crate::PictureRejection;
use crate::header::{Header, limits, rejection};

/// The long side of the full size: the width of a large phone, twice over.
pub const FULL_SIDE: u32 = 1_600;

/// The long side of the small size: half a phone's width at its density.
pub const SMALL_SIDE: u32 = 400;

/// Photos show no visible artefacts at this quality, and files are half the size of 90.
const QUALITY: u8 = 82;

/// The averaging filter scales down to this multiple of the target; the fine filter does the rest.
const COARSE_FACTOR: u32 = 2;

/// One picture in both sizes, as JPEG.
#[derive(Clone, Debug)]
pub struct ReencodedPicture {
    pub full: Bytes,
    pub small: Bytes,
}

/// Decodes a picture and encodes both sizes. Takes up to a few seconds: not for async code, see
/// [`PictureProcessor`](crate::Studio).
pub fn reencode(bytes: &[u8]) -> Result<ReencodedPicture, PictureRejection> {
    reencode_from(Header::read(bytes)?)
}

pub(crate) fn reencode_from(header: Header<'_>) -> Result<ReencodedPicture, PictureRejection> {
    let (picture, orientation) = decode(header)?;
    let mut full = shrink(flatten(picture), FULL_SIDE);
    full.apply_orientation(orientation);
    Ok(ReencodedPicture {
        full: encode(&full),
        small: encode(&shrink(full, SMALL_SIDE)),
    })
}

fn decode(header: Header<'_>) -> Result<(DynamicImage, Orientation), PictureRejection> {
    let mut decoder = header.into_decoder();
    decoder
        .set_limits(limits())
        .map_err(|error| rejection(&error))?;
    // A picture without a readable orientation is not rotated.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let picture = DynamicImage::from_decoder(decoder).map_err(|error| rejection(&error))?;
    Ok((picture, orientation))
}

/// JPEG has no transparency: transparent pixels become white, the background of pages.
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

/// Converts to RGB with at most `side` pixels on the long side; never enlarges.
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
        .map(|side| u16::try_from(side).expect("both sizes have at most 1,600 pixels a side"));
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
