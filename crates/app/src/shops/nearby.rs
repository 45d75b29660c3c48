//! Shops of one type, a page at a time: the nearest first, or the best of those within reach.
//!
//! Redis returns the shops and their distances, the cache their rows: a page costs one search and one batch of rows.
//! Ties are ordered by id, so no shop is on two pages or on none.

use std::cmp::Ordering;
use std::sync::Arc;

use domain::{Position, ShopId, ShopTypeId};
use futures_util::future::try_join_all;
use kv::Near;
use storage::shops::{self, Shop};

use super::{geo, read};
use crate::{App, Error};

/// The original's page size.
pub const SHOPS_PER_PAGE: u32 = 5;

/// Ten times the original's page size.
pub const MAX_SHOPS_PER_PAGE: u32 = 50;

/// What a map shows at once; more would cover it.
const SHOPS_ON_MAP: usize = 200;

/// How many of the nearest shops a list reaches: two hundred pages. Other sort orders sort these, so the work of a
/// request is bounded.
const MAX_CANDIDATES: usize = 1_000;

/// Shops read beyond the end of a page, to detect ties across it.
const LOOK_AHEAD: usize = 3;

pub const MAX_RADIUS_METRES: u32 = 50_000;

/// The query of a list.
#[derive(Clone, Copy, Debug)]
pub struct TypeQuery {
    pub type_id: ShopTypeId,
    /// Counts from 1.
    pub page: u32,
    /// At most [`MAX_SHOPS_PER_PAGE`].
    pub per_page: u32,
    /// Absent: all shops of the type, by id.
    pub around: Option<Around>,
}

#[derive(Clone, Copy, Debug)]
pub struct Around {
    pub position: Position,
    pub radius_metres: u32,
    pub sort_by: SortBy,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// The nearest first.
    #[default]
    Distance,
    /// Most comments first.
    Comments,
    /// Highest score first.
    Score,
    /// Cheapest first, unknown prices last.
    Price,
}

/// A shop on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct ListedShop {
    pub shop: Arc<Shop>,
    /// The distance from the caller, if known.
    pub metres: Option<f64>,
}

pub async fn list_of_type(app: &App, query: TypeQuery) -> Result<Vec<ListedShop>, Error> {
    let TypeQuery {
        type_id,
        page,
        per_page,
        around,
    } = query;
    let Some(around) = around else {
        let shops = shops::list_of_type(app.db(), type_id, page, per_page).await?;
        return Ok(shops.into_iter().map(ListedShop::anywhere).collect());
    };
    // A made-up type id would otherwise load an index.
    if !read::is_type(app, type_id).await? {
        return Ok(Vec::new());
    }
    let page = PageRange::new(page, per_page);
    match around.sort_by {
        SortBy::Distance => {
            let near = nearest(app, type_id, around, page).await?;
            with_rows(app, &near).await
        }
        SortBy::Comments | SortBy::Score | SortBy::Price => {
            let near = geo::search(app, type_id, around, MAX_CANDIDATES).await?;
            let mut listed = with_rows(app, &near).await?;
            listed.sort_by(|a, b| around.sort_by.compare(a, b));
            Ok(page.of(listed))
        }
    }
}

/// The nearest shops of one type or of all, for a map: [`SHOPS_ON_MAP`] at most.
pub async fn list_around(
    app: &App,
    around: Around,
    type_id: Option<ShopTypeId>,
) -> Result<Vec<ListedShop>, Error> {
    list_nearest_of(app, around, type_id, SHOPS_ON_MAP).await
}

/// The nearest shops of all types, `count` at most.
pub(crate) async fn list_nearest(
    app: &App,
    around: Around,
    count: usize,
) -> Result<Vec<ListedShop>, Error> {
    list_nearest_of(app, around, None, count).await
}

