//! Sales seen from behind the counter: figures for their merchants, comparisons with SQL for admins and operators.

use std::time::Duration;

use domain::VoucherId;
use flash::{Drift, Repair, Report, SaleId, SaleState};
use jiff::Timestamp;
use kv::Session;
use storage::{audit, flash_sales};
use tokio_util::sync::CancellationToken;

use super::state::stand;
use crate::permission::{admin, in_the_trade};
use crate::{App, Error, OnProgress, Progress, Refusal, vouchers};

/// Sales that ended less than this ago are current: their last orders may be on their way, or be given back.
const CURRENT_AFTER_END: Duration = Duration::from_secs(24 * 60 * 60);

/// A sale's figures, of one moment as far as two stores have one.
#[derive(Clone, Debug)]
pub struct Look {
    /// As its gate has it.
    pub sale: SaleState,
    /// Pieces in all.
    pub initial: u32,
    /// Live orders in SQL.
    pub orders: u64,
    /// Orders of all sales that are on their way to SQL.
    pub backlog: u64,
    /// Pieces in all less those in SQL's stock and those in orders: anything but nothing is wrong.
    pub drift: i64,
}

/// What is known of a sale, for those who run it.
pub async fn look(app: &App, session: &Session, voucher: VoucherId) -> Result<Look, Error> {
    let asker = in_the_trade(session)?;
    vouchers::owned(app, asker, voucher).await?;
    let sale = stand(app, voucher).await?;
    let backlog = app.flash_sales().engine.backlog().await;
    let recorded = flash_sales::audit(app.db(), voucher).await?;
    let recorded = recorded.ok_or(Refusal::VoucherNotFound)?;
    let terms = recorded.terms;
    let held = i64::try_from(recorded.live_orders).unwrap_or(i64::MAX);
    Ok(Look {
        sale,
        initial: terms.initial,
        orders: recorded.live_orders,
        backlog: backlog.map_err(Error::Announce)?,
        drift: i64::from(terms.initial) - i64::from(terms.stock) - held,
    })
}

/// Compares a sale's gate with SQL on an admin's word, which is written down.
pub async fn reconcile(
    app: &App,
    session: &Session,
    voucher: VoucherId,
    repair: Repair,
) -> Result<Report, Error> {
    admin(session)?;
    let compared = compare(app, voucher, repair).await?;
    let report = compared.ok_or(Refusal::VoucherNotFound)?;
    let (actor, subject) = (session.profile.user_id, format!("voucher:{voucher}"));
    let (found, done) = (report.drifts.len(), report.repairs.len());
    let detail = format!("{found} differences, {done} repairs");
    audit::record(app.db(), Some(actor), "flash_reconcile", &subject, &detail).await?;
    Ok(report)
}

/// Compares a sale's gate with SQL; nothing if there is no such sale. Somebody must drain meanwhile.
pub async fn compare(
    app: &App,
    voucher: VoucherId,
    repair: Repair,
) -> Result<Option<Report>, Error> {
    let sale = SaleId(voucher.get());
    // On the heap: a comparison holds many answers at once, and few are under way at a time.
    Ok(Box::pin(app.flash_sales().engine.reconcile(sale, repair)).await?)
}

/// The sales that are open, will be, or ended a short time ago.
pub async fn list_current(app: &App) -> Result<Vec<VoucherId>, Error> {
    let ended_after = Timestamp::now() - CURRENT_AFTER_END;
    Ok(flash_sales::current_sales(app.db(), ended_after).await?)
}

/// Brings all gates in line with SQL, also on a site whose servers do not run: whatever is on its way is drained first.
pub(crate) async fn rebuild(app: &App, progress: OnProgress<'_>) -> Result<(), Error> {
    let sales = list_current(app).await?;
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

/// Does `work` while orders are brought to SQL, by this process where no other does.
pub async fn while_draining<T>(
    app: &App,
    work: impl Future<Output = Result<T, Error>>,
) -> Result<T, Error> {
    let engine = app.flash_sales().engine();
    let settled = engine.settle().await;
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

/// What a difference is called, on the wire and at the command line.
pub fn name_of(drift: &Drift) -> &'static str {
    match drift {
        Drift::NotLoaded => "not_loaded",
        Drift::Terms => "terms",
        Drift::Ledger { .. } => "ledger",
        Drift::Pieces { .. } => "pieces",
        Drift::Bucket { .. } => "bucket",
        Drift::Forgotten { .. } => "forgotten",
        Drift::Buried { .. } => "buried",
        Drift::Orphaned { .. } => "orphaned",
    }
}
