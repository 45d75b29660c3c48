//! The feed: notes by authors the user follows, newest first, in pages that neither repeat nor skip.
//!
//! **Inboxes.** Redis keeps the newest thousand notes for every user who reads a feed. The outbox pushes a published
//! note into the existing inboxes of the author's followers in chunks ([`push`]). A user who has not read for days
//! has no inbox; it is loaded from SQL on the next read ([`inbox`]).
//!
//! **Authors with many fans** are not pushed. Redis keeps their list, and readers query their notes in SQL.
//!
//! **Reading** takes candidates from the inbox and from those authors and asks SQL which of them exist and are by
//! authors the reader follows now. So deleted or hidden notes and unfollowed authors disappear at once, whatever the
//! inbox holds; the page is filled from the next candidates.
//!
//! **The cursor** is the last note of the page: its millisecond and id. It is a position in the order of all notes,
//! not an offset, so insertions and deletions between two pages shift nothing.
//!
//! | what happens | what the reader sees |
//! |---|---|
//! | the inbox is not there (first visit, flushed Redis, a changed follow) | a page from SQL's newest thousand, kept from then on |
//! | the inbox ends and there are older notes | pages from SQL |
//! | Redis is unavailable | pages from SQL |

mod candidates;
mod inbox;
mod push;
mod unpushed;

use std::collections::HashMap;

use domain::NoteId;
use kv::Session;
use storage::notes::{ListedNote, TimelinePosition};

pub(crate) use push::apply_publication;

use crate::notes::{NOTES_PER_PAGE, NoteSeen, describe, get_shown, likes_among, see};
use crate::{App, Error, OnProgress, Page, follows};

/// Candidates read first: few of them are gone, because an inbox is loaded anew when its owner follows or leaves anybody.
const FIRST_BATCH: usize = 12;
/// The largest batch, when hardly any candidate of an inbox is left.
const LARGEST_BATCH: usize = 480;

/// Per-process state of the feeds.
#[derive(Debug)]
pub struct Feeds {
    /// Notes of authors with more fans are read from SQL instead of pushed.
    push_limit: u32,
    unpushed: unpushed::Unpushed,
}

impl Feeds {
    pub fn new(push_limit: u32) -> Self {
        Self {
            push_limit,
            unpushed: unpushed::Unpushed::new(),
        }
    }
}

/// The notes right before a moment, newest first. The next page continues after the last note; an empty page has none.
pub async fn read(
    app: &App,
    session: &Session,
    before: TimelinePosition,
) -> Result<Page<NoteSeen, TimelinePosition>, Error> {
    let (found, liked) = collect(app, session, before).await?;
    let items = see(&describe(app, found).await?, Some(&liked));
    let next = items.last().map(|it| TimelinePosition {
        published_at: it.text.created_at,
        note: it.text.id,
    });
    Ok(Page { items, next })
}

/// Drops every inbox; each is loaded again on its next read.
pub(crate) async fn rebuild(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    // First, because inboxes loaded from now on include these authors' notes, and later notes list them again.
    app.kv().forget_unpushed_authors().await?;
    let forget = async |people: Vec<_>| Ok(app.kv().forget_feeds(&people).await?);
    follows::forget_of_all(app, "feeds", forget, progress).await
}

/// Reads candidates until the page is full or none is left. Only inboxes name deleted notes, and they are finite, so
/// this ends. Whether the reader likes the candidates is asked while SQL says which of them are left.
async fn collect(
    app: &App,
    session: &Session,
    mut before: TimelinePosition,
) -> Result<(Vec<ListedNote>, HashMap<NoteId, bool>), Error> {
    let reader = session.profile.user_id;
    let (mut page, mut liked) = (Vec::new(), HashMap::new());
    let mut size = FIRST_BATCH;
    loop {
        let candidates = candidates::find(app, reader, before, size).await?;
        let Some(last) = candidates.last() else {
            return Ok((page, liked));
        };
        before = *last;
        let ids: Vec<_> = candidates.iter().map(|it| it.note).collect();
        let left = get_shown(app, ids.clone(), Some(reader));
        let (left, likes) = tokio::try_join!(left, likes_among(app, reader, &ids))?;
        page.extend(left);
        liked.extend(likes);
        if page.len() >= NOTES_PER_PAGE as usize {
            page.truncate(NOTES_PER_PAGE as usize);
            return Ok((page, liked));
        }
        size = LARGEST_BATCH.min(size * 2);
    }
}
