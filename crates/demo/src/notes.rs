//! Notes: what people write about shops.
//!
//! Invariants: within a block ids follow time and every shop has at least one note; the counters
//! are the lengths of what [`crate::social`] makes for the note.

mod food;
mod leisure;
mod texts;

use jiff::{SignedDuration, Timestamp};

use crate::block::{self, Block};
use crate::daytime::awake;
use crate::kinds::ShopKind;
use crate::random::{Random, Stream};
use crate::{shops, social};

/// Notes are spread over the days of two months, less the one by which [`awake`] may move one back.
const WINDOW_SECS: u32 = 59 * 24 * 3600;
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
    /// Taste or effect, surroundings, service: one to five each, or nothing.
    pub ratings: [Option<u8>; 3],
    /// Up to three things that its author recommends.
    pub dishes: Vec<&'static str>,
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
    /// Before [`awake`], which what follows a note passes as well: so it stays after the note.
    pub(crate) drawn_at: Timestamp,
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
    let drawn_at = now - SignedDuration::from_secs(i64::from(age_secs));
    Outline {
        local,
        shop: shop(local, random.unit()),
        author,
        score: [5, 4, 5, 4, 5, 3, 5, 4, 4, 5, 3, 5, 4, 2, 5, 4][random.below(16) as usize],
        drawn_at,
        created_at: awake(drawn_at),
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

/// One note in five is under a topic; it draws no random number, so that all else stays as it is.
fn with_topic(content: String, local: u32) -> String {
    const TOPICS: [&str; 4] = ["周末探店", "一人食", "下班去哪儿", "排队也值"];
    match local % 5 {
        0 => format!(
            "{content} #{}#",
            TOPICS[(local / 5) as usize % TOPICS.len()]
        ),
        _ => content,
    }
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
    let pictures = random.between(1, 3);
    Note {
        id: block.note_id(outline.local),
        shop_id: block.shop_id(outline.shop),
        author_id: block.person_id(outline.author),
        title: texts::title(&subject, &mut random),
        content: with_topic(texts::content(&subject, &mut random), outline.local),
        images: images(
            kind,
            pictures,
            shops::look(block, outline.shop),
            &mut random,
        ),
        score: outline.score,
        ratings: ratings_of(outline.score, &mut random),
        dishes: texts::recommended(&subject, &mut random),
        liked: social::like_count(block, outline.local),
        comments: social::thread(block, outline, now).len() as u32,
        created_at: outline.created_at,
    }
}

/// What was on the table, or the room; some writers also took the front.
fn images(kind: ShopKind, dishes: u32, look: u32, random: &mut Random) -> Vec<String> {
    let scene = kind.facts().scene;
    let mut images = if kind.is_food() {
        scene.urls(dishes, random)
    } else {
        vec![scene.room_url(look)]
    };
    if random.chance(40) {
        let at = if random.chance(50) { 0 } else { images.len() };
        images.insert(at, scene.front_url(look));
    }
    images
}

/// Near the stars. Three authors of four rate all aspects.
fn ratings_of(score: u8, random: &mut Random) -> [Option<u8>; 3] {
    if !random.chance(75) {
        return [None; 3];
    }
    let near = [
        score.saturating_sub(1).max(1),
        score,
        score,
        (score + 1).min(5),
    ];
    [(); 3].map(|()| Some(random.pick(&near)))
}
