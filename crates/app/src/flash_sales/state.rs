//! The page of a flash sale: its state and the viewer's order.

use domain::{OrderId, UserId, VoucherId};
use flash::{BuyerId, SaleId, SalePhase, SaleState};

use crate::{App, Error, Refusal};

#[derive(Clone, Debug)]
pub struct SalePage {
    pub sale: SaleState,
    /// The latest order of the viewer.
    pub order: Option<OrderId>,
    /// The token that a claim must carry, on sites that require one; only while the sale is open.
    pub claim_token: Option<String>,
}

/// The page of a sale, for a user or a guest.
pub async fn get_sale_page(
    app: &App,
    viewer: Option<UserId>,
    voucher: VoucherId,
) -> Result<SalePage, Error> {
    let sales = app.flash_sales();
    let (id, buyer) = (
        SaleId(voucher.get()),
        viewer.map(|user| BuyerId(user.get())),
    );
    let sale = sales.engine.state(id, buyer).await?;
    let sale = sale.ok_or(Refusal::VoucherNotFound)?;
    let order = sale.orders.last().map(|order| OrderId::new(order.0));
    let tokens = sales
        .tokens
        .as_ref()
        .filter(|_| sale.phase == SalePhase::Open);
    let claim_token = tokens
        .zip(buyer)
        .map(|(tokens, buyer)| tokens.issue(buyer, id, sale.now_ms));
    Ok(SalePage {
        sale,
        order,
        claim_token,
    })
}

/// The state of a sale without a viewer.
pub(super) async fn sale_state(app: &App, voucher: VoucherId) -> Result<SaleState, Error> {
    let sale = app
        .flash_sales()
        .engine
        .state(SaleId(voucher.get()), None)
        .await?;
    sale.ok_or(Refusal::VoucherNotFound.into())
}
