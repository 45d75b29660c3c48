//! The feed: notes of those whom a person follows, newest first, in pages that neither repeat nor skip.
//!
//! **Inboxes.** Redis keeps the newest thousand notes of everybody who reads a feed. A note that is published is pushed by
//! the outbox into the inboxes of the author's fans that are there, in chunks, off the author's request ([`push`]). Who
//! has not read for days has no inbox; it is loaded from SQL when they come back ([`inbox`]).
//!
//! **Authors with many fans** are not pushed. Who they are is remembered, and whoever reads looks for their notes in SQL.
//!
//! **Reading** takes candidates from the inbox and from those authors, and then asks SQL which of them exist and are by
//! somebody whom the reader follows at this moment. So a note that was deleted or hidden and an author who was left are
//! gone at once, whatever the inbox holds; the page is filled from the next candidates.
//!
//! **The cursor** is the last note seen: its millisecond and, for those of the same millisecond, its id. It is a place in
//! the order of all notes, not a count of entries, so whatever comes or goes between two pages moves nothing.
//!
//! | what happens | what the reader sees |
//! |---|---|
//! | the inbox is not there (first visit, flushed Redis, a changed follow) | a page from SQL's newest thousand, kept from then on |
//! | the inbox ends and there are older notes | pages from SQL |
//! | Redis is away | pages from SQL |

mod candidates;
mod inbox;
mod push;
mod unpushed;

use std::collections::HashMap;

use kv::Session;
use storage::notes::{self, AuthoredNote, Moment};

pub(crate) use push::follow_publication;

use crate::notes::{NOTES_PER_PAGE, NoteSeen, seen_by};
use crate::{App, Error, OnProgress, follows};

/// What a page is usually looked for in: some of the candidates may be gone.
const FIRST_LOOK: usize = 15;
/// As looks grow when hardly anything of an inbox is left.
const LARGEST_LOOK: usize = 480;

/// What the feeds of a process keep in memory, and the site's choice.
#[derive(Debug)]
pub struct Feeds {
    /// Notes of an author with more fans than this are looked for by readers instead of pushed to them.
    push_limit: u32,
    unpushed: unpushed::Unpushed,
}

/// One page of a feed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FeedPage {
    /// Newest first; never empty.
    pub notes: Vec<NoteSeen>,
    /// The last of them, which the next page is asked for with.
    pub last: Moment,
}

impl Feeds {
    pub fn new(push_limit: u32) -> Self {
        Self {
            push_limit,
            unpushed: unpushed::Unpushed::new(),
        }
    }
}

/// The notes right before a moment; `None` when there are no more.
pub async fn read(app: &App, session: &Session, before: Moment) -> Result<Option<FeedPage>, Error> {
    let found = collect(app, session, before).await?;
    let Some(last) = found.last().map(|it| Moment {
        published_at: it.note.created_at,
        note: it.note.id,
    }) else {
        return Ok(None);
    };
    let notes = seen_by(app, Some(session), found).await?;
    Ok(Some(FeedPage { notes, last }))
}

/// Has every inbox loaded anew when it is next read.
pub(crate) async fn rebuild(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    // First: inboxes loaded from here on have the notes of these authors, and later notes name them again.
    app.kv().forget_unpushed_authors().await?;
    let forget = async |people: Vec<_>| Ok(app.kv().forget_feeds(&people).await?);
    follows::forget_of_all(app, "feeds", forget, progress).await
}

/// Looks until a page is full or nothing is left. Only inboxes name notes that are gone, and they end: so does this.
async fn collect(
    app: &App,
    session: &Session,
    mut before: Moment,
) -> Result<Vec<AuthoredNote>, Error> {
    let reader = session.profile.user_id;
    let mut page = Vec::new();
    let mut size = FIRST_LOOK;
    loop {
        let candidates = candidates::find(app, reader, before, size).await?;
        let Some(last) = candidates.last() else {
            return Ok(page);
        };
        before = *last;
        let ids: Vec<_> = candidates.iter().map(|it| it.note).collect();
        let left = notes::get_followed(app.db(), reader, &ids).await?;
        let mut left: HashMap<_, _> = left.into_iter().map(|it| (it.note.id, it)).collect();
        page.extend(ids.iter().filter_map(|id| left.remove(id)));
        if page.len() >= NOTES_PER_PAGE as usize {
            page.truncate(NOTES_PER_PAGE as usize);
            return Ok(page);
        }
        size = LARGEST_LOOK.min(size * 2);
    }
}
