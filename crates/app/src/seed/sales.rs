//! Renews the windows of demo flash sales, so that some are always open, some upcoming and one over.

use std::time::Duration;

use demo::{Demo, DemoPlan};
use domain::VoucherId;
use jiff::Timestamp;
use storage::demo_site::{self, Renewal, SaleWindow};
use tokio_util::sync::CancellationToken;

use super::SeedError;
use crate::App;

/// Windows are hours long: a sale that is over is on again soon enough.
const EVERY: Duration = Duration::from_secs(600);

/// Moves windows of demo sales that were neither edited nor bought from.
pub(super) async fn renew_windows(
    app: &App,
    demo: &Demo,
    renewal: Renewal,
    now: Timestamp,
) -> Result<(), SeedError> {
    let mut renewed = false;
    for voucher in demo.vouchers() {
        let Some(sale) = voucher.flash_sale else {
            continue;
        };
        let window = SaleWindow {
            voucher_id: VoucherId::new(voucher.id),
            begin_at: sale.begin_at,
            end_at: sale.end_at,
        };
        renewed |= demo_site::renew_window(app.db(), &window, renewal, now).await?;
    }
    if renewed {
        app.outbox().wake();
    }
    Ok(())
}

/// Opens demo sales that ended anew until shutdown: a demo site runs for longer than a sale.
pub async fn run_renewal(app: App, scale: u32, stop: CancellationToken) {
    loop {
        tokio::select! {
            () = supervise::next_tick(EVERY) => {}
            () = stop.cancelled() => return,
        }
        if let Err(error) = renew_ended(&app, scale).await {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "demo sales not renewed, the next round tries again");
        }
    }
}

/// A site with data of its own has sales with the same numbers, which are not the demo's to open.
async fn renew_ended(app: &App, scale: u32) -> Result<(), SeedError> {
    if !super::is_demo_site(app.db()).await? {
        return Ok(());
    }
    let now = Timestamp::now();
    let demo = Demo::new(DemoPlan { scale, now })?;
    renew_windows(app, &demo, Renewal::Over, now).await
}
