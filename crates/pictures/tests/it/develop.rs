//! What becomes of an honest picture.

use image::{ImageFormat, Rgb};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use pictures::{Unfit, develop};

use crate::{picture, print};

/// Red on the left and blue on the right, 48 × 32; a word in it says that it must be turned to the right.
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
    let Rgb([red, green, blue]) = *print(file).to_rgb8().get_pixel(x, y);
    match (red > 150, green > 150, blue > 150) {
        (true, false, false) => Colour::Red,
        (false, false, true) => Colour::Blue,
        (true, true, true) => Colour::White,
        _ => Colour::Other,
    }
}

fn size(file: &[u8]) -> (u32, u32) {
    let print = print(file);
    (print.width(), print.height())
}

#[test]
fn a_large_picture_becomes_two_of_the_same_shape() {
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
        let prints = develop(&picture(format, 4_000, 3_000)).unwrap();
        assert_eq!(size(&prints.full), (1_600, 1_200));
        assert_eq!(size(&prints.small), (400, 300));
    }
}

#[test]
fn a_small_picture_is_not_made_larger() {
    let prints = develop(&picture(ImageFormat::Png, 500, 20)).unwrap();
    assert_eq!(size(&prints.full), (500, 20));
    assert_eq!(size(&prints.small), (400, 16));
    let prints = develop(&picture(ImageFormat::Png, 1, 1)).unwrap();
    assert_eq!(size(&prints.small), (1, 1));
}

#[test]
fn the_thinnest_picture_keeps_a_pixel() {
    let prints = develop(&picture(ImageFormat::Png, 20_000, 1)).unwrap();
    assert_eq!(size(&prints.full), (1_600, 1));
    assert_eq!(size(&prints.small), (400, 1));
}

#[test]
fn a_picture_stands_upright_and_tells_nothing_else() {
    for file in TURNED {
        let prints = develop(file).unwrap();
        assert_eq!(size(&prints.full), (32, 48));
        assert_eq!(colour_at(&prints.full, 16, 8), Colour::Red);
        assert_eq!(colour_at(&prints.full, 16, 40), Colour::Blue);
        for told in [&b"Exif"[..], b"secret camera", b"GPS"] {
            let tells = prints.full.windows(told.len()).any(|part| part == told);
            assert!(!tells, "{}", String::from_utf8_lossy(told));
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
fn colours_stay_what_they_are_however_a_file_tells_them() {
    let whole = by_halves(|encoder| encoder.set_sampling_factor(SamplingFactor::F_1_1));
    let coarse = by_halves(|encoder| encoder.set_sampling_factor(SamplingFactor::F_2_2));
    let progressive = by_halves(|encoder| {
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_progressive(true);
    });
    for file in [whole, coarse, progressive] {
        let prints = develop(&file).unwrap();
        for y in [4, 30, 60] {
            assert_eq!(colour_at(&prints.full, 8, y), Colour::Red);
            assert_eq!(colour_at(&prints.full, 56, y), Colour::Blue);
        }
    }
}

#[test]
fn colours_that_would_be_read_wrongly_are_refused() {
    let one_by_one = by_halves(|encoder| {
        encoder.set_sampling_factor(SamplingFactor::F_2_2);
        encoder.set_optimized_huffman_tables(true);
    });
    assert_eq!(develop(&one_by_one).unwrap_err(), Unfit::Unsupported);
}

#[test]
fn of_something_animated_the_first_picture_is_kept() {
    let files: [&[u8]; 2] = [
        include_bytes!("files/animated.webp"),
        include_bytes!("files/animated.png"),
    ];
    for file in files {
        let prints = develop(file).unwrap();
        assert_eq!(size(&prints.full), (48, 32));
        assert_eq!(colour_at(&prints.full, 8, 16), Colour::Red);
        assert_eq!(colour_at(&prints.full, 40, 16), Colour::Blue);
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
        let prints = develop(file).unwrap();
        assert_eq!(colour_at(&prints.full, 8, 16), Colour::Red);
        assert_eq!(colour_at(&prints.full, 40, 16), Colour::Blue);
    }
}

#[test]
fn what_is_transparent_shows_the_white_of_a_page() {
    let prints = develop(include_bytes!("files/clear.png")).unwrap();
    assert_eq!(colour_at(&prints.full, 8, 16), Colour::White);
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
    let prints = develop(file.get_ref()).unwrap();
    assert!(prints.full.len() < 200_000, "{}", prints.full.len());
    assert!(prints.small.len() < 20_000, "{}", prints.small.len());
}
