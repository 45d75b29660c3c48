//! Topics of notes: the notes of one, newest first, and topics to choose from while one is typed.
//!
//! A topic is not something that somebody makes: any name is one, with notes or without. So a topic that nobody has used is an
//! empty list, and not an error.

use domain::search::searched;
use domain::{NoteId, Topic};
use kv::Session;
use storage::topics::{self, CountedTopic};

use crate::notes::{NOTES_PER_PAGE, NoteSeen, describe, get_shown, seen_by};
use crate::{App, Error, Page, PageSize};

const NOTES: PageSize = PageSize::new(NOTES_PER_PAGE);

/// What fits above the keyboard of a phone.
const SUGGESTIONS: u32 = 8;

/// A page of the notes of a topic.
#[derive(Clone, Debug)]
pub struct TopicPage {
    /// As it was first written; as it was asked for if no note has it.
    pub name: String,
    /// How many notes it has in all.
    pub notes: u64,
    pub page: Page<NoteSeen, NoteId>,
}

/// The next page of a topic's notes before the cursor. What no note can have as a topic has none.
pub async fn list_notes(
    app: &App,
    reader: Option<&Session>,
    name: &str,
    before: Option<NoteId>,
) -> Result<TopicPage, Error> {
    let Some(topic) = Topic::parse(name.trim()) else {
        return Ok(TopicPage {
            name: String::new(),
            notes: 0,
            page: Page::new(Vec::new(), NOTES, |seen: &NoteSeen| seen.text.id),
        });
    };
    let counted = topics::get(app.db(), &topic).await?;
    let who = reader.map(|session| session.profile.user_id);
    let ids = topics::list_notes(app.db(), who, &topic, before, NOTES.rows()).await?;
    let page = Page::new(ids, NOTES, |id| *id);
    let shown = get_shown(app, page.items.clone(), None).await?;
    let seen = seen_by(app, reader, &describe(app, shown).await?).await?;
    Ok(TopicPage {
        notes: counted.as_ref().map_or(0, CountedTopic::notes),
        name: counted.map_or_else(|| topic.name().to_owned(), |it| it.name),
        page: page.map_items(seen),
    })
}

/// Topics that begin with what is typed, those of most notes first.
pub async fn suggest(app: &App, typed: &str) -> Result<Vec<CountedTopic>, Error> {
    let prefix: String = searched(typed.trim());
    if prefix.is_empty() && !typed.trim().is_empty() {
        return Ok(Vec::new());
    }
    Ok(topics::suggest(app.db(), &prefix, SUGGESTIONS).await?)
}
