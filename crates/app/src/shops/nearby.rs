//! Shops of one type, a page at a time: the nearest first, or the best of those within reach.
//!
//! Redis finds the shops and their distances, the cache has their rows: a page costs one search and one batch of
//! rows, however many shops there are. Shops that are equally far, or equally good, stand in the order of their ids, so
//! that no shop is on two pages or on none.

use std::cmp::Ordering;
use std::sync::Arc;

use domain::{Position, ShopId, ShopTypeId};
use futures_util::future::try_join_all;
use kv::Near;
use storage::shops::{self, Shop};

use super::{geo, read};
use crate::{App, Error};

/// A page of the original.
pub const SHOPS_PER_PAGE: u32 = 5;

/// Enough for a tall screen, and ten times as much as the original reads for a page.
pub const MAX_SHOPS_PER_PAGE: u32 = 50;

/// What a map shows at once; more would cover it.
const SHOPS_ON_MAP: usize = 200;

/// How many of the nearest shops a list can reach: two hundred pages. Whoever sorts by anything but the distance sorts
/// these, so the work of a request has a bound wherever it is made.
const MAX_CANDIDATES: usize = 1_000;

/// Shops asked for beyond the end of a page, to see whether those at its end have equals behind them.
const LOOK_AHEAD: usize = 8;

pub const MAX_RADIUS_METRES: u32 = 50_000;

/// A list that somebody asks for.
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
    /// The most talked of first.
    Comments,
    /// The best first.
    Score,
    /// The cheapest first, and those whose price nobody knows last.
    Price,
}

/// A shop on a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Listed {
    pub shop: Arc<Shop>,
    /// From where the asker is, if that is known.
    pub metres: Option<f64>,
}

pub async fn list_of_type(app: &App, query: TypeQuery) -> Result<Vec<Listed>, Error> {
    let TypeQuery {
        type_id,
        page,
        per_page,
        around,
    } = query;
    let Some(around) = around else {
        let shops = shops::list_of_type(app.db(), type_id, page, per_page).await?;
        return Ok(shops.into_iter().map(Listed::anywhere).collect());
    };
    // An index would be loaded, and marked as loaded, for every number that anybody makes up.
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
) -> Result<Vec<Listed>, Error> {
    let types = read::list_types(app).await?;
    let wanted = types.iter().map(|it| it.id);
    let wanted = wanted.filter(|id| type_id.is_none_or(|only| only == *id));
    let searches = wanted.map(|id| geo::search(app, id, around, SHOPS_ON_MAP));
    let mut near = try_join_all(searches).await?.concat();
    near.sort_by(by_distance);
    near.truncate(SHOPS_ON_MAP);
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

fn by_distance(a: &Near, b: &Near) -> Ordering {
    a.metres.total_cmp(&b.metres).then(a.id.cmp(&b.id))
}

/// Whether somebody who is farther than the page's last shop was found: then all its equals were, too.
fn has_clear_end(near: &[Near], page: PageRange) -> bool {
    match (near.get(page.end - 1), near.last()) {
        (Some(last_on_page), Some(last)) => last.metres > last_on_page.metres,
        _ => true,
    }
}

/// The rows of the shops, in one batch. A shop whose row is gone is left out.
async fn with_rows(app: &App, near: &[Near]) -> Result<Vec<Listed>, Error> {
    let ids: Vec<ShopId> = near.iter().map(|near| near.id).collect();
    let rows = read::get_many(app, &ids).await?;
    let listed = near.iter().zip(rows).filter_map(|(near, row)| {
        Some(Listed {
            shop: row?,
            metres: Some(near.metres),
        })
    });
    Ok(listed.collect())
}

impl SortBy {
    /// Equals stand in the order of their ids.
    fn compare(self, a: &Listed, b: &Listed) -> Ordering {
        let price = |listed: &Listed| listed.shop.avg_price_yuan.unwrap_or(i64::MAX);
        let metres = |listed: &Listed| listed.metres.unwrap_or(f64::INFINITY);
        let by_kind = match self {
            Self::Distance => metres(a).total_cmp(&metres(b)),
            Self::Comments => b.shop.comments.cmp(&a.shop.comments),
            Self::Score => b.shop.score.cmp(&a.shop.score),
            Self::Price => price(a).cmp(&price(b)),
        };
        by_kind.then(a.shop.id.cmp(&b.shop.id))
    }
}

impl Listed {
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
    /// A page below the first is the first. Numbers that no list reaches are all the same page after the end.
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
