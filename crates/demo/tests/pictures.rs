//! The pool of pictures: complete, light, and the same each time.

use std::collections::HashSet;

use demo::{Demo, DemoPlan, Picture, PictureFile};
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
    for PictureFile { file, bytes } in pool(1).iter().flat_map(Picture::render) {
        let magic: &[u8] = if file.ends_with(".png") {
            b"\x89PNG"
        } else {
            b"\xff\xd8\xff"
        };
        assert!(bytes.starts_with(magic), "{file}");
        let size = bytes.len();
        assert!((1_000..MAX_BYTES).contains(&size), "{file}: {size} bytes");
    }
}

#[test]
fn a_picture_is_the_same_each_time_and_unlike_the_others() {
    let some: Vec<Picture> = pool(1).into_iter().step_by(9).collect();
    let once: Vec<Vec<PictureFile>> = some.iter().map(Picture::render).collect();
    assert!(some.iter().map(Picture::render).eq(once.iter().cloned()));
    let files = once.iter().flatten().map(|it| &it.bytes);
    assert_eq!(files.clone().collect::<HashSet<_>>().len(), files.count());
}

/// The site serves `x_s.jpg` where `x.jpg` is asked for in its small size.
#[test]
fn scenes_come_in_half_their_size_as_well() {
    let pool = pool(1);
    let mut scenes = 0;
    for picture in pool.iter().step_by(9) {
        let files = picture.render();
        let Some(small_file) = picture.small_file() else {
            assert_eq!(files.len(), 1, "{}", picture.file);
            continue;
        };
        let [full, small] = &files[..] else {
            panic!("{} has other files than two", picture.file);
        };
        assert_eq!((&full.file, &small.file), (&picture.file, &small_file));
        let sizes = (dimensions(&full.bytes), dimensions(&small.bytes));
        assert_eq!(sizes, ((800, 600), (400, 300)));
        assert!(small.bytes.len() * 2 < full.bytes.len(), "{small_file}");
        scenes += 1;
    }
    assert!(scenes > 5, "{scenes}");
}

/// Width and height, from the head of a progressive frame.
fn dimensions(jpeg: &[u8]) -> (u16, u16) {
    let frame = jpeg.windows(2).position(|marker| marker == [0xff, 0xc2]);
    let head = &jpeg[frame.expect("a progressive JPEG")..];
    let number = |at: usize| u16::from_be_bytes([head[at], head[at + 1]]);
    (number(7), number(5))
}
