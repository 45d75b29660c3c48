//! Favourite shops, in lists that their owners name, and favourite notes. SQL alone: nobody reads them but their owner.

mod notes;

use std::sync::Arc;

use domain::{FavouriteListId, ListName, ShopId};
use jiff::Timestamp;
use kv::Session;
use storage::favourites::{self, Favourite, ListRefusal, SaveRefusal};
use storage::shops::Shop;

pub use notes::{SavedNote, is_note_saved, list_notes, remove_note, save_note};
pub use storage::favourites::FavouriteList;

use crate::write_limits::{self, Write};
use crate::{App, Error, Page, PageSize, Refusal, shops};

const SHOPS_PER_PAGE: PageSize = PageSize::new(20);

/// A saved shop.
#[derive(Clone, Debug)]
pub struct SavedShop {
    pub id: ShopId,
    pub saved_at: Timestamp,
    /// Absent once the shop is gone.
    pub shop: Option<Arc<Shop>>,
}

/// Saves the shop into a list of the caller, or moves it there. Idempotent.
pub async fn save(
    app: &App,
    session: &Session,
    shop: ShopId,
    list: FavouriteListId,
) -> Result<(), Error> {
    write_limits::take(app, session, Write::Favourite).await?;
    let user = session.profile.user_id;
    let saved = favourites::save(app.db(), user, shop, list).await?;
    saved.map_err(|refusal| {
        let refusal = match refusal {
            SaveRefusal::NoSuchShop => Refusal::ShopNotFound,
            SaveRefusal::NoSuchList => Refusal::FavouriteListNotFound,
            SaveRefusal::TooMany => Refusal::FavouriteLimit,
        };
        refusal.into()
    })
}

/// Idempotent.
pub async fn remove(app: &App, session: &Session, shop: ShopId) -> Result<(), Error> {
    write_limits::take(app, session, Write::Favourite).await?;
    favourites::remove(app.db(), session.profile.user_id, shop).await?;
    Ok(())
}

/// The list that the shop is in, if the caller keeps it.
pub async fn get_list_of(
    app: &App,
    session: &Session,
    shop: ShopId,
) -> Result<Option<FavouriteListId>, Error> {
    Ok(favourites::get_list_of(app.db(), session.profile.user_id, shop).await?)
}

/// A page of a list of the caller, what was saved last first. A list that there is not is empty.
pub async fn list_shops(
    app: &App,
    session: &Session,
    list: FavouriteListId,
    before: Option<i64>,
) -> Result<Page<SavedShop, i64>, Error> {
    let (user, rows) = (session.profile.user_id, SHOPS_PER_PAGE.rows());
    let rows = favourites::list_page(app.db(), user, list, before, rows).await?;
    let page = Page::new(rows, SHOPS_PER_PAGE, |row: &Favourite| row.cursor);
    let ids: Vec<ShopId> = page.items.iter().map(|row| row.shop).collect();
    let found = shops::get_many(app, &ids).await?;
    let saved = page.items.iter().zip(found).map(|(row, shop)| SavedShop {
        id: row.shop,
        saved_at: row.saved_at,
        shop,
    });
    let saved = saved.collect();
    Ok(page.map_items(saved))
}

/// The caller's lists: the one that everybody has first.
pub async fn list_lists(app: &App, session: &Session) -> Result<Vec<FavouriteList>, Error> {
    Ok(favourites::list_lists(app.db(), session.profile.user_id).await?)
}

/// The id of the caller's list of this name, which is made if there is none.
pub async fn create_list(
    app: &App,
    session: &Session,
    name: &str,
) -> Result<FavouriteListId, Error> {
    let name = checked(name)?;
    write_limits::take(app, session, Write::Favourite).await?;
    let created = favourites::create_list(app.db(), session.profile.user_id, &name).await?;
    created.map_err(refused)
}

pub async fn rename_list(
    app: &App,
    session: &Session,
    id: FavouriteListId,
    name: &str,
) -> Result<(), Error> {
    let name = checked(name)?;
    write_limits::take(app, session, Write::Favourite).await?;
    let renamed = favourites::rename_list(app.db(), session.profile.user_id, id, &name).await?;
    renamed.map_err(refused)
}

/// Its shops move to the list that everybody has.
pub async fn delete_list(app: &App, session: &Session, id: FavouriteListId) -> Result<(), Error> {
    write_limits::take(app, session, Write::Favourite).await?;
    let deleted = favourites::delete_list(app.db(), session.profile.user_id, id).await?;
    deleted.map_err(refused)
}

fn checked(name: &str) -> Result<ListName, Refusal> {
    ListName::parse(name).map_err(|_| Refusal::FavouriteListNameInvalid)
}

fn refused(refusal: ListRefusal) -> Error {
    let refusal = match refusal {
        ListRefusal::NoSuchList => Refusal::FavouriteListNotFound,
        ListRefusal::NameTaken => Refusal::FavouriteListNameTaken,
        ListRefusal::TooMany => Refusal::FavouriteListLimit,
    };
    refusal.into()
}
