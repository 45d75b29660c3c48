//! Reading notes: one of them, or those of a person or about a shop.

use domain::{NoteId, ShopId, TieBreak, UserId};
use kv::Session;
use storage::notes::{self, ListOf};

use super::{NOTES_PER_PAGE, NoteSeen, seen_by};
use crate::{App, Error, Refusal};

pub async fn get(app: &App, reader: Option<&Session>, id: NoteId) -> Result<NoteSeen, Error> {
    let note = notes::get(app.db(), id).await?;
    let note = note.ok_or(Refusal::NoteNotFound)?;
    let seen = seen_by(app, reader, vec![note]).await?;
    let one = seen.into_iter().next();
    Ok(one.ok_or(Refusal::NoteNotFound)?)
}

/// One page; `page` counts from 1.
pub async fn list_of_author(
    app: &App,
    reader: Option<&Session>,
    author: UserId,
    page: u32,
    first: TieBreak,
) -> Result<Vec<NoteSeen>, Error> {
    list(app, reader, ListOf::Author(author), page, first).await
}

/// One page, newest first; `page` counts from 1.
pub async fn list_of_shop(
    app: &App,
    reader: Option<&Session>,
    shop: ShopId,
    page: u32,
) -> Result<Vec<NoteSeen>, Error> {
    list(app, reader, ListOf::Shop(shop), page, TieBreak::Newest).await
}

async fn list(
    app: &App,
    reader: Option<&Session>,
    of: ListOf,
    page: u32,
    first: TieBreak,
) -> Result<Vec<NoteSeen>, Error> {
    let notes = notes::list(app.db(), of, page, NOTES_PER_PAGE, first).await?;
    seen_by(app, reader, notes).await
}
