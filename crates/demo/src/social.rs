//! What people do to notes and to each other: comments, likes, follows.
//!
//! Invariants: a person likes a note once, follows another once and never themselves; nothing
//! happens before the note it is about or after the plan's moment; replies come after what they
//! answer. Popularity is skewed: a few stars, a long tail.

mod replies;

use jiff::{SignedDuration, Timestamp};

use crate::block::{self, Block};
use crate::daytime::awake;
use crate::notes::{self, Outline, STARS};
use crate::people::VISITOR;
use crate::random::{Random, Stream};
use crate::shops;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    pub id: i64,
    pub note_id: i64,
    pub author_id: i64,
    /// The first-level comment it belongs under, zero if it is one itself.
    pub parent_id: i64,
    /// The comment it answers, zero if none.
    pub answer_id: i64,
    pub content: &'static str,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Like {
    pub note_id: i64,
    pub person_id: i64,
    pub created_at: Timestamp,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Follow {
    pub id: i64,
    pub follower_id: i64,
    pub followed_id: i64,
    pub created_at: Timestamp,
}

/// How many follow a person, and how many that person follows.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Degree {
    pub(crate) fans: u32,
    pub(crate) followees: u32,
}

/// A remark in a thread, before it has an id.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Remark {
    author: u32,
    /// The place in the thread of the first-level remark it answers.
    answers: Option<usize>,
    content: &'static str,
    created_at: Timestamp,
}

pub(crate) fn comments(
    blocks: impl Iterator<Item = Block>,
    now: Timestamp,
) -> impl Iterator<Item = Comment> {
    let mut next_id = 1;
    blocks
        .flat_map(move |b| notes::outlines(b, now).map(move |o| (b, o)))
        .flat_map(move |(block, outline)| {
            let first_id = next_id;
            let comments = thread_comments(block, outline, now, first_id);
            next_id += comments.len() as i64;
            comments
        })
}

fn thread_comments(block: Block, outline: Outline, now: Timestamp, first_id: i64) -> Vec<Comment> {
    let comment = |(id, remark): (i64, Remark)| {
        let answer_id = remark.answers.map_or(0, |at| first_id + at as i64);
        Comment {
            id,
            note_id: block.note_id(outline.local),
            author_id: block.person_id(remark.author),
            parent_id: answer_id,
            answer_id,
            content: remark.content,
            created_at: remark.created_at,
        }
    };
    (first_id..)
        .zip(thread(block, outline, now))
        .map(comment)
        .collect()
}

/// The remarks under a note, in the order they were made. Its author answers most questions and some of the rest.
pub(crate) fn thread(block: Block, outline: Outline, now: Timestamp) -> Vec<Remark> {
    let mut random = block.random(Stream::Comments, outline.local);
    let firsts = random.below(6);
    let topics: Vec<_> = replies::topics(shops::kind(outline.shop), outline.score).collect();
    let chosen: Vec<u32> = random.distinct(firsts, topics.len() as u32).collect();
    let mut thread = Vec::new();
    let mut at = outline.drawn_at;
    for topic in chosen.into_iter().map(|at| topics[at as usize]) {
        at = later(at, now, DAYS_OF_REMARKS, &mut random);
        let answered = thread.len();
        thread.push(Remark {
            author: commenter(outline.author, &mut random),
            answers: None,
            content: topic.remark,
            created_at: awake(at),
        });
        let is_answered = random.chance(if topic.is_question() { 85 } else { 45 });
        if is_answered && !topic.answers.is_empty() {
            at = later(at, now, 1, &mut random);
            thread.push(Remark {
                author: outline.author,
                answers: Some(answered),
                content: random.pick(topic.answers),
                created_at: awake(at),
            });
        }
    }
    thread
}

/// Anybody but the author, who does not ask under their own note.
fn commenter(author: u32, random: &mut Random) -> u32 {
    let drawn = random.between(STARS.start, block::PEOPLE - 2);
    drawn + u32::from(drawn >= author)
}

/// A remark comes within so many days of the one before it.
const DAYS_OF_REMARKS: i64 = 6;

