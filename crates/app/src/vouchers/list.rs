//! What a shop has on its shelf, with what is left of its flash sales.

use std::sync::Arc;

use domain::ShopId;
use flash::SaleId;
use storage::vouchers::{self, Sale, Voucher};

use crate::{App, Error};

pub(super) type Shelf = Arc<Vec<Voucher>>;

/// A voucher as a shop shows it.
#[derive(Clone, Debug)]
pub struct Listed {
    pub voucher: Voucher,
    /// Pieces that may still be claimed, by the live gate; absent for an ordinary voucher.
    pub live_stock: Option<u32>,
}

/// What is on the shelf, by id. A shop that is not there has none.
pub async fn list_of_shop(app: &App, shop: ShopId) -> Result<Vec<Listed>, Error> {
    let shelf = app
        .vouchers()
        .shelves
        .try_get_with(shop, read_shelf(app, shop))
        .await;
    let shelf = shelf.map_err(Error::Shared)?;
    Ok(with_stock(app, &shelf).await)
}

/// Asks all gates at once.
pub(super) async fn with_stock(app: &App, vouchers: &[Voucher]) -> Vec<Listed> {
    let sales: Vec<SaleId> = vouchers
        .iter()
        .filter(|voucher| voucher.sale.is_some())
        .map(|voucher| SaleId(voucher.id.get()))
        .collect();
    let mut live = live_stocks(app, &sales).await.into_iter();
    let listed = vouchers.iter().map(|voucher| Listed {
        live_stock: voucher
            .sale
            .map(|sale: Sale| live.next().flatten().unwrap_or(sale.stock)),
        voucher: voucher.clone(),
    });
    listed.collect()
}

async fn read_shelf(app: &App, shop: ShopId) -> Result<Shelf, Error> {
    Ok(Arc::new(vouchers::list_on_shelf(app.db(), shop).await?))
}

/// What the gates say; nothing where they cannot be asked, and then SQL's number is close enough to show.
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
