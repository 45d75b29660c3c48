//! A flash sale's own page: how it stands, and what the asker has of it.

use domain::{OrderId, UserId, VoucherId};
use flash::{BuyerId, Phase, SaleId, SaleState};

use crate::{App, Error, Refusal};

/// What the page of a sale shows.
#[derive(Clone, Debug)]
pub struct Page {
    pub sale: SaleState,
    /// The latest order of the asker.
    pub order: Option<OrderId>,
    /// What a claim must carry, on sites that ask for it: only while there is something to claim.
    pub claim_token: Option<String>,
}

/// The page of a sale, for somebody who is signed in or for anybody.
pub async fn page(app: &App, asker: Option<UserId>, voucher: VoucherId) -> Result<Page, Error> {
    let sales = app.flash_sales();
    let (id, buyer) = (SaleId(voucher.get()), asker.map(|user| BuyerId(user.get())));
    let sale = sales.engine.state(id, buyer).await?;
    let sale = sale.ok_or(Refusal::VoucherNotFound)?;
    let order = sale.orders.last().map(|order| OrderId::new(order.0));
    let tokens = sales.tokens.as_ref().filter(|_| sale.phase == Phase::Open);
    let claim_token = tokens
        .zip(buyer)
        .map(|(tokens, buyer)| tokens.issue(buyer, id, sale.now_ms));
    Ok(Page {
        sale,
        order,
        claim_token,
    })
}

/// How a sale stands, for anybody.
pub(super) async fn stand(app: &App, voucher: VoucherId) -> Result<SaleState, Error> {
    let sale = app
        .flash_sales()
        .engine
        .state(SaleId(voucher.get()), None)
        .await?;
    sale.ok_or(Refusal::VoucherNotFound.into())
}
