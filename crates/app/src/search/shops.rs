//! Shops by name, area, address and kind: a name that is the needle first, then the nearest or, without a place, the best.
//!
//! A common word has more shops than a window, and windows go by id. So that the nearest are there all the same, the
//! [`SHOPS_NEAR`] shops around the caller are looked at in a stage of their own.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use domain::open_hours::is_open;
use domain::{NameMatch, Needle, Position, ShopId, ShopTypeId};
use jiff::Timestamp;
use storage::search::{self, SearchKind, SearchPlan};
use storage::shops::Shop;

use super::cursor::{Rank, SearchCursor, Stage};
use super::walk::{Candidates, RankedWindow, walk};
use crate::shops::{Around, ListedShop, SortBy, list_nearest, list_types};
use crate::{App, Error, Page};

/// The shops around the caller that are always looked at.
const SHOPS_NEAR: usize = 300;

/// As many as fit above a phone's keyboard.
const SUGGESTIONS: usize = 6;

/// What is searched, and where.
#[derive(Clone, Debug)]
pub struct ShopQuery {
    pub needle: Needle,
    pub around: Option<(Position, u32)>,
    pub filter: ShopFilter,
}

/// What a shop must have besides. Absent bounds are none.
#[derive(Clone, Copy, Debug, Default)]
pub struct ShopFilter {
    /// Shops whose hours are unknown are not open.
    pub is_open: bool,
    pub has_deals: bool,
    pub min_price_yuan: Option<i64>,
    pub max_price_yuan: Option<i64>,
    /// Ten times the stars.
    pub min_score: Option<u32>,
}

/// The next page of shops that hold every word of the needle.
pub async fn search_shops(
    app: &App,
    query: &ShopQuery,
    at: Option<SearchCursor>,
) -> Result<Page<ListedShop, SearchCursor>, Error> {
    if query.needle.is_empty() {
        return Ok(Page {
            items: Vec::new(),
            next: None,
        });
    }
    walk(&ShopCandidates::prepare(app, query).await?, at).await
}

/// The first few, for a text that is still being typed.
pub async fn suggest_shops(app: &App, query: &ShopQuery) -> Result<Vec<ListedShop>, Error> {
    let mut found = search_shops(app, query, None).await?.items;
    found.truncate(SUGGESTIONS);
    Ok(found)
}

struct ShopCandidates<'q> {
    app: &'q App,
    query: &'q ShopQuery,
    kinds: HashMap<ShopTypeId, String>,
    whole: SearchPlan,
    rest: SearchPlan,
    /// The shops around the caller, if there is a place.
    nearest: Vec<ListedShop>,
    now: Timestamp,
}

impl Candidates for ShopCandidates<'_> {
    type Item = ListedShop;
    const STAGES: &'static [Stage] = &[Stage::Whole, Stage::Near, Stage::Rest];

    async fn read(&self, stage: Stage, before: i64) -> Result<RankedWindow<ListedShop>, Error> {
        match stage {
            Stage::Whole => self.window(&self.whole, stage, before).await,
            Stage::Near => self.near().await,
            Stage::Rest => self.window(&self.rest, stage, before).await,
        }
    }
}

impl<'q> ShopCandidates<'q> {
    async fn prepare(app: &'q App, query: &'q ShopQuery) -> Result<Self, Error> {
        let kinds = list_types(app).await?;
        let kinds = kinds.iter().map(|kind| (kind.id, kind.name.clone()));
        let nearest = match query.around {
            Some((position, radius_metres)) => {
                let around = Around {
                    position,
                    radius_metres,
                    sort_by: SortBy::Distance,
                };
                list_nearest(app, around, SHOPS_NEAR).await?
            }
            None => Vec::new(),
        };
        let plan = |whole| search::plan(app.db(), SearchKind::Shops, &query.needle, whole);
        Ok(Self {
            kinds: kinds.collect(),
            whole: plan(true).await?,
            rest: plan(false).await?,
            nearest,
            now: Timestamp::now(),
            app,
            query,
        })
    }

    async fn near(&self) -> Result<RankedWindow<ListedShop>, Error> {
        let fit = self.nearest.iter().filter(|it| self.fits(it, Stage::Near));
        let items = self.with_deals(fit.cloned().collect()).await?;
        Ok(self.ranked(items, None))
    }

