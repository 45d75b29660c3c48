//! What people recommend at a shop, and the notes that do.

use domain::{Dish, ShopId};
use kv::Session;
use storage::notes;

pub use storage::notes::RecommendedDish;

use super::texts::describe;
use super::{NOTES_PER_PAGE, NoteSeen, seen_by};
use crate::{App, Error};

/// The most recommended dishes of a shop that a page may ask for.
pub const DISHES_PER_SHOP_MAX: u32 = 50;

/// The most recommended first, as many as asked for up to [`DISHES_PER_SHOP_MAX`]. Each person counts once for a dish.
pub async fn list_dishes(
    app: &App,
    shop: ShopId,
    limit: u32,
) -> Result<Vec<RecommendedDish>, Error> {
    let limit = limit.min(DISHES_PER_SHOP_MAX);
    Ok(notes::list_dishes(app.db(), shop, limit).await?)
}

/// One page of the notes about the shop that recommend the dish, newest first; `page` counts from 1.
pub async fn list_of_dish(
    app: &App,
    reader: Option<&Session>,
    shop: ShopId,
    dish: &Dish,
    page: u32,
) -> Result<Vec<NoteSeen>, Error> {
    let who = reader.map(|session| session.profile.user_id);
    let listed = notes::list_of_dish(app.db(), who, shop, dish, page, NOTES_PER_PAGE).await?;
    seen_by(app, reader, &describe(app, listed).await?).await
}
