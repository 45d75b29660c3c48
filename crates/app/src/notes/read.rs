//! Reading notes: one of them, or those of a person or about a shop.

use domain::{NoteId, ShopId, TieBreak, UserId};
use kv::Session;
use storage::notes::{self, ListOf};

use super::texts::{DescribedNote, describe};
use super::{NOTES_PER_PAGE, NoteSeen, get_shown, seen_by};
use crate::{App, Error, Refusal};

pub async fn get(app: &App, reader: Option<&Session>, id: NoteId) -> Result<NoteSeen, Error> {
    let found = app.notes().pages.join(id, read(app.clone(), id)).await?;
    let seen = seen_by(app, reader, &found).await?;
    let one = seen.into_iter().next();
    Ok(one.ok_or(Refusal::NoteNotFound)?)
}

/// The note, or nothing if it is gone or hidden.
async fn read(app: App, id: NoteId) -> Result<Vec<DescribedNote>, Error> {
    describe(&app, get_shown(&app, vec![id], None).await?).await
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

/// One page, newest first, of all notes or of those with so many stars; `page` counts from 1.
pub async fn list_of_shop(
    app: &App,
    reader: Option<&Session>,
    shop: ShopId,
    stars: Option<u8>,
    page: u32,
) -> Result<Vec<NoteSeen>, Error> {
    let of = match stars {
        Some(stars) => ListOf::Stars(shop, stars),
        None => ListOf::Shop(shop),
    };
    list(app, reader, of, page, TieBreak::Newest).await
}

async fn list(
    app: &App,
    reader: Option<&Session>,
    of: ListOf,
    page: u32,
    first: TieBreak,
) -> Result<Vec<NoteSeen>, Error> {
    let user = reader.map(|session| session.profile.user_id);
    let listed = notes::list(app.db(), user, of, page, NOTES_PER_PAGE, first).await?;
    seen_by(app, reader, &describe(app, listed).await?).await
}
