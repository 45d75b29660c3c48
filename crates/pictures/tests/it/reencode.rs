//! Honest pictures: sizes, orientation, colours and metadata after re-encoding.

use image::{ImageFormat, Rgb};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use pictures::{PictureRejection, reencode};

use crate::{decode, picture};

/// Red on the left and blue on the right, 48 × 32; its EXIF orientation says to rotate it to the right.
const TURNED: [&[u8]; 2] = [
    include_bytes!("files/turned.jpg"),
    include_bytes!("files/turned.webp"),
];

#[derive(Debug, PartialEq, Eq)]
enum Colour {
    Red,
    Blue,
    White,
    Other,
}

fn colour_at(file: &[u8], x: u32, y: u32) -> Colour {
    let Rgb([red, green, blue]) = *decode(file).to_rgb8().get_pixel(x, y);
    match (red > 150, green > 150, blue > 150) {
        (true, false, false) => Colour::Red,
        (false, false, true) => Colour::Blue,
        (true, true, true) => Colour::White,
        _ => Colour::Other,
    }
}

fn size(file: &[u8]) -> (u32, u32) {
    let picture = decode(file);
    (picture.width(), picture.height())
}

#[test]
fn a_large_picture_becomes_two_of_the_same_shape() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let reencoded = reencode(&picture(format, 4_000, 3_000)).unwrap();
        assert_eq!(size(&reencoded.full), (1_600, 1_200));
        assert_eq!(size(&reencoded.small), (400, 300));
    }
}

#[test]
fn a_small_picture_is_not_made_larger() {
    let reencoded = reencode(&picture(ImageFormat::Png, 500, 20)).unwrap();
    assert_eq!(size(&reencoded.full), (500, 20));
    assert_eq!(size(&reencoded.small), (400, 16));
    let reencoded = reencode(&picture(ImageFormat::Png, 1, 1)).unwrap();
    assert_eq!(size(&reencoded.small), (1, 1));
}

#[test]
fn the_thinnest_picture_keeps_a_pixel() {
    let reencoded = reencode(&picture(ImageFormat::Png, 20_000, 1)).unwrap();
    assert_eq!(size(&reencoded.full), (1_600, 1));
    assert_eq!(size(&reencoded.small), (400, 1));
}

#[test]
fn a_picture_is_upright_and_carries_no_metadata() {
    for file in TURNED {
        let reencoded = reencode(file).unwrap();
        assert_eq!(size(&reencoded.full), (32, 48));
        assert_eq!(colour_at(&reencoded.full, 16, 8), Colour::Red);
        assert_eq!(colour_at(&reencoded.full, 16, 40), Colour::Blue);
        for metadata in [&b"Exif"[..], b"secret camera", b"GPS"] {
            let is_kept = reencoded
                .full
                .windows(metadata.len())
                .any(|part| part == metadata);
            assert!(!is_kept, "{}", String::from_utf8_lossy(metadata));
        }
    }
}

/// Red on the left and blue on the right.
fn by_halves(tune: impl Fn(&mut Encoder<&mut Vec<u8>>)) -> Vec<u8> {
    let colour = |at: usize| match at % 64 < 32 {
        true => [200, 0, 0],
        false => [0, 0, 200],
    };
    let pixels: Vec<u8> = (0..64 * 64).flat_map(colour).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 80);
    tune(&mut encoder);
    encoder.encode(&pixels, 64, 64, ColorType::Rgb).unwrap();
    file
}

#[test]
fn colours_survive_every_jpeg_encoding() {
    let whole = by_halves(|encoder| encoder.set_sampling_factor(SamplingFactor::F_1_1));
    let coarse = by_halves(|encoder| encoder.set_sampling_factor(SamplingFactor::F_2_2));
    let progressive = by_halves(|encoder| {
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_progressive(true);
    });
    for file in [whole, coarse, progressive] {
        let reencoded = reencode(&file).unwrap();
        for y in [4, 30, 60] {
            assert_eq!(colour_at(&reencoded.full, 8, y), Colour::Red);
            assert_eq!(colour_at(&reencoded.full, 56, y), Colour::Blue);
        }
    }
}

#[test]
fn a_jpeg_with_one_scan_per_colour_is_refused() {
    let one_by_one = by_halves(|encoder| {
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_optimized_huffman_tables(true);
    });
    assert_eq!(
        reencode(&one_by_one).unwrap_err(),
        PictureRejection::Unsupported
    );
}

#[test]
fn the_first_frame_of_an_animation_is_kept() {
    let files: [&[u8]; 2] = [
        include_bytes!("files/animated.webp"),
        include_bytes!("files/animated.png"),
    ];
    for file in files {
        let reencoded = reencode(file).unwrap();
        assert_eq!(size(&reencoded.full), (48, 32));
        assert_eq!(colour_at(&reencoded.full, 8, 16), Colour::Red);
        assert_eq!(colour_at(&reencoded.full, 40, 16), Colour::Blue);
    }
}

#[test]
fn every_kind_of_the_three_formats_is_read() {
    let files: [&[u8]; 3] = [
        include_bytes!("files/cmyk.jpg"),
        include_bytes!("files/progressive.jpg"),
        include_bytes!("files/lossy.webp"),
    ];
    for file in files {
        let reencoded = reencode(file).unwrap();
        assert_eq!(colour_at(&reencoded.full, 8, 16), Colour::Red);
        assert_eq!(colour_at(&reencoded.full, 40, 16), Colour::Blue);
    }
}

#[test]
fn transparent_pixels_become_white() {
    let reencoded = reencode(include_bytes!("files/clear.png")).unwrap();
    assert_eq!(colour_at(&reencoded.full, 8, 16), Colour::White);
}

#[test]
fn a_photo_stays_small() {
    let mut photo = image::RgbImage::new(2_000, 1_500);
    for (x, y, pixel) in photo.enumerate_pixels_mut() {
        let [a, b] = [x, y].map(|side| (f64::from(side) / 97.0).sin() * 100.0 + 128.0);
        *pixel = Rgb([a as u8, b as u8, ((a + b) / 2.0) as u8]);
    }
    let mut file = std::io::Cursor::new(Vec::new());
    photo.write_to(&mut file, ImageFormat::Png).unwrap();
    let reencoded = reencode(file.get_ref()).unwrap();
    assert!(reencoded.full.len() < 200_000, "{}", reencoded.full.len());
    assert!(reencoded.small.len() < 20_000, "{}", reencoded.small.len());
}
