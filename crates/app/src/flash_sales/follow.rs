//! What follows from commits about sales and orders, by way of the outbox: the gate is told, and repeating it changes
//! nothing.

use flash::{BuyerId, GiveBack, Piece, SaleId};
use storage::flash_sales::OrderBuried;
use storage::vouchers::SaleChanged;

use super::change_lock;
use crate::{App, Error};

/// The gate takes on the terms that SQL has. A gate that does not exist reads them when it is loaded.
pub(crate) async fn follow_change(app: &App, change: &SaleChanged) -> Result<(), Error> {
    // An amendment ends every withdrawal, so it must not come between one and its commit.
    let _turn = change_lock(app, change.voucher).lock().await?;
    app.flash_sales()
        .engine
        .amend(SaleId(change.voucher.get()))
        .await?;
    Ok(())
}

/// An order that SQL could not take gives its piece back, if it had one.
pub(crate) async fn follow_burial(app: &App, buried: &OrderBuried) -> Result<(), Error> {
    let piece = if buried.restock {
        Piece::Held
    } else {
        Piece::None
    };
    let given = GiveBack {
        sale: SaleId(buried.voucher.get()),
        buyer: BuyerId(buried.user.get()),
        order: flash::OrderId(buried.order.get()),
        piece,
    };
    let gave = app.flash_sales().engine.give_back(given).await;
    gave.map_err(Error::Announce)?;
    Ok(())
}
