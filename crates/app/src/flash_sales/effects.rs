//! Outbox effects on gates. All are idempotent.

use domain::{OrderId, UserId, VoucherId};
use flash::{BuyerId, SaleId, StockReturn, StockUnit};
use storage::flash_sales::OrderDeadLettered;
use storage::orders::UnitReturned;
use storage::vouchers::SaleChanged;

use super::change_lock;
use crate::{App, Error, notices};

/// Applies changed terms: the gate loads them from SQL. A gate that is not loaded reads them on its load.
pub(crate) async fn apply_change(app: &App, change: &SaleChanged) -> Result<(), Error> {
    // An amendment ends every withdrawal, so it must not run between one and its commit.
    let _guard = change_lock(app, change.voucher).lock().await?;
    app.flash_sales()
        .engine
        .amend(SaleId(change.voucher.get()))
        .await?;
    Ok(())
}

/// Applies a dead-lettered order: its unit returns to the gate if it held one.
pub(crate) async fn apply_dead_letter(
    app: &App,
    dead_lettered: &OrderDeadLettered,
) -> Result<(), Error> {
    let unit = match dead_lettered.restock {
        true => StockUnit::Held,
        false => StockUnit::None,
    };
    let returned = stock_return(
        dead_lettered.voucher,
        dead_lettered.user,
        dead_lettered.order,
        unit,
    );
    return_units(app, &[returned]).await?;
    notices::notify(app, &[dead_lettered.user]).await;
    Ok(())
}

/// Applies returned units: the gate may sell them again.
pub(crate) async fn apply_returns(app: &App, returned: &[UnitReturned]) -> Result<(), Error> {
    let held = |it: &UnitReturned| stock_return(it.voucher, it.user, it.order, StockUnit::Held);
    let returns: Vec<StockReturn> = returned.iter().map(held).collect();
    return_units(app, &returns).await
}

fn stock_return(voucher: VoucherId, user: UserId, order: OrderId, unit: StockUnit) -> StockReturn {
    StockReturn {
        sale: SaleId(voucher.get()),
        buyer: BuyerId(user.get()),
        order: flash::OrderId(order.get()),
        unit,
    }
}

async fn return_units(app: &App, returns: &[StockReturn]) -> Result<(), Error> {
    let sent = app.flash_sales().engine.return_units(returns).await;
    sent.map_err(Error::Announce)?;
    Ok(())
}
