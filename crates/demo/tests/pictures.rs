//! The pool of pictures: complete, light, and the same each time.

use std::collections::HashSet;

use demo::{Demo, DemoPlan, Picture};
use jiff::Timestamp;

/// What a page may cost on a slow phone; also keeps a seeded folder small.
const MAX_BYTES: usize = 60_000;

fn pool(scale: u32) -> Vec<Picture> {
    let now = Timestamp::UNIX_EPOCH;
    let demo = Demo::new(DemoPlan { scale, now }).expect("tests use scales in range");
    demo.pictures().collect()
}

#[test]
fn the_pool_does_not_grow_with_the_scale_and_names_each_picture_once() {
    let names: HashSet<String> = pool(1).into_iter().map(|p| p.file).collect();
    assert_eq!(pool(1).len(), names.len());
    assert_eq!(pool(1), pool(50));
}

#[test]
fn every_picture_is_a_light_file_of_its_format() {
    for picture in pool(1) {
        let bytes = picture.render();
        let magic: &[u8] = if picture.file.ends_with(".png") {
            b"\x89PNG"
        } else {
            b"\xff\xd8\xff"
        };
        assert!(bytes.starts_with(magic), "{}", picture.file);
        let size = bytes.len();
        assert!(
            (1_000..MAX_BYTES).contains(&size),
            "{}: {size} bytes",
            picture.file
        );
    }
}

#[test]
fn a_picture_is_the_same_each_time_and_unlike_the_others() {
    let some: Vec<Picture> = pool(1).into_iter().step_by(9).collect();
    let once: Vec<Vec<u8>> = some.iter().map(Picture::render).collect();
    assert!(some.iter().map(Picture::render).eq(once.iter().cloned()));
    assert_eq!(once.iter().collect::<HashSet<_>>().len(), some.len());
}

/// The site serves `x_s.jpg` where `x.jpg` is asked for in its small size.
#[test]
fn every_scene_has_a_small_twin_of_half_its_size() {
    let pool = pool(1);
    let small = pool.iter().filter(|p| p.file.ends_with("_s.jpg"));
    let mut twins = 0;
    for small in small.step_by(9) {
        let full = small.file.replace("_s.jpg", ".jpg");
        let full = pool.iter().find(|p| p.file == full);
        let full = full.unwrap_or_else(|| panic!("{} has no twin", small.file));
        let (full, small) = (full.render(), small.render());
        assert_eq!(
            (dimensions(&full), dimensions(&small)),
            ((800, 600), (400, 300))
        );
        assert!(
            small.len() * 2 < full.len(),
            "{} of {}",
            small.len(),
            full.len()
        );
        twins += 1;
    }
    assert!(twins > 5, "{twins}");
}

/// Width and height, from the head of a progressive frame.
fn dimensions(jpeg: &[u8]) -> (u16, u16) {
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc2]);
    let head = &jpeg[frame.expect("a progressive JPEG")..];
    let number = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    (number(7), number(5))
}
