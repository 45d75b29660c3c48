//! Hostile pictures are refused, or the harmful part is dropped.

use image::ImageFormat;
use pictures::{MAX_BYTES, PictureRejection, ReencodedPicture, reencode};
use rand::rngs::StdRng;
use rand::{RngExt as _, SeedableRng as _};

use crate::{decode, picture};

const SEEDS: [&[u8]; 6] = [
    include_bytes!("files/turned.jpg"),
    include_bytes!("files/progressive.jpg"),
    include_bytes!("files/turned.webp"),
    include_bytes!("files/animated.webp"),
    include_bytes!("files/animated.png"),
    include_bytes!("files/clear.png"),
];

#[test]
fn a_header_that_declares_too_many_pixels_is_refused() {
    let files: [&[u8]; 5] = [
        include_bytes!("files/header_40k.png"),
        include_bytes!("files/header_65535.png"),
        include_bytes!("files/header_65535.jpg"),
        include_bytes!("files/bomb_400mp.png"),
        &picture(ImageFormat::Png, 20_001, 1),
    ];
    for (number, file) in files.into_iter().enumerate() {
        assert_eq!(
            reencode(file).unwrap_err(),
            PictureRejection::TooLarge,
            "{number}"
        );
    }
    let canvas = include_bytes!("files/header_16384.webp");
    assert!(reencode(canvas).is_err());
}

#[test]
fn a_decompression_bomb_in_metadata_is_not_read() {
    let files: [&[u8]; 2] = [
        include_bytes!("files/text_bomb.png"),
        include_bytes!("files/profile_bomb.png"),
    ];
    for file in files {
        if let Ok(reencoded) = reencode(file) {
            assert!(reencoded.full.len() < 2_000);
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
fn webp_chunks_longer_than_the_file_are_refused() {
    const EXIF_LENGTH: usize = 0x76;
    const MEASURES: usize = 0x2C;
    let as_it_is = webp_with(EXIF_LENGTH, &[0x76]);
    assert!(reencode(&as_it_is).is_ok());
    // Two gigabytes of EXIF in 240 bytes, and a picture of 268 megapixels within one of 48 by 32.
    let long = webp_with(EXIF_LENGTH, &i32::MAX.to_le_bytes());
    assert_eq!(reencode(&long).unwrap_err(), PictureRejection::Unsupported);
    let large = webp_with(MEASURES, &[0xFF, 0x3F, 0xFF, 0x3F]);
    assert_eq!(reencode(&large).unwrap_err(), PictureRejection::Unsupported);
}

#[test]
fn a_file_beyond_the_bound_is_refused_unread() {
    let mut file = picture(ImageFormat::Jpeg, 10, 10);
    file.resize(MAX_BYTES, 0);
    assert!(reencode(&file).is_ok());
    file.push(0);
    assert_eq!(reencode(&file).unwrap_err(), PictureRejection::TooLarge);
}

#[test]
fn other_formats_are_refused() {
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
        assert_eq!(
            reencode(file).unwrap_err(),
            PictureRejection::Unsupported,
            "{number}"
        );
    }
}

/// A polyglot file is only a picture afterwards.
#[test]
fn an_appended_second_file_is_dropped() {
    const PAYLOADS: [&[u8]; 4] = [
        b"<script>alert(document.domain)</script>",
        b"<?php system($_GET['c']); ?>",
        b"PK\x03\x04 a.class of a jar",
        b"%PDF-1.7 and a script",
    ];
    for seed in SEEDS {
        for payload in PAYLOADS {
            let behind = [seed, payload].concat();
            if let Ok(reencoded) = reencode(&behind) {
                assert_clean(&reencoded, payload);
            }
        }
    }
    // In a comment segment of the JPEG, which decoders skip.
    let jpeg = picture(ImageFormat::Jpeg, 20, 20);
    for payload in PAYLOADS {
        let length = u16::try_from(payload.len() + 2).unwrap().to_be_bytes();
        let inside = [&jpeg[..2], &[0xFF, 0xFE], &length, payload, &jpeg[2..]].concat();
        assert_clean(&reencode(&inside).unwrap(), payload);
    }
}

fn assert_clean(reencoded: &ReencodedPicture, payload: &[u8]) {
    for file in [&reencoded.full, &reencoded.small] {
        let has_it = file.windows(8).any(|part| part == &payload[..8]);
        assert!(!has_it, "{}", String::from_utf8_lossy(payload));
    }
}

#[test]
fn a_png_that_ends_too_early_is_refused() {
    let whole = include_bytes!("files/animated.png");
    for length in 0..100 {
        assert!(reencode(&whole[..length]).is_err(), "{length}");
    }
}

/// No panic, and every result is a picture.
#[test]
fn a_thousand_damaged_files_are_refused_or_become_pictures() {
    let mut random = StdRng::seed_from_u64(20_261_115);
    let mut developed = 0;
    for number in 0..1_000 {
        let damaged = damage(SEEDS[number % SEEDS.len()], &mut random);
        let Ok(reencoded) = reencode(&damaged) else {
            continue;
        };
        developed += 1;
        let (full, small) = (decode(&reencoded.full), decode(&reencoded.small));
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
