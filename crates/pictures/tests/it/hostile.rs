//! What becomes of pictures that are sent to do harm: they are refused, or nothing of the harm is left.

use image::ImageFormat;
use pictures::{MAX_BYTES, Prints, Unfit, develop};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::{picture, print};

const SEEDS: [&[u8]; 6] = [
    include_bytes!("files/turned.jpg"),
    include_bytes!("files/progressive.jpg"),
    include_bytes!("files/turned.webp"),
    include_bytes!("files/animated.webp"),
    include_bytes!("files/animated.png"),
    include_bytes!("files/clear.png"),
];

#[test]
fn a_header_of_any_size_is_believed_and_refused() {
    let files: [&[u8]; 5] = [
        include_bytes!("files/header_40k.png"),
        include_bytes!("files/header_65535.png"),
        include_bytes!("files/header_65535.jpg"),
        include_bytes!("files/bomb_400mp.png"),
        &picture(ImageFormat::Png, 20_001, 1),
    ];
    for (number, file) in files.into_iter().enumerate() {
        assert_eq!(develop(file).unwrap_err(), Unfit::TooLarge, "{number}");
    }
    let canvas = include_bytes!("files/header_16384.webp");
    assert!(develop(canvas).is_err());
}

#[test]
fn a_bomb_beside_the_picture_goes_unread() {
    let files: [&[u8]; 2] = [
        include_bytes!("files/text_bomb.png"),
        include_bytes!("files/profile_bomb.png"),
    ];
    for file in files {
        if let Ok(prints) = develop(file) {
            assert!(prints.full.len() < 2_000);
        }
    }
}

/// The file of a WebP that is turned by its EXIF, with some bytes overwritten.
fn webp_with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut file = include_bytes!("files/turned.webp").to_vec();
    file[at..at + bytes.len()].copy_from_slice(bytes);
    file
}

#[test]
fn chunks_of_a_webp_that_say_more_than_is_there_are_refused() {
    const EXIF_LENGTH: usize = 0x76;
    const MEASURES: usize = 0x2C;
    let as_it_is = webp_with(EXIF_LENGTH, &[0x76]);
    assert!(develop(&as_it_is).is_ok());
    // Two gigabytes of EXIF in 240 bytes, and a picture of 268 megapixels within one of 48 by 32.
    let long = webp_with(EXIF_LENGTH, &i32::MAX.to_le_bytes());
    assert_eq!(develop(&long).unwrap_err(), Unfit::Unsupported);
    let large = webp_with(MEASURES, &[0xFF, 0x3F, 0xFF, 0x3F]);
    assert_eq!(develop(&large).unwrap_err(), Unfit::Unsupported);
}

#[test]
fn a_file_beyond_the_bound_is_refused_unread() {
    let mut file = picture(ImageFormat::Jpeg, 10, 10);
    file.resize(MAX_BYTES, 0);
    assert!(develop(&file).is_ok());
    file.push(0);
    assert_eq!(develop(&file).unwrap_err(), Unfit::TooLarge);
}

#[test]
fn nothing_but_the_three_formats_is_read() {
    let svg =
        b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>";
    let files: [&[u8]; 12] = [
        b"",
        b"\xff",
        b"\xff\xd8\xff",
        b"\x89PNG\r\n\x1a\n",
        b"RIFF\0\0\0\0WEBP",
        svg,
        include_bytes!("files/animated.gif"),
        b"GIF89a/*<script>alert(1)</script>*/",
        b"<html><script>alert(1)</script></html>",
        b"BM\x3a\0\0\0\0\0\0\0",
        b"II*\0\x08\0\0\0",
        b"\0\0\0\x20ftypavif\0\0\0\0",
    ];
    for (number, file) in files.into_iter().enumerate() {
        assert_eq!(develop(file).unwrap_err(), Unfit::Unsupported, "{number}");
    }
}

/// A file that is two things at once is one of them afterwards.
#[test]
fn nothing_of_a_second_file_is_left() {
    const PAYLOADS: [&[u8]; 4] = [
        b"<script>alert(document.domain)</script>",
        b"<?php system($_GET['c']); ?>",
        b"PK\x03\x04 a.class of a jar",
        b"%PDF-1.7 and a script",
    ];
    for seed in SEEDS {
        for payload in PAYLOADS {
            let behind = [seed, payload].concat();
            if let Ok(prints) = develop(&behind) {
                assert_clean(&prints, payload);
            }
        }
    }
    // In a comment of the JPEG itself, where any reader of pictures passes it over.
    let jpeg = picture(ImageFormat::Jpeg, 20, 20);
    for payload in PAYLOADS {
        let length = u16::try_from(payload.len() + 2).unwrap().to_be_bytes();
        let inside = [&jpeg[..2], &[0xFF, 0xFE], &length, payload, &jpeg[2..]].concat();
        assert_clean(&develop(&inside).unwrap(), payload);
    }
}

fn assert_clean(prints: &Prints, payload: &[u8]) {
    for file in [&prints.full, &prints.small] {
        let has_it = file.windows(8).any(|part| part == &payload[..8]);
        assert!(!has_it, "{}", String::from_utf8_lossy(payload));
    }
}

#[test]
fn a_png_that_ends_too_early_is_refused() {
    let whole = include_bytes!("files/animated.png");
    for length in 0..100 {
        assert!(develop(&whole[..length]).is_err(), "{length}");
    }
}

/// No panic, and what is made of them is a picture.
#[test]
fn a_thousand_damaged_files_are_refused_or_become_pictures() {
    let mut random = StdRng::seed_from_u64(20_261_115);
    let mut developed = 0;
    for number in 0..1_000 {
        let damaged = damage(SEEDS[number % SEEDS.len()], &mut random);
        let Ok(prints) = develop(&damaged) else {
            continue;
        };
        developed += 1;
        let (full, small) = (print(&prints.full), print(&prints.small));
        assert!(full.width().max(full.height()) <= 1_600, "{number}");
        assert!(small.width().max(small.height()) <= 400, "{number}");
    }
    // Both must happen, or the damage is not of the kind that matters.
    assert!((50..950).contains(&developed), "{developed}");
}

fn damage(seed: &[u8], random: &mut StdRng) -> Vec<u8> {
    let mut file = seed.to_vec();
    for _ in 0..random.random_range(1..=4) {
        let place = random.random_range(0..file.len());
        match random.random_range(0..5) {
            0 => file[place] ^= 1 << random.random_range(0..8),
            1 => file[place] = *[0, 0xFF, 0x7F, 0x80].get(place % 4).unwrap(),
            2 => file.truncate(place.max(20)),
            3 => file.splice(place..place, [0xFF; 3]).for_each(drop),
            _ => {
                let end = (place + 16).min(file.len());
                let again = file[place..end].to_vec();
                file.splice(place..place, again);
            }
        }
    }
    file
}
