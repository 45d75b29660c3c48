//! Background workers of flash sales. Each runs until shutdown.

use tokio_util::sync::CancellationToken;

use crate::App;

/// Drains granted orders to SQL.
pub async fn run_drain(app: App, stop: CancellationToken) {
    app.flash_sales().engine.run_drain(stop).await;
}

/// Rebalances the stock of spread sales and completes interrupted moves.
pub async fn run_rebalance(app: App, stop: CancellationToken) {
    app.flash_sales().engine.run_rebalance(stop).await;
}

/// Listens for restocked sales.
pub async fn run_restock_listener(app: App, stop: CancellationToken) {
    app.flash_sales().engine.listen(stop).await;
}

/// Reconciles gates with SQL periodically.
pub async fn run_reconcile(app: App, stop: CancellationToken) {
    let sales = app.flash_sales();
    let every = sales.reconcile_every;
    sales.engine.run_reconcile(stop, every).await;
}
