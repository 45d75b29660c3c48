//! Hostile pictures: made from good ones by cutting, flipping, lying about measures, mixing with other formats, nesting,
//! and from nothing at all. Each is answered in time and within the memory that one picture may take.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::Client;
use tokio::task::JoinSet;

use super::site::Site;
use crate::contract::random::Random;
use crate::flash::people;
use crate::pictures::send;

macro_rules! files {
    ($($name:literal),*) => {
        &[$(include_bytes!(concat!("../../../../pictures/tests/it/files/", $name))),*]
    };
}

/// What the others are made of.
const GOOD: &[&[u8]] = files![
    "turned.jpg",
    "clear.png",
    "lossy.webp",
    "progressive.jpg",
    "cmyk.jpg",
    "profile_bomb.png",
    "text_bomb.png",
    "animated.png",
    "turned.webp",
    "animated.webp",
    "animated.gif"
];
const JPEG: &[u8] = GOOD[0];
const PNG: &[u8] = GOOD[1];
/// Twenty thousand pixels a side in some kilobytes.
const BOMB: &[u8] = include_bytes!("../../../../pictures/tests/it/files/bomb_400mp.png");

/// Senders at a time: as many as one browser would open connections.
const WORKERS: usize = 4;
/// One in so many unfolds to as much as a picture may have.
const BOMBS: usize = 400;
/// A picture takes milliseconds; a bomb, a second or two. Far above both, also on a machine that does other things.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// What the process may take at its peak beyond what it had: the decoded bytes of the largest pictures, twice over, because an
/// allocator gives back what it likes.
const MORE_PEAK_KIB: usize = 768 * 1024;

type Make = fn(&mut Random) -> Vec<u8>;

/// Every way of making one, by name.
const WAYS: &[(&str, Make)] = &[
    ("cut off", cut_off),
    ("bits flipped", flipped),
    ("bytes overwritten", overwritten),
    ("pieces doubled and dropped", shuffled),
    ("a lying JPEG", lying_jpeg),
    ("a lying PNG", lying_png),
    ("a lying WebP", lying_webp),
    ("a polyglot", polyglot),
    ("nested", nested),
    ("zeroes", zeroes),
    ("another type", other_type),
    ("noise behind a right beginning", noise),
];

pub(super) async fn send_all(site: &Site, seed: u64, count: usize) -> (Vec<String>, String) {
    let before = site.size().await;
    let mut workers = JoinSet::new();
    let people = people(&site.app, WORKERS as u32).await;
    for (worker, person) in people.into_iter().enumerate() {
        let person = site.visitor().with_token(person.token());
        workers.spawn(work(person, seed, worker, count));
    }
    let (mut problems, mut replies) = (Vec::new(), BTreeMap::<String, usize>::new());
    let mut slowest = Duration::ZERO;
    for (found, counted, slow) in workers.join_all().await {
        problems.extend(found);
        slowest = slowest.max(slow);
        for (reply, number) in counted {
            *replies.entry(reply).or_default() += number;
        }
    }
    let peak = site.size().await.peak_kib.saturating_sub(before.memory_kib);
    if peak > MORE_PEAK_KIB {
        problems.push(format!(
            "{peak} KiB more at its peak, {MORE_PEAK_KIB} are the bound"
        ));
    }
    let words = format!(
        "slowest {} ms, {peak} KiB more at the peak, replies {replies:?}",
        slowest.as_millis()
    );
    (problems, words)
}

async fn work(
    person: Client,
    seed: u64,
    worker: usize,
    count: usize,
) -> (Vec<String>, BTreeMap<String, usize>, Duration) {
    let (mut problems, mut replies) = (Vec::new(), BTreeMap::<String, usize>::new());
    let mut slowest = Duration::ZERO;
    for number in (worker..count).step_by(WORKERS) {
        let (way, file) = picture(seed, number);
        let began = Instant::now();
        let answer = send(&person, &file).await;
        let took = began.elapsed();
        slowest = slowest.max(took);
        let json: Value = serde_json::from_str(&answer.text).unwrap_or_default();
        if answer.status.is_server_error() || json.is_null() || took > TIME_LIMIT {
            let status = answer.status;
            problems.push(format!("picture {number} ({way}): {status} after {took:?}"));
        }
        let reply = json["code"].as_str().unwrap_or("kept").to_owned();
        *replies.entry(reply).or_default() += 1;
        if let Some(name) = json["data"].as_str() {
            problems.extend(look(&person, name).await);
        }
    }
    (problems, replies, slowest)
}

