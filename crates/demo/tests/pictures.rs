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
