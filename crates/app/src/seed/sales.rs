//! Flash sales that stay worth a visit: days after the seed there is again one running, one to come and one over.

use demo::Demo;
use domain::VoucherId;
use jiff::Timestamp;
use storage::Db;
use storage::demo_site::{self, SaleWindow};

use super::SeedError;

/// Moves the windows of demo sales that nobody has edited or bought from and that time has passed by.
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