async fn list_nearest_of(
    app: &App,
    around: Around,
    type_id: Option<ShopTypeId>,
    count: usize,
) -> Result<Vec<ListedShop>, Error> {
    let types = read::list_types(app).await?;
    let wanted = types.iter().map(|it| it.id);
    let wanted = wanted.filter(|id| type_id.is_none_or(|only| only == *id));
    let searches = wanted.map(|id| geo::search(app, id, around, count));
    let mut near = try_join_all(searches).await?.concat();
    near.sort_by(by_distance);
    near.truncate(count);
    with_rows(app, &near).await
}

/// The shops of the page by distance, and among equals by id.
async fn nearest(
    app: &App,
    type_id: ShopTypeId,
    around: Around,
    page: PageRange,
) -> Result<Vec<Near>, Error> {
    if page.start >= MAX_CANDIDATES {
        return Ok(Vec::new());
    }
    let mut count = page.end + LOOK_AHEAD;
    loop {
        count = count.min(MAX_CANDIDATES);
        let mut near = geo::search(app, type_id, around, count).await?;
        near.sort_by(by_distance);
        if count == MAX_CANDIDATES || near.len() < count || has_clear_end(&near, page) {
            return Ok(page.of(near));
        }
        count *= 2;
    }
}

/// How far a shop is from the place, if that is within the reach of a list.
pub(crate) fn metres_within_reach(here: Position, shop: &Shop) -> Option<f64> {
    let there = Position::new(shop.x, shop.y).ok()?;
    let metres = here.metres_to(there);
    (metres <= f64::from(MAX_RADIUS_METRES)).then_some(metres)
}

fn by_distance(a: &Near, b: &Near) -> Ordering {
    a.metres.total_cmp(&b.metres).then(a.id.cmp(&b.id))
}

/// Whether a shop farther than the page's last one was found: then all ties were found too.
fn has_clear_end(near: &[Near], page: PageRange) -> bool {
    match (near.get(page.end - 1), near.last()) {
        (Some(last_on_page), Some(last)) => last.metres > last_on_page.metres,
        _ => true,
    }
}

/// The rows of the shops, in one batch. A shop whose row is gone is left out.
async fn with_rows(app: &App, near: &[Near]) -> Result<Vec<ListedShop>, Error> {
    let ids: Vec<ShopId> = near.iter().map(|near| near.id).collect();
    let rows = read::get_many(app, &ids).await?;
    let listed = near.iter().zip(rows).filter_map(|(near, row)| {
        Some(ListedShop {
            shop: row?,
            metres: Some(near.metres),
        })
    });
    Ok(listed.collect())
}

impl SortBy {
    /// Equals stand in the order of their ids.
    fn compare(self, a: &ListedShop, b: &ListedShop) -> Ordering {
        let price = |listed: &ListedShop| listed.shop.avg_price_yuan.unwrap_or(i64::MAX);
        let metres = |listed: &ListedShop| listed.metres.unwrap_or(f64::INFINITY);
        let by_kind = match self {
            Self::Distance => metres(a).total_cmp(&metres(b)),
            Self::Comments => b.shop.comments.cmp(&a.shop.comments),
            Self::Score => b.shop.score.cmp(&a.shop.score),
            Self::Price => price(a).cmp(&price(b)),
        };
        by_kind.then(a.shop.id.cmp(&b.shop.id))
    }
}

impl ListedShop {
    fn anywhere(shop: Shop) -> Self {
        Self {
            shop: Arc::new(shop),
            metres: None,
        }
    }
}

/// The index range of a numbered page in a list.
#[derive(Clone, Copy, Debug)]
struct PageRange {
    start: usize,
    end: usize,
}

impl PageRange {
    /// Page 0 counts as page 1. All pages beyond the end are the same empty page.
    fn new(number: u32, size: u32) -> Self {
        let pages = (MAX_CANDIDATES as u32).div_ceil(size);
        let before = number.clamp(1, pages + 1) - 1;
        let start = (before * size) as usize;
        Self {
            start,
            end: start + size as usize,
        }
    }

    fn of<T>(self, list: Vec<T>) -> Vec<T> {
        let (skipped, taken) = (self.start, self.end - self.start);
        list.into_iter().skip(skipped).take(taken).collect()
    }
}
