//! Texts of notes and names of their authors, in memory and in Redis.
//!
//! What a list shows is decided by SQL, note by note and at the moment of reading: which notes there are, and how many like
//! them. The rest stays as it is for long, so it comes from caches: texts change when their authors edit them or pictures are
//! imported, names when their owners change them. Both are invalidated after the commit and once more by the outbox. So they are when a note is
//! published: after a backup was restored, its id may be that of another note that is still cached.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use cache::{Cache, CacheHub, LoadedRows, Loader};
use domain::{NoteId, UserId};
use storage::notes::{self, ListedNote, NoteText};
use storage::users::{self, Author};
use storage::{Db, Error};

use crate::App;

/// Texts kept in the memory of a process: about 10 MB when all of them are in use.
const TEXTS_IN_MEMORY: u64 = 10_000;
/// Authors kept in the memory of a process: about 2 MB.
const AUTHORS_IN_MEMORY: u64 = 10_000;

const FRESH: Duration = Duration::from_secs(30 * 60);

/// Both caches. They never serve an entry past its time: SQL, which says what is shown, would be away as well.
#[derive(Debug)]
pub(super) struct Texts {
    notes: Cache<TextLoader>,
    authors: Cache<AuthorLoader>,
}

/// Loads texts from the primary: a lagging replica would restore what was just invalidated.
#[derive(Clone, Debug)]
struct TextLoader {
    db: Db,
}

/// As [`TextLoader`], for authors.
#[derive(Clone, Debug)]
struct AuthorLoader {
    db: Db,
}

/// A listed note with its text and its author, whose account may be gone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct DescribedNote {
    pub(crate) listed: ListedNote,
    pub(crate) text: Arc<NoteText>,
    pub(crate) author: Option<Arc<Author>>,
}

impl Texts {
    /// Must be called within a tokio runtime.
    pub(super) fn new(caches: &CacheHub, db: &Db) -> Self {
        let texts = TextLoader { db: db.clone() };
        let authors = AuthorLoader { db: db.clone() };
        Self {
            notes: caches
                .builder("note_text", texts)
                .soft_ttl(FRESH)
                .hard_ttl(FRESH)
                .l1_capacity(TEXTS_IN_MEMORY)
                .build()
                .expect("the constants above fit each other"),
            authors: caches
                .builder("author", authors)
                .soft_ttl(FRESH)
                .hard_ttl(FRESH)
                .l1_capacity(AUTHORS_IN_MEMORY)
                .build()
                .expect("the constants above fit each other"),
        }
    }
}

/// The notes with their texts and authors, in the order given. One deleted since SQL listed it is left out.
pub(crate) async fn describe(
    app: &App,
    listed: Vec<ListedNote>,
) -> Result<Vec<DescribedNote>, crate::Error> {
    let texts = &app.notes().texts;
    let ids: Vec<NoteId> = listed.iter().map(|note| note.id).collect();
    let found = texts.notes.get_many(&ids).await?;
    let found = || listed.iter().zip(&found);
    let authors: HashSet<UserId> = found()
        .filter_map(|(_, text)| text.as_ref().map(|text| text.author))
        .collect();
    let authors: Vec<UserId> = authors.into_iter().collect();
    let names = texts.authors.get_many(&authors).await?;
    let described = found().filter_map(|(listed, text)| {
        let text = text.clone()?;
        let place = authors.iter().position(|author| *author == text.author);
        Some(DescribedNote {
            listed: *listed,
            author: place.and_then(|place| names[place].clone()),
            text,
        })
    });
    Ok(described.collect())
}

/// In the order given; nothing in the place of a note that is gone.
pub(super) async fn texts_of(
    app: &App,
    ids: &[NoteId],
) -> Result<Vec<Option<Arc<NoteText>>>, crate::Error> {
    Ok(app.notes().texts.notes.get_many(ids).await?)
}

/// Applies a changed text: invalidates it. Idempotent.
pub(crate) async fn apply_text_change(app: &App, note: NoteId) -> Result<(), crate::Error> {
    let dropped = app.notes().texts.notes.invalidate(&note).await;
    dropped.map_err(crate::Error::Announce)
}

/// Invalidates an author whose name or picture changed. Idempotent.
pub(crate) async fn forget_author(app: &App, author: UserId) -> Result<(), crate::Error> {
    let dropped = app.notes().texts.authors.invalidate(&author).await;
    dropped.map_err(crate::Error::Announce)
}

/// Invalidates texts and authors on all nodes; they load again on demand.
pub(super) async fn invalidate(
    app: &App,
    notes: &[NoteId],
    authors: &[UserId],
) -> Result<(), crate::Error> {
    let texts = &app.notes().texts;
    let dropped = texts.notes.invalidate_many(notes).await;
    dropped.map_err(crate::Error::Announce)?;
    let dropped = texts.authors.invalidate_many(authors).await;
    dropped.map_err(crate::Error::Announce)
}

impl Loader for TextLoader {
    type Key = NoteId;
    type Value = NoteText;
    type Error = Error;

    async fn load(&self, id: &NoteId) -> Result<Option<NoteText>, Error> {
        Ok(notes::get_texts_for_fill(&self.db, &[*id]).await?.pop())
    }

    async fn load_many(&self, ids: &[NoteId]) -> Result<LoadedRows<Self>, Error> {
        let texts = notes::get_texts_for_fill(&self.db, ids).await?;
        Ok(texts.into_iter().map(|text| (text.id, text)).collect())
    }
}

impl Loader for AuthorLoader {
    type Key = UserId;
    type Value = Author;
    type Error = Error;

    async fn load(&self, id: &UserId) -> Result<Option<Author>, Error> {
        let found = users::get_authors_for_fill(&self.db, &[*id]).await?;
        Ok(found.into_iter().next().map(|(_, author)| author))
    }

    async fn load_many(&self, ids: &[UserId]) -> Result<LoadedRows<Self>, Error> {
        users::get_authors_for_fill(&self.db, ids).await
    }
}