/// What was kept is a picture of ours, whatever was sent.
async fn look(person: &Client, name: &str) -> Option<String> {
    let shown = person.get(&format!("/imgs{name}")).await;
    let is_ours = shown.status == 200 && shown.header("content-type") == "image/jpeg";
    let is_clean = !shown.text.contains("<script") && !shown.text.contains("PK\u{3}\u{4}");
    let path = format!("/api/upload/blog/delete?name={name}");
    let deleted = person.delete(&path).await.status == 200;
    let is_well = is_ours && is_clean && deleted;
    (!is_well).then(|| format!("{name} is not shown as a picture of ours"))
}

/// The picture of a number, the same in every run with the same seed.
fn picture(seed: u64, number: usize) -> (&'static str, Vec<u8>) {
    let mut random = Random::new(seed ^ (number as u64).wrapping_mul(0x2545_f491_4f6c_dd1d));
    if number % BOMBS == BOMBS - 1 {
        return ("a bomb", bomb(&mut random));
    }
    let (name, make) = WAYS[number % WAYS.len()];
    (name, make(&mut random))
}

fn good(random: &mut Random) -> Vec<u8> {
    random.pick(GOOD).to_vec()
}

fn cut_off(random: &mut Random) -> Vec<u8> {
    let mut file = good(random);
    file.truncate(random.below(file.len()));
    file
}

fn flipped(random: &mut Random) -> Vec<u8> {
    let mut file = good(random);
    for _ in 0..=random.below(64) {
        let place = random.below(file.len());
        file[place] ^= 1 << random.below(8);
    }
    file
}

fn overwritten(random: &mut Random) -> Vec<u8> {
    let mut file = good(random);
    let begin = random.below(file.len());
    let end = (begin + 1 + random.below(256)).min(file.len());
    let byte = random.pick(&[0x00, 0xFF, 0x7F, 0x80]);
    file[begin..end].fill(byte);
    file
}

fn shuffled(random: &mut Random) -> Vec<u8> {
    let file = good(random);
    let (a, b) = (random.below(file.len()), random.below(file.len()));
    let (from, to) = (a.min(b), a.max(b));
    match random.one_in(2) {
        true => [&file[..to], &file[from..]].concat(),
        false => [&file[..from], &file[to..]].concat(),
    }
}

/// A measure that is too small, too large, or nothing.
fn measure(random: &mut Random) -> u32 {
    random.pick(&[
        0,
        1,
        7,
        19_999,
        20_000,
        65_535,
        1 << 20,
        i32::MAX as u32,
        u32::MAX,
    ])
}

fn lying_jpeg(random: &mut Random) -> Vec<u8> {
    let mut file = JPEG.to_vec();
    let frame = file
        .windows(2)
        .position(|it| it[0] == 0xFF && (0xC0..=0xC2).contains(&it[1]));
    if let Some(frame) = frame {
        let (width, height) = (measure(random) as u16, measure(random) as u16);
        file[frame + 5..frame + 7].copy_from_slice(&height.to_be_bytes());
        file[frame + 7..frame + 9].copy_from_slice(&width.to_be_bytes());
        if random.one_in(3) {
            file[frame + 9] = random.pick(&[0, 1, 2, 4, 255]);
        }
    }
    file
}

fn lying_png(random: &mut Random) -> Vec<u8> {
    let mut file = PNG.to_vec();
    if random.one_in(2) {
        file[24] = random.pick(&[0, 1, 3, 8, 16, 255]);
        file[25] = random.pick(&[0, 1, 2, 3, 6, 255]);
    }
    measure_png(&mut file, measure(random), measure(random));
    file
}

