//! What the site does for its sales by itself, for as long as it runs. Each ends only when it is told to.

use tokio_util::sync::CancellationToken;

use crate::App;

/// Brings granted orders to SQL.
pub async fn run_drain(app: App, stop: CancellationToken) {
    app.flash_sales().engine.run_drain(stop).await;
}

/// Evens out what is left of spread sales, and finishes what was left half done.
pub async fn run_rebalance(app: App, stop: CancellationToken) {
    app.flash_sales().engine.run_rebalance(stop).await;
}

/// Hears when a sold-out sale has pieces again.
pub async fn run_listening(app: App, stop: CancellationToken) {
    app.flash_sales().engine.listen(stop).await;
}

/// Compares gates with SQL.
pub async fn run_reconcile(app: App, stop: CancellationToken) {
    let sales = app.flash_sales();
    let every = sales.reconcile_every;
    sales.engine.run_reconcile(stop, every).await;
}
