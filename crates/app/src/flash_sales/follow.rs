//! What follows from commits about sales and orders, by way of the outbox: the gate is told, and repeating it changes
//! nothing.

use domain::{OrderId, UserId, VoucherId};
use flash::{BuyerId, GiveBack, Piece, SaleId};
use storage::flash_sales::OrderBuried;
use storage::orders::PieceReturned;
use storage::vouchers::SaleChanged;

use super::change_lock;
use crate::{App, Error, notices};

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
    let piece = match buried.restock {
        true => Piece::Held,
        false => Piece::None,
    };
    let given = given(buried.voucher, buried.user, buried.order, piece);
    give_back(app, &[given]).await?;
    notices::tell(app, &[buried.user]).await;
    Ok(())
}

/// The pieces of orders that were cancelled or refunded are for sale again.
pub(crate) async fn follow_returns(app: &App, returned: &[PieceReturned]) -> Result<(), Error> {
    let given = |it: &PieceReturned| given(it.voucher, it.user, it.order, Piece::Held);
    let given: Vec<GiveBack> = returned.iter().map(given).collect();
    give_back(app, &given).await
}

fn given(voucher: VoucherId, user: UserId, order: OrderId, piece: Piece) -> GiveBack {
    GiveBack {
        sale: SaleId(voucher.get()),
        buyer: BuyerId(user.get()),
        order: flash::OrderId(order.get()),
        piece,
    }
}

async fn give_back(app: &App, given: &[GiveBack]) -> Result<(), Error> {
    let gave = app.flash_sales().engine.give_back_all(given).await;
    gave.map_err(Error::Announce)?;
    Ok(())
}
