//! Rebuilding what is derived from notes, for `tandian rebuild`.

use std::collections::HashSet;

use domain::{NoteId, UserId};
use storage::bulk::{CountedTable, Surplus};
use storage::{bulk, note_likes, notes};

use super::{texts, views};
use crate::{App, Error, OnProgress, Progress};

/// Notes per batch.
const BATCH: u64 = 1_000;

/// Counters first, because the ranking holds them. Texts and authors are invalidated. Loaded views of likes are reloaded; the
/// others load on demand. What readers with likes know of them is forgotten; that of others expires within the hour.
pub(crate) async fn rebuild(
    app: &App,
    surplus: Surplus,
    progress: OnProgress<'_>,
) -> Result<(), Error> {
    let counted = [CountedTable::Notes, CountedTable::Comments];
    bulk::recount(app.db(), &counted, surplus).await?;
    views::load_hot(app).await?;
    forget_own_likes(app).await?;
    let (mut after, mut done) = (NoteId::new(0), 0);
    loop {
        let rows = notes::list_authors(app.db(), after, BATCH).await?;
        let Some((last, _)) = rows.last() else {
            return Ok(());
        };
        after = *last;
        let (ids, authors): (Vec<NoteId>, HashSet<UserId>) = rows.iter().copied().unzip();
        let authors: Vec<UserId> = authors.into_iter().collect();
        texts::invalidate(app, &ids, &authors).await?;
        for note in app.kv().list_loaded_likes(&ids).await? {
            views::load_likes(app, note).await?;
        }
        done += ids.len() as u64;
        progress(Progress {
            what: "notes",
            done,
            total: done,
        });
    }
}

async fn forget_own_likes(app: &App) -> Result<(), Error> {
    let mut after = UserId::new(0);
    loop {
        let likers = note_likes::list_people(app.db(), after, BATCH).await?;
        let Some(last) = likers.last() else {
            return Ok(());
        };
        after = *last;
        app.kv().forget_own_likes(&likers).await?;
    }
}