fn lying_webp(random: &mut Random) -> Vec<u8> {
    let mut file = b"RIFF\0\0\0\0WEBPVP8X".to_vec();
    file.extend_from_slice(&10_u32.to_le_bytes());
    file.push(random.pick(&[0, 0x02, 0x10, 0x12, 0xFF]));
    file.extend_from_slice(&[0; 3]);
    file.extend_from_slice(&measure(random).to_le_bytes()[..3]);
    file.extend_from_slice(&measure(random).to_le_bytes()[..3]);
    let kind: &[u8; 4] = random.pick(&[b"VP8L", b"VP8 ", b"ALPH", b"ANIM", b"ANMF"]);
    file.extend_from_slice(kind);
    file.extend_from_slice(&measure(random).to_le_bytes());
    file.extend((0..random.below(2_000)).map(|_| random.next() as u8));
    let length = (file.len() as u32).wrapping_sub(8);
    file[4..8].copy_from_slice(&length.to_le_bytes());
    file
}

const FOREIGN: &[&[u8]] = &[
    b"<html><script>alert(1)</script></html>",
    b"<?xml version=\"1.0\"?><svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"alert(1)\"/>",
    b"PK\x03\x04\x14\x00\x00\x00\x08\x00evil.php",
    b"%PDF-1.7\n1 0 obj<</OpenAction 2 0 R>>",
    b"GIF89a\xff\xff\xff\xff\x00\x00\x00",
    b"<?php system($_GET['c']); ?>",
    b"\x7fELF\x02\x01\x01",
    b"BM\xff\xff\xff\x7f\x00\x00",
    b"II*\x00\x08\x00\x00\x00\xff\xff",
    b"\x00\x00\x00\x20ftypavif",
    b"\x00\x00\x01\x00\x01\x00\x00\x00",
    b"#!/bin/sh\n",
];

fn polyglot(random: &mut Random) -> Vec<u8> {
    let (file, foreign) = (good(random), random.pick(FOREIGN));
    match random.below(3) {
        0 => [&file[..], foreign].concat(),
        1 => [foreign, &file[..]].concat(),
        _ => {
            let place = random.below(file.len());
            [&file[..place], foreign, &file[place..]].concat()
        }
    }
}

fn nested(random: &mut Random) -> Vec<u8> {
    let mut file = good(random);
    for _ in 0..=random.below(20) {
        let inner = good(random);
        let place = random.below(file.len());
        file.splice(place..place, inner);
    }
    file
}

fn zeroes(random: &mut Random) -> Vec<u8> {
    vec![0; random.pick(&[0, 1, 2, 3, 8, 1_000, 100_000])]
}

fn other_type(random: &mut Random) -> Vec<u8> {
    let mut file = random.pick(FOREIGN).to_vec();
    file.extend((0..random.below(4_000)).map(|_| random.next() as u8));
    file
}

fn noise(random: &mut Random) -> Vec<u8> {
    let beginnings: [&[u8]; 4] = [
        &JPEG[..20],
        &PNG[..33],
        b"RIFF\xff\xff\0\0WEBPVP8L",
        &JPEG[..3],
    ];
    let mut file = random.pick(&beginnings).to_vec();
    file.extend((0..random.below(20_000)).map(|_| random.next() as u8));
    file
}

/// A small file that unfolds to nearly as many pixels as are allowed, or to somewhat more.
fn bomb(random: &mut Random) -> Vec<u8> {
    let (width, height) = random.pick(&[(8_000, 4_900), (19_999, 1_900), (8_000, 5_100)]);
    let mut file = BOMB.to_vec();
    measure_png(&mut file, width, height);
    file
}

/// Says other measures than are true, under a right checksum.
fn measure_png(file: &mut [u8], width: u32, height: u32) {
    file[16..20].copy_from_slice(&width.to_be_bytes());
    file[20..24].copy_from_slice(&height.to_be_bytes());
    let sum = crc(&file[12..29]);
    file[29..33].copy_from_slice(&sum.to_be_bytes());
}

/// The checksum of a chunk of a PNG.
fn crc(bytes: &[u8]) -> u32 {
    let fold = |crc: u32, byte: &u8| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| match crc & 1 {
            1 => (crc >> 1) ^ 0xEDB8_8320,
            _ => crc >> 1,
        })
    };
    !bytes.iter().fold(u32::MAX, fold)
}
