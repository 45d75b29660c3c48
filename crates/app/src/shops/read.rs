//! Reads one shop, searches by name, lists shop types.

use std::sync::Arc;

use domain::{ShopId, ShopTypeId};
use storage::shop_types::ShopType;
use storage::shops::{self, Shop};

use super::loaders::AllTypes;
use crate::{App, Error, Refusal};

const SHOPS_PER_SEARCH_PAGE: u32 = 10;

/// Bounds the work of a search.
const SEARCH_MAX_CHARS: usize = 64;

/// A shop, usually from memory.
pub async fn get(app: &App, id: ShopId) -> Result<Arc<Shop>, Error> {
    let found = app.shops().rows.get(&id).await?;
    found.ok_or(Refusal::ShopNotFound.into())
}

/// Shops in the order of their ids, in one batch; nothing in the place of one that is not there.
pub(crate) async fn get_many(app: &App, ids: &[ShopId]) -> Result<Vec<Option<Arc<Shop>>>, Error> {
    Ok(app.shops().rows.get_many(ids).await?)
}

/// One page of the shops whose name holds `text`, by id; all of them if there is none.
pub async fn search(app: &App, text: &str, page: u32) -> Result<Vec<Shop>, Error> {
    let text: String = text.trim().chars().take(SEARCH_MAX_CHARS).collect();
    Ok(shops::search_by_name(app.db(), &text, page, SHOPS_PER_SEARCH_PAGE).await?)
}

/// The kinds of shops, in the order in which the site shows them.
pub async fn list_types(app: &App) -> Result<Arc<Vec<ShopType>>, Error> {
    let types = app.shops().types.get(&AllTypes).await?;
    Ok(types.unwrap_or_default())
}

pub(super) async fn is_type(app: &App, id: ShopTypeId) -> Result<bool, Error> {
    Ok(list_types(app).await?.iter().any(|it| it.id == id))
}
