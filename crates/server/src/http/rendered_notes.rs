//! Notes as JSON, written once per loaded text and author instead of once per request.
//!
//! A reply puts the parts of its notes together with what changes from request to request: the counters, and whether the
//! reader likes the note. Written parts belong to the very values they were made from, as in `rendered.rs`, so this holds
//! nothing that could be stale by itself.

use std::sync::Arc;

use app::notes::NoteSeen;
use domain::NoteId;
use moka::sync::Cache;
use storage::notes::NoteText;
use storage::users::Author;

use super::envelope::write_json;
use super::note::NoteView;
use super::state::HttpState;

/// About 10 MB when all of them are in use.
const CAPACITY: u64 = 10_000;

/// How the parts are told apart. No text of a note contains these: JSON escapes the quotes in it.
const BEFORE_LIKE: &str = "\"title\":";
const COUNTERS: &str = "\"liked\":0,\"comments\":0,";

#[derive(Clone, Debug)]
pub(super) struct RenderedNotes {
    parts: Cache<NoteId, Arc<Parts>>,
}

/// One note in three pieces, and what they were made from.
#[derive(Debug)]
struct Parts {
    text: Arc<NoteText>,
    author: Option<Arc<Author>>,
    /// Up to whether the reader likes it.
    head: Box<str>,
    /// Up to the counters.
    body: Box<str>,
    tail: Box<str>,
}

impl RenderedNotes {
    pub(super) fn new() -> Self {
        Self {
            parts: Cache::new(CAPACITY),
        }
    }

    /// Appends the note as JSON.
    fn write(&self, json: &mut Vec<u8>, seen: &NoteSeen, state: &HttpState) {
        let parts = self.parts_of(seen, state);
        json.extend_from_slice(parts.head.as_bytes());
        json.extend_from_slice(match seen.is_liked {
            Some(true) => b"\"isLike\":true,",
            Some(false) => b"\"isLike\":false,",
            None => b"",
        });
        json.extend_from_slice(parts.body.as_bytes());
        json.extend_from_slice(b"\"liked\":");
        write_json(json, &seen.likes);
        json.extend_from_slice(b",\"comments\":");
        write_json(json, &seen.comments);
        json.push(b',');
        json.extend_from_slice(parts.tail.as_bytes());
    }

    fn parts_of(&self, seen: &NoteSeen, state: &HttpState) -> Arc<Parts> {
        let id = seen.text.id;
        if let Some(parts) = self.parts.get(&id)
            && parts.is_of(seen)
        {
            return parts;
        }
        let parts = Arc::new(Parts::new(seen, state));
        self.parts.insert(id, parts.clone());
        parts
    }
}

impl Parts {
    fn new(seen: &NoteSeen, state: &HttpState) -> Self {
        let json = serde_json::to_string(&NoteView::without_counters(seen, state));
        let json = json.expect("views are plain structs");
        let parts = json.find(BEFORE_LIKE).zip(json.find(COUNTERS));
        let (like, counters) = parts.expect("a view has these fields");
        Self {
            text: seen.text.clone(),
            author: seen.author.clone(),
            head: json[..like].into(),
            body: json[like..counters].into(),
            tail: json[counters + COUNTERS.len()..].into(),
        }
    }

    fn is_of(&self, seen: &NoteSeen) -> bool {
        let is_same_author = match (&self.author, &seen.author) {
            (Some(from), Some(author)) => Arc::ptr_eq(from, author),
            (None, None) => true,
            _ => false,
        };
        is_same_author && Arc::ptr_eq(&self.text, &seen.text)
    }
}

/// Appends one note.
pub(super) fn write_note(json: &mut Vec<u8>, seen: &NoteSeen, state: &HttpState) {
    state.rendered_notes().write(json, seen, state);
}

/// Appends a list of notes.
pub(super) fn write_notes(json: &mut Vec<u8>, seen: &[NoteSeen], state: &HttpState) {
    json.push(b'[');
    for (place, note) in seen.iter().enumerate() {
        if place > 0 {
            json.push(b',');
        }
        write_note(json, note, state);
    }
    json.push(b']');
}
