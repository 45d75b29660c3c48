//! Notes: what people write about shops.
//!
//! Invariants: within a block ids follow time and every shop has at least one note; the counters
//! are the lengths of what [`crate::social`] makes for the note.

mod food;
mod leisure;
mod texts;

use jiff::{SignedDuration, Timestamp};

use crate::block::{self, Block};
use crate::random::Stream;
use crate::{shops, social};

/// Notes are spread evenly over the last sixty days.
const WINDOW_SECS: u32 = 60 * 24 * 3600;
const SPACING_SECS: u32 = WINDOW_SECS / block::NOTES;

/// Local indices of the people whose notes many read; [`social`] gives them their fans.
pub(crate) const STARS: std::ops::Range<u32> = 40..48;
/// Those who write often, stars among them.
const REGULARS: std::ops::Range<u32> = 40..140;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    pub id: i64,
    pub shop_id: i64,
    pub author_id: i64,
    pub title: String,
    pub content: String,
    /// One to four picture addresses.
    pub images: Vec<String>,
    /// One to five.
    pub score: u8,
    pub liked: u32,
    pub comments: u32,
    pub created_at: Timestamp,
}

/// The choices about a note that other parts need without its text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outline {
    pub(crate) local: u32,
    pub(crate) shop: u32,
    pub(crate) author: u32,
    pub(crate) score: u8,
    pub(crate) created_at: Timestamp,
}

/// What the notes about one shop add up to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Rating {
    pub(crate) notes: u32,
    sum: u32,
}

impl Rating {
    /// The mean score times ten, rounded.
    pub(crate) fn score(self) -> u32 {
        let notes = self.notes.max(1);
        (self.sum * 10 + notes / 2) / notes
    }
}

pub(crate) fn notes(block: Block, now: Timestamp) -> Vec<Note> {
    outlines(block, now).map(|o| note(block, o, now)).collect()
}

pub(crate) fn outlines(block: Block, now: Timestamp) -> impl Iterator<Item = Outline> + use<> {
    (0..block::NOTES).map(move |local| outline(block, local, now))
}

/// One rating per shop of the block, by local index.
pub(crate) fn ratings(block: Block) -> Vec<Rating> {
    let mut ratings = vec![Rating::default(); block::SHOPS as usize];
    for outline in outlines(block, Timestamp::UNIX_EPOCH) {
        let rating = &mut ratings[outline.shop as usize];
        rating.notes += 1;
        rating.sum += u32::from(outline.score);
    }
    ratings
}

fn outline(block: Block, local: u32, now: Timestamp) -> Outline {
    let mut random = block.random(Stream::Note, local);
    let age_secs = (block::NOTES - local) * SPACING_SECS - random.below(SPACING_SECS - 60);
    let author = match random.below(10) {
        0 => random.between(STARS.start, STARS.end - 1),
        1..6 => random.between(REGULARS.start, REGULARS.end - 1),
        _ => random.between(STARS.start, block::PEOPLE - 1),
    };
    Outline {
        local,
        shop: shop(local, random.unit()),
        author,
        score: [5, 4, 5, 4, 5, 3, 5, 4, 4, 5, 3, 5, 4, 2, 5, 4][random.below(16) as usize],
        created_at: now - SignedDuration::from_secs(i64::from(age_secs)),
    }
}

/// Even notes walk over all shops, with a step that mixes the cities; odd ones favour few.
fn shop(local: u32, unit: f64) -> u32 {
    const STEP: u32 = 77;
    if local.is_multiple_of(2) {
        return local / 2 * STEP % block::SHOPS;
    }
    (unit * unit * f64::from(block::SHOPS)) as u32
}

fn note(block: Block, outline: Outline, now: Timestamp) -> Note {
    let mut random = block.random(Stream::NoteText, outline.local);
    let kind = shops::kind(outline.shop);
    let subject = texts::NoteSubject {
        kind,
        area: shops::area(block, outline.shop),
        brand: &shops::brand(block, outline.shop),
        score: outline.score,
    };
    let pictures = random.between(1, 4);
    Note {
        id: block.note_id(outline.local),
        shop_id: block.shop_id(outline.shop),
        author_id: block.person_id(outline.author),
        title: texts::title(&subject, &mut random),
        content: texts::content(&subject, &mut random),
        images: kind.facts().scene.urls(pictures, &mut random),
        score: outline.score,
        liked: social::like_count(block, outline.local),
        comments: social::thread(block, outline, now).len() as u32,
        created_at: outline.created_at,
    }
}
