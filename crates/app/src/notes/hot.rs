//! The hot list: most liked first. Readers share its pages, except those who block people: their pages count the notes of
//! everybody else, so that none is short in the middle of the list.

use domain::{NoteId, Position, ShopId, TieBreak};
use kv::Session;
use storage::notes;

use super::texts::{DescribedNote, describe, texts_of};
use super::views::{self, View};
use super::{NOTES_PER_PAGE, NoteSeen, get_shown, seen_by};
use crate::blocks::{self, BlockedPeople};
use crate::page::items_before;
use crate::{App, Error, shops};

/// How many of the most liked notes a list around a place, or of a reader who blocks people, looks at: bounds the work of a
/// request.
const NOTES_REACHED: u32 = 300;

/// One page; `page` counts from 1. The ranking has the ids, SQL knows which of them are shown: one command and one query,
/// which all share who ask while another page is read.
pub async fn list_hot(
    app: &App,
    reader: Option<&Session>,
    page: u32,
    tie_break: TieBreak,
) -> Result<Vec<NoteSeen>, Error> {
    let blocked = blocks::of_reader(app, reader).await?;
    if !blocked.are_none() {
        let ids = most_liked(app, tie_break).await?;
        let texts = texts_of(app, &ids).await?;
        let seen = texts.iter().flatten();
        let seen = seen.filter(|text| !blocked.contains(text.author));
        return see_page(app, reader, seen.map(|text| text.id), page).await;
    }
    let reads = &app.notes().hot_pages;
    let found = reads.join((page, tie_break), read(app.clone(), page, tie_break));
    seen_by(app, reader, &found.await?).await
}

async fn read(app: App, page: u32, tie_break: TieBreak) -> Result<Vec<DescribedNote>, Error> {
    let listed = match ranked(&app, page, tie_break).await? {
        // Notes deleted since they were ranked are left out.
        Some(ids) => get_shown(&app, ids, None).await?,
        None => notes::list_hot(app.db(), page, NOTES_PER_PAGE, tie_break).await?,
    };
    describe(&app, listed).await
}

/// One page of the notes about shops within reach of a place, among the [`NOTES_REACHED`] most liked of the site; `page`
/// counts from 1. Texts and shops come from their caches, so SQL is asked about the notes of the page alone.
pub async fn list_hot_around(
    app: &App,
    reader: Option<&Session>,
    page: u32,
    here: Position,
) -> Result<Vec<NoteSeen>, Error> {
    let blocked = blocks::of_reader(app, reader).await?;
    let ids = most_liked(app, TieBreak::Newest).await?;
    let near = about_shops_within_reach(app, &ids, here, &blocked).await?;
    see_page(app, reader, near.into_iter(), page).await
}

/// The ids of the [`NOTES_REACHED`] most liked notes.
async fn most_liked(app: &App, tie_break: TieBreak) -> Result<Vec<NoteId>, Error> {
    match ranked_from(app, 0, NOTES_REACHED, tie_break).await? {
        Some(ids) => Ok(ids),
        None => {
            let listed = notes::list_hot(app.db(), 1, NOTES_REACHED, tie_break).await?;
            Ok(listed.iter().map(|note| note.id).collect())
        }
    }
}

/// One page of these notes; `page` counts from 1.
async fn see_page(
    app: &App,
    reader: Option<&Session>,
    notes: impl Iterator<Item = NoteId>,
    page: u32,
) -> Result<Vec<NoteSeen>, Error> {
    let before = usize::try_from(items_before(page, NOTES_PER_PAGE)).unwrap_or(usize::MAX);
    let on_page = notes.skip(before).take(NOTES_PER_PAGE as usize);
    let shown = get_shown(app, on_page.collect(), None).await?;
    seen_by(app, reader, &describe(app, shown).await?).await
}

async fn about_shops_within_reach(
    app: &App,
    ids: &[NoteId],
    here: Position,
    blocked: &BlockedPeople,
) -> Result<Vec<NoteId>, Error> {
    let texts = texts_of(app, ids).await?;
    let seen = texts.into_iter().flatten();
    let texts: Vec<_> = seen.filter(|text| !blocked.contains(text.author)).collect();
    let about: Vec<ShopId> = texts.iter().map(|text| text.shop_id).collect();
    let shops = shops::get_many(app, &about).await?;
    let near = texts.iter().zip(shops).filter_map(|(text, shop)| {
        shops::metres_within_reach(here, &*shop?)?;
        Some(text.id)
    });
    Ok(near.collect())
}

/// `None` if Redis has no ranking.
async fn ranked(app: &App, page: u32, tie_break: TieBreak) -> Result<Option<Vec<NoteId>>, Error> {
    let start = items_before(page, NOTES_PER_PAGE);
    ranked_from(app, start, NOTES_PER_PAGE, tie_break).await
}

async fn ranked_from(
    app: &App,
    start: u64,
    count: u32,
    tie_break: TieBreak,
) -> Result<Option<Vec<NoteId>>, Error> {
    let found = app.kv().list_hot(start, count.into(), tie_break);
    match found.await {
        Ok(Some(ids)) => Ok(Some(ids)),
        Ok(None) => {
            views::load_in_background(app, View::Hot);
            Ok(None)
        }
        Err(error) if error.is_outage() => Ok(None),
        Err(error) => Err(error.into()),
    }
}
