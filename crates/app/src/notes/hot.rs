//! The hot list: most liked first.

use std::collections::HashMap;

use domain::{NoteId, TieBreak};
use kv::Session;
use storage::notes::{self, AuthoredNote};

use super::views::{self, View};
use super::{NOTES_PER_PAGE, NoteSeen, seen_by};
use crate::page::items_before;
use crate::{App, Error};

/// One page; `page` counts from 1. The ranking has the ids, SQL the notes: two round trips and one query.
pub async fn list_hot(
    app: &App,
    reader: Option<&Session>,
    page: u32,
    tie_break: TieBreak,
) -> Result<Vec<NoteSeen>, Error> {
    let notes = match ranked(app, page, tie_break).await? {
        Some(ids) => in_order(&ids, notes::get_many(app.db(), &ids).await?),
        None => notes::list_hot(app.db(), page, NOTES_PER_PAGE, tie_break).await?,
    };
    seen_by(app, reader, notes).await
}

/// `None` if Redis has no ranking.
async fn ranked(app: &App, page: u32, tie_break: TieBreak) -> Result<Option<Vec<NoteId>>, Error> {
    let start = items_before(page, NOTES_PER_PAGE);
    let found = app.kv().list_hot(start, NOTES_PER_PAGE.into(), tie_break);
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

/// Notes deleted since they were ranked are left out.
fn in_order(ids: &[NoteId], notes: Vec<AuthoredNote>) -> Vec<AuthoredNote> {
    let mut by_id: HashMap<NoteId, AuthoredNote> =
        notes.into_iter().map(|it| (it.note.id, it)).collect();
    ids.iter().filter_map(|id| by_id.remove(id)).collect()
}
