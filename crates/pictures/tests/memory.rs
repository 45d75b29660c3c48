//! How much memory the worst pictures take that are still within bounds. A binary of its own, because the figure is the
//! whole process'.

#![expect(
    clippy::unwrap_used,
    reason = "a test fails by panicking, and so do its helpers, which the lint takes for ordinary code"
)]

use std::fs;
use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};
use pictures::reencode;

/// Four bytes a pixel for the picture, and for a progressive JPEG twice its three colours in 16 bits beside it.
const MOST_KIB: u64 = 600 * 1024;

/// 39.7 megapixels.
const SIDE: u16 = 6_300;

fn status_kib(name: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with(name)).unwrap();
    let figure = line.split_whitespace().nth(1).unwrap();
    figure.parse().unwrap()
}

/// What developing the file adds to what the process has before it, at its highest.
fn peak_kib(file: &[u8]) -> u64 {
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status_kib("VmRSS");
    reencode(file).unwrap();
    status_kib("VmHWM").saturating_sub(before)
}

fn progressive_jpeg() -> Vec<u8> {
    let side = usize::from(SIDE);
    let pixels: Vec<u8> = (0..side * side * 3).map(|at| (at / 3_001) as u8).collect();
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 30);
    encoder.set_progressive(true);
    encoder.set_sampling_factor(SamplingFactor::F_1_1);
    encoder.encode(&pixels, SIDE, SIDE, ColorType::Rgb).unwrap();
    file
}

fn png(picture: DynamicImage) -> Vec<u8> {
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).unwrap();
    file.into_inner()
}

#[test]
fn the_largest_pictures_take_bounded_memory() {
    let side = u32::from(SIDE);
    let files = [
        ("progressive JPEG", progressive_jpeg()),
        ("PNG with alpha", png(DynamicImage::new_rgba8(side, side))),
        (
            "PNG of 16 bits",
            png(DynamicImage::new_rgba16(4_400, 4_400)),
        ),
        (
            "grey PNG with alpha",
            png(DynamicImage::new_luma_a8(side, side)),
        ),
    ];
    for (name, file) in &files {
        let peak_kib = peak_kib(file);
        eprintln!(
            "{name}: {} KiB sent, {} MiB at most",
            file.len() / 1024,
            peak_kib / 1024
        );
        assert!(peak_kib < MOST_KIB, "{name}: {peak_kib} KiB");
    }
}
