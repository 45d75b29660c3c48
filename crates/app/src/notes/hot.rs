//! The hot list: most liked first.

use domain::{NoteId, TieBreak};
use kv::Session;
use storage::notes;

use super::texts::{DescribedNote, describe};
use super::views::{self, View};
use super::{NOTES_PER_PAGE, NoteSeen, get_shown, seen_by};
use crate::page::items_before;
use crate::{App, Error};

/// One page; `page` counts from 1. The ranking has the ids, SQL knows which of them are shown: one command and one query,
/// which all share who ask while another page is read.
pub async fn list_hot(
    app: &App,
    reader: Option<&Session>,
    page: u32,
    tie_break: TieBreak,
) -> Result<Vec<NoteSeen>, Error> {
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
