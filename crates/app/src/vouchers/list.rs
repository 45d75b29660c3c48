//! A shop's vouchers on the shelf, with the live stock of flash sales.

use std::sync::Arc;

use domain::ShopId;
use flash::SaleId;
use storage::vouchers::{self, Sale, Voucher};

use crate::{App, Error};

pub(super) type ListedVouchers = Arc<Vec<Voucher>>;

/// A voucher as a shop shows it.
#[derive(Clone, Debug)]
pub struct ListedVoucher {
    pub voucher: Voucher,
    /// The gate's stock; absent for an ordinary voucher.
    pub live_stock: Option<u32>,
}

/// The vouchers on the shelf, by id; empty for an unknown shop.
pub async fn list_of_shop(app: &App, shop: ShopId) -> Result<Vec<ListedVoucher>, Error> {
    let shelf = app
        .vouchers()
        .shelves
        .try_get_with(shop, read_shelf(app, shop))
        .await;
    let shelf = shelf.map_err(Error::Shared)?;
    Ok(with_stock(app, &shelf).await)
}

/// Adds the live stock from all gates in one batch.
pub(super) async fn with_stock(app: &App, vouchers: &[Voucher]) -> Vec<ListedVoucher> {
    let sales: Vec<SaleId> = vouchers
        .iter()
        .filter(|voucher| voucher.sale.is_some())
        .map(|voucher| SaleId(voucher.id.get()))
        .collect();
    let mut live = live_stocks(app, &sales).await.into_iter();
    let listed = vouchers.iter().map(|voucher| ListedVoucher {
        live_stock: voucher
            .sale
            .map(|sale: Sale| live.next().flatten().unwrap_or(sale.stock)),
        voucher: voucher.clone(),
    });
    listed.collect()
}

async fn read_shelf(app: &App, shop: ShopId) -> Result<ListedVouchers, Error> {
    Ok(Arc::new(vouchers::list_on_shelf(app.db(), shop).await?))
}

/// The gates' stocks; empty if they cannot be reached, and then SQL's stock is close enough.
async fn live_stocks(app: &App, sales: &[SaleId]) -> Vec<Option<u32>> {
    if sales.is_empty() {
        return Vec::new();
    }
    match app.flash_sales().engine().stocks(sales).await {
        Ok(stocks) => stocks,
        Err(error) => {
            let error = &error as &dyn std::error::Error;
            tracing::debug!(error, "gate stock unavailable, stock shown from SQL");
            Vec::new()
        }
    }
}
