//! Monitoring: figures for merchants, reconciliation for admins and operators.

use std::time::Duration;

use domain::VoucherId;
use flash::{Drift, ReconcileReport, Repair, SaleId, SaleState};
use jiff::Timestamp;
use kv::Session;
use storage::{audit, flash_sales};
use tokio_util::sync::CancellationToken;

use super::state::sale_state;
use crate::permission::{require_admin, shop_principal};
use crate::{App, Error, OnProgress, Progress, Refusal, vouchers};

/// Sales that ended less than this ago are current: their last orders may still be drained or returned.
const CURRENT_AFTER_END: Duration = Duration::from_secs(24 * 60 * 60);

/// A sale's figures from the gate and from SQL at about the same time.
#[derive(Clone, Debug)]
pub struct SaleFigures {
    /// The state in the gate.
    pub sale: SaleState,
    /// Total units.
    pub initial: u32,
    /// Live orders in SQL.
    pub orders: u64,
    /// Orders of all sales that wait in the stream.
    pub backlog: u64,
    /// Total units minus SQL's stock minus live orders: anything but 0 is a bug.
    pub drift: i64,
}

/// A sale's figures, for its merchant or an admin.
pub async fn get_figures(
    app: &App,
    session: &Session,
    voucher: VoucherId,
) -> Result<SaleFigures, Error> {
    let principal = shop_principal(session)?;
    vouchers::owned(app, principal, voucher).await?;
    let sale = sale_state(app, voucher).await?;
    let backlog = app.flash_sales().engine.backlog().await;
    let recorded = flash_sales::audit(app.db(), voucher).await?;
    let recorded = recorded.ok_or(Refusal::VoucherNotFound)?;
    let terms = recorded.terms;
    let held = i64::try_from(recorded.live_orders).unwrap_or(i64::MAX);
    Ok(SaleFigures {
        sale,
        initial: terms.initial,
        orders: recorded.live_orders,
        backlog: backlog.map_err(Error::Announce)?,
        drift: i64::from(terms.initial) - i64::from(terms.stock) - held,
    })
}

/// Reconciles a sale's gate with SQL for an admin, and records it in the audit log.
pub async fn reconcile(
    app: &App,
    session: &Session,
    voucher: VoucherId,
    repair: Repair,
) -> Result<ReconcileReport, Error> {
    require_admin(session)?;
    let compared = compare(app, voucher, repair).await?;
    let report = compared.ok_or(Refusal::VoucherNotFound)?;
    let (actor, subject) = (session.profile.user_id, format!("voucher:{voucher}"));
    let (found, done) = (report.drifts.len(), report.repairs.len());
    let detail = format!("{found} differences, {done} repairs");
    audit::record(app.db(), Some(actor), "flash_reconcile", &subject, &detail).await?;
    Ok(report)
}

/// Reconciles a sale's gate with SQL; `None` if the sale does not exist. A drain worker must be running.
pub async fn compare(
    app: &App,
    voucher: VoucherId,
    repair: Repair,
) -> Result<Option<ReconcileReport>, Error> {
    let sale = SaleId(voucher.get());
    // Boxed: a comparison holds many replies, and few run at a time.
    Ok(Box::pin(app.flash_sales().engine.reconcile(sale, repair)).await?)
}

/// The sales that are open, will be, or ended a short time ago.
pub async fn list_current(app: &App) -> Result<Vec<VoucherId>, Error> {
    let ended_after = Timestamp::now() - CURRENT_AFTER_END;
    Ok(flash_sales::current_sales(app.db(), ended_after).await?)
}

/// Ids per query.
const BATCH: u32 = 1_000;

/// The sales that are current in SQL, and those that have a gate although SQL says that they ended long ago: somebody
/// moved their end by hand.
async fn list_with_gates(app: &App) -> Result<Vec<VoucherId>, Error> {
    let mut sales = list_current(app).await?;
    let mut after = VoucherId::new(0);
    loop {
        let page = flash_sales::list_all(app.db(), after, BATCH).await?;
        let Some(last) = page.last() else {
            return Ok(sales);
        };
        after = *last;
        let others = page.into_iter().filter(|sale| !sales.contains(sale));
        let others: Vec<SaleId> = others.map(|sale| SaleId(sale.get())).collect();
        let loaded = app.flash_sales().engine.loaded_among(&others).await?;
        sales.extend(loaded.into_iter().map(|sale| VoucherId::new(sale.0)));
    }
}

/// Reconciles all gates with SQL, also on a site without running servers: pending orders are drained first.
pub(crate) async fn rebuild(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    let sales = list_with_gates(app).await?;
    let (mut done, total) = (0, sales.len() as u64);
    while_draining(app, async {
        for sale in sales {
            compare(app, sale, Repair::Safe).await?;
            done += 1;
            progress(Progress {
                what: "sales",
                done,
                total,
            });
        }
        Ok(())
    })
    .await
}

/// Runs `work` while this process drains orders, unless another one does.
pub async fn while_draining<T>(
    app: &App,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let engine = app.flash_sales().engine();
    let settled = engine.check_partitions().await;
    settled.map_err(Error::Settle)?;
    let stop = CancellationToken::new();
    let drain = async {
        engine.run_drain(stop.clone()).await;
    };
    let work = async {
        let done = work.await;
        stop.cancel();
        done
    };
    let ((), done) = tokio::join!(drain, work);
    done
}

/// The name of a drift on the wire and at the command line.
pub fn drift_name(drift: &Drift) -> &'static str {
    match drift {
        Drift::NotLoaded => "not_loaded",
        Drift::Terms => "terms",
        Drift::Ledger { .. } => "ledger",
        Drift::Units { .. } => "pieces",
        Drift::Bucket { .. } => "bucket",
        Drift::Forgotten { .. } => "forgotten",
        Drift::Ended { .. } => "buried",
        Drift::Orphaned { .. } => "orphaned",
    }
}
