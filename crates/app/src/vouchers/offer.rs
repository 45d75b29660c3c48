//! Vouchers outside their shop's list: one by id, and the current flash sales of all shops.
//!
//! Every home page shows the current sales, so a process reads them at most once a second. Shops come from their
//! cache and stock from the gates, in one batch each.

use std::sync::Arc;

use domain::{Position, ShopId, VoucherId, VoucherStatus};
use jiff::{SignedDuration, Timestamp};
use storage::shops::Shop;
use storage::vouchers::{self, Voucher};

use super::list::{ListedVoucher, ListedVouchers, with_stock};
use crate::page::items_before;
use crate::{App, Error, Refusal, shops};

const SALES_PER_PAGE: u32 = 10;

/// Twenty pages; bounds the cache.
const SALES_MAX: u64 = 200;

/// How long before its begin a sale is listed.
const AHEAD: SignedDuration = SignedDuration::from_hours(24);

/// A voucher of any shop.
#[derive(Clone, Debug)]
pub struct Offer {
    pub listed: ListedVoucher,
    /// Absent for a voucher of an adopted database that names none.
    pub shop: Option<Arc<Shop>>,
}

/// A voucher that is on the shelf.
pub async fn get(app: &App, id: VoucherId) -> Result<Offer, Error> {
    let on_shelf = read_one(app, id).await?;
    let offers = offers(app, &on_shelf).await?;
    let offer = offers.into_iter().next();
    offer.ok_or(Refusal::VoucherNotFound.into())
}

/// A voucher that is on the shelf and its shop, without stock and as of a second ago at most: for the address of a sale,
/// which a crowd opens at once.
pub async fn describe(app: &App, id: VoucherId) -> Result<(Voucher, Option<Arc<Shop>>), Error> {
    let read = app.vouchers().single.try_get_with(id, read_one(app, id));
    let found = read.await.map_err(Error::Shared)?;
    let voucher = found.first().ok_or(Refusal::VoucherNotFound)?;
    let shops = shops::get_many(app, &[voucher.shop_id]).await?;
    Ok((voucher.clone(), shops.into_iter().flatten().next()))
}

async fn read_one(app: &App, id: VoucherId) -> Result<ListedVouchers, Error> {
    let voucher = vouchers::get(app.db(), id).await?;
    let on_shelf = voucher.filter(|voucher| voucher.status == VoucherStatus::OnShelf);
    Ok(Arc::new(on_shelf.into_iter().collect()))
}

/// One page of the flash sales that are on: open ones, the soonest to end first, then those that begin within a day, the
/// soonest first. Around a place they are those of shops within reach: open ones, the nearest first, then the others. `page`
/// counts from 1; at most 200 sales are reached.
pub async fn list_running(
    app: &App,
    page: u32,
    here: Option<Position>,
) -> Result<Vec<Offer>, Error> {
    let read = app.vouchers().running.try_get_with((), read(app));
    let running = read.await.map_err(Error::Shared)?;
    let now = Timestamp::now();
    let is_on = |voucher: &&Voucher| voucher.sale.is_some_and(|sale| now < sale.end_at);
    let running: Vec<Voucher> = running.iter().filter(is_on).cloned().collect();
    let running = match here {
        Some(here) => within_reach(app, running, here, now).await?,
        None => running,
    };
    let before = usize::try_from(items_before(page, SALES_PER_PAGE)).unwrap_or(usize::MAX);
    let on_page = running.into_iter().skip(before);
    let on_page: Vec<Voucher> = on_page.take(SALES_PER_PAGE as usize).collect();
    offers(app, &on_page).await
}

async fn within_reach(
    app: &App,
    sales: Vec<Voucher>,
    here: Position,
    now: Timestamp,
) -> Result<Vec<Voucher>, Error> {
    let owners: Vec<ShopId> = sales.iter().map(|sale| sale.shop_id).collect();
    let owners = shops::get_many(app, &owners).await?;
    let placed = sales.into_iter().zip(owners);
    let mut near: Vec<(bool, f64, Voucher)> = placed
        .filter_map(|(sale, shop)| {
            let metres = shops::metres_within_reach(here, &*shop?)?;
            let is_open = sale.sale.is_some_and(|sale| sale.begin_at <= now);
            Some((is_open, metres, sale))
        })
        .collect();
    // Stable: equals keep the order of their times.
    near.sort_by(|(a, x, _), (b, y, _)| b.cmp(a).then(x.total_cmp(y)));
    Ok(near.into_iter().map(|(_, _, sale)| sale).collect())
}

async fn read(app: &App) -> Result<ListedVouchers, Error> {
    let now = Timestamp::now();
    let running = vouchers::list_running(app.db(), now, AHEAD, SALES_MAX).await?;
    Ok(Arc::new(running))
}

async fn offers(app: &App, vouchers: &[Voucher]) -> Result<Vec<Offer>, Error> {
    let owners: Vec<ShopId> = vouchers.iter().map(|voucher| voucher.shop_id).collect();
    let (listed, owners) = tokio::join!(with_stock(app, vouchers), shops::get_many(app, &owners));
    let offer = |(listed, shop)| Offer { listed, shop };
    Ok(listed.into_iter().zip(owners?).map(offer).collect())
}