/// A moment between the two, within some days of the first, mostly soon after it.
fn later(after: Timestamp, now: Timestamp, days: i64, random: &mut Random) -> Timestamp {
    let unit = random.unit();
    let span_secs = (now.as_second() - after.as_second()).min(days * 24 * 3600);
    let drawn = (span_secs as f64 * unit * unit) as i64;
    after + SignedDuration::from_secs(drawn.max(span_secs.min(LEAST_SECS)))
}

/// Reading a note and writing about it takes so long.
const LEAST_SECS: i64 = 150;

/// How many like the note with this local index.
pub(crate) fn like_count(block: Block, local: u32) -> u32 {
    let unit = block.random(Stream::Likes, local).unit();
    2 + (unit * unit * unit * unit * 260.0) as u32
}

pub(crate) fn likes(block: Block, now: Timestamp) -> impl Iterator<Item = Like> + use<> {
    notes::outlines(block, now).flat_map(move |outline| {
        let count = like_count(block, outline.local);
        // A stream of its own past the notes' indices: the count's draw must stay the first.
        let mut random = block.random(Stream::Likes, outline.local + block::NOTES);
        let people: Vec<u32> = random.distinct(count, block::PEOPLE).collect();
        let span_secs = now.as_second() - outline.created_at.as_second();
        people.into_iter().zip(1..).map(move |(person, nth)| Like {
            note_id: block.note_id(outline.local),
            person_id: block.person_id(person),
            created_at: outline.created_at
                + SignedDuration::from_secs(span_secs * nth / i64::from(count + 1)),
        })
    })
}

pub(crate) fn follows(
    blocks: impl Iterator<Item = Block>,
    now: Timestamp,
) -> impl Iterator<Item = Follow> {
    blocks
        .flat_map(|block| {
            let inside = (0..block::PEOPLE)
                .flat_map(move |followed| {
                    fans(block, followed)
                        .into_iter()
                        .map(move |f| (f, followed))
                })
                .map(move |(fan, followed)| (block.person_id(fan), block.person_id(followed)));
            inside.chain(lent_fans(block))
        })
        .zip(1..)
        .map(move |((follower_id, followed_id), id)| Follow {
            id,
            follower_id,
            followed_id,
            created_at: now - SignedDuration::from_mins(follower_id * 37 % 80_000 + 1),
        })
}

/// The fans of one person from the same block.
fn fans(block: Block, local: u32) -> Vec<u32> {
    let mut random = block.random(Stream::Fans, local);
    let star = STARS.contains(&local);
    let count = if star {
        random.between(200, 600)
    } else {
        let unit = random.unit();
        (unit * unit * unit * 40.0) as u32
    };
    // The demo visitor follows every star, so that the first feed anyone sees is full.
    let visitor = (block.is_first() && star).then_some(VISITOR);
    let others = random
        .distinct(count, block::PEOPLE)
        .filter(|fan| *fan != local && Some(*fan) != visitor);
    visitor.into_iter().chain(others).collect()
}

/// Everyone outside the first block follows one of its stars: at a large scale these have the
/// hundreds of thousands of fans that a feed must survive.
fn lent_fans(block: Block) -> impl Iterator<Item = (i64, i64)> {
    let lends = if block.is_first() { 0 } else { block::PEOPLE };
    (0..lends).map(move |fan| (block.person_id(fan), Block(0).person_id(star_of(fan))))
}

fn star_of(fan: u32) -> u32 {
    STARS.start + fan % STARS.len() as u32
}

/// The degrees of everyone in the block, by local index.
pub(crate) fn degrees(block: Block, scale: u32) -> Vec<Degree> {
    let mut degrees = vec![Degree::default(); block::PEOPLE as usize];
    for followed in 0..block::PEOPLE {
        for fan in fans(block, followed) {
            degrees[fan as usize].followees += 1;
            degrees[followed as usize].fans += 1;
        }
    }
    for fan in 0..block::PEOPLE {
        if block.is_first() {
            degrees[star_of(fan) as usize].fans += scale - 1;
        } else {
            degrees[fan as usize].followees += 1;
        }
    }
    degrees
}
