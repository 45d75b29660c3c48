//! Renews the windows of demo flash sales, so that one is always open, one upcoming and one over.

use demo::Demo;
use domain::VoucherId;
use jiff::Timestamp;
use storage::Db;
use storage::demo_site::{self, SaleWindow};

use super::SeedError;

/// Moves the windows of past demo sales that were neither edited nor bought from.
pub(super) async fn renew_windows(db: &Db, demo: &Demo, now: Timestamp) -> Result<(), SeedError> {
    for voucher in demo.vouchers() {
        let Some(sale) = voucher.flash_sale else {
            continue;
        };
        let window = SaleWindow {
            voucher_id: VoucherId::new(voucher.id),
            begin_at: sale.begin_at,
            end_at: sale.end_at,
        };
        demo_site::renew_window(db, &window, now).await?;
    }
    Ok(())
}