    async fn window(
        &self,
        plan: &SearchPlan,
        stage: Stage,
        before: i64,
    ) -> Result<RankedWindow<ListedShop>, Error> {
        let db = self.app.db();
        let window = search::find_window(db, plan, before).await?;
        let near: HashSet<ShopId> = match stage {
            Stage::Rest => self.nearest.iter().map(|it| it.shop.id).collect(),
            Stage::Whole | Stage::Near => HashSet::new(),
        };
        let ids = window.ids.iter().map(|id| ShopId::new(*id));
        let ids: Vec<ShopId> = ids.filter(|id| !near.contains(id)).collect();
        let rows = storage::shops::get_many(db, &ids).await?;
        let listed = rows.into_iter().map(|shop| self.listed(shop));
        let fit = listed.filter(|it| self.fits(it, stage)).collect();
        Ok(self.ranked(self.with_deals(fit).await?, window.next))
    }

    fn listed(&self, shop: Shop) -> ListedShop {
        let here = self.query.around.map(|(position, _)| position);
        let there = Position::new(shop.x, shop.y).ok();
        let metres = here.zip(there).map(|(here, there)| here.metres_to(there));
        ListedShop {
            shop: Arc::new(shop),
            // To a tenth of a millimetre, as Redis returns distances.
            metres: metres.map(|metres| (metres * 10_000.0).round() / 10_000.0),
        }
    }

    fn fits(&self, listed: &ListedShop, stage: Stage) -> bool {
        let ShopQuery { needle, around, .. } = self.query;
        let shop = &*listed.shop;
        let fit = needle.name_match(&shop.name);
        let is_whole = fit == NameMatch::Whole;
        let is_missing = fit == NameMatch::None && needle.is_for_names();
        if is_whole != (stage == Stage::Whole) || is_missing {
            return false;
        }
        let kind = self.kinds.get(&shop.type_id).map_or("", String::as_str);
        let area = shop.area.as_deref().unwrap_or_default();
        let is_near = around.is_none_or(|(_, radius)| {
            listed
                .metres
                .is_some_and(|metres| metres <= f64::from(radius))
        });
        is_near
            && self.passes(shop)
            && needle.matches([shop.name.as_str(), area, &shop.address, kind])
    }

    fn passes(&self, shop: &Shop) -> bool {
        let filter = self.query.filter;
        let price = shop.avg_price_yuan;
        let is_dear_enough = |least| price.is_some_and(|price| price >= least);
        let is_cheap_enough = |most| price.is_some_and(|price| price <= most);
        let minute = self.app.rules().zone.minute_of_day(self.now);
        let hours = shop.open_hours.as_deref().unwrap_or_default();
        filter.min_price_yuan.is_none_or(is_dear_enough)
            && filter.max_price_yuan.is_none_or(is_cheap_enough)
            && filter.min_score.is_none_or(|least| shop.score >= least)
            && (!filter.is_open || is_open(hours, minute) == Some(true))
    }

    async fn with_deals(&self, shops: Vec<ListedShop>) -> Result<Vec<ListedShop>, Error> {
        if !self.query.filter.has_deals {
            return Ok(shops);
        }
        let ids: Vec<ShopId> = shops.iter().map(|it| it.shop.id).collect();
        let with_deals = search::with_deals(self.app.db(), &ids, self.now).await?;
        let with_deals: HashSet<ShopId> = with_deals.into_iter().collect();
        let has_deals = |it: &ListedShop| with_deals.contains(&it.shop.id);
        Ok(shops.into_iter().filter(has_deals).collect())
    }

    fn ranked(&self, shops: Vec<ListedShop>, next: Option<i64>) -> RankedWindow<ListedShop> {
        let items = shops.into_iter().map(|it| (rank(&it), it)).collect();
        RankedWindow { items, next }
    }
}

/// By distance, if there is a place to count it from; otherwise by score and by how much was said.
fn rank(listed: &ListedShop) -> Rank {
    let shop = &listed.shop;
    let id = shop.id.get();
    match listed.metres {
        // Less than a centimetre apart is the same place.
        Some(metres) => [(metres * 100.0) as i64, 0, id],
        None => [-i64::from(shop.score), -i64::from(shop.comments), id],
    }
}
