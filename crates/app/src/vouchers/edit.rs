//! Publishes and changes vouchers: merchants those of their shops, admins any.

use std::time::Duration;

use domain::{
    InvalidVoucher, SaleDraft, ShopId, VoucherDraft, VoucherId, VoucherStatus, voucher::STOCK_MAX,
};
use flash::{SaleId, Withdrawal};
use jiff::Timestamp;
use kv::Session;
use storage::shops::{self, Principal};
use storage::vouchers::{self, Voucher, VoucherRefusal};

use crate::flash_sales::change_lock;
use crate::permission::shop_principal;
use crate::{App, Error, Refusal};

/// How long a caller waits for the gate after the commit; the outbox updates it anyway.
const GATE_WAIT: Duration = Duration::from_secs(5);

/// Changes of a sale; absent fields stay as they are.
#[derive(Clone, Copy, Debug, Default)]
pub struct SaleChange {
    /// Total units, sold ones included.
    pub stock: Option<u32>,
    pub begin_at: Option<Timestamp>,
    pub end_at: Option<Timestamp>,
}

/// Publishes an ordinary voucher.
pub async fn publish(
    app: &App,
    session: &Session,
    shop: ShopId,
    draft: VoucherDraft,
) -> Result<VoucherId, Error> {
    let principal = shop_principal(session)?;
    let draft = draft.checked().map_err(Refusal::VoucherInvalid)?;
    let created = vouchers::create(app.db(), principal, shop, &draft).await?;
    let voucher = created.map_err(refusal)?;
    app.vouchers().forget(shop).await;
    Ok(voucher.id)
}

/// Publishes a flash sale. Claims are possible once this returns, or from its begin on.
pub async fn publish_sale(
    app: &App,
    session: &Session,
    shop: ShopId,
    draft: VoucherDraft,
    sale: SaleDraft,
) -> Result<VoucherId, Error> {
    let principal = shop_principal(session)?;
    let draft = draft.checked().map_err(Refusal::VoucherInvalid)?;
    let partitions = app.flash_sales().engine().partitions().count();
    let sale = sale.checked(partitions).map_err(Refusal::VoucherInvalid)?;
    let created = vouchers::create_sale(app.db(), principal, shop, &draft, &sale).await?;
    let voucher = created.map_err(refusal)?;
    update_gate(app, &voucher, GateUpdate::New).await;
    Ok(voucher.id)
}

/// Puts a voucher on the shelf or takes it off; claims need it on the shelf.
pub async fn set_status(
    app: &App,
    session: &Session,
    id: VoucherId,
    status: VoucherStatus,
) -> Result<(), Error> {
    let principal = shop_principal(session)?;
    let _guard = change_lock(app, id).lock().await?;
    let set = vouchers::set_status(app.db(), principal, id, status).await?;
    let voucher = set.map_err(refusal)?;
    update_gate(app, &voucher, GateUpdate::Changed).await;
    Ok(())
}

/// Changes a sale, also while it runs.
///
/// Units are withdrawn from the gate before SQL lowers its stock: the other way round the gate could sell units that
/// SQL no longer has. If SQL refuses, the gate reloads SQL's stock. If the outcome is unknown, the units stay
/// withheld until SQL's row shows it: a commit whose reply was lost may still arrive.
pub async fn change_sale(
    app: &App,
    session: &Session,
    id: VoucherId,
    change: SaleChange,
) -> Result<(), Error> {
    let principal = shop_principal(session)?;
    let _guard = change_lock(app, id).lock().await?;
    let mut withdrawn = None;
    if let Some(stock) = change.stock {
        check_stock(stock)?;
        let voucher = owned(app, principal, id).await?;
        withdrawn = withdraw(app, &voucher, stock).await?;
    }
    let change = vouchers::SaleChange {
        initial_stock: change.stock,
        begin_at: change.begin_at,
        end_at: change.end_at,
        limit_per_user: None,
    };
    let changed = vouchers::change_sale(app.db(), principal, id, &change).await;
    match changed {
        Ok(Ok(voucher)) => {
            update_gate(app, &voucher, GateUpdate::Changed).await;
            Ok(())
        }
        Ok(Err(refused)) => {
            if let Some(withdrawal) = &withdrawn {
                cancel_withdrawal(app, withdrawal).await;
            }
            Err(refusal(refused).into())
        }
        Err(error) => {
            if let Some(withdrawal) = &withdrawn {
                let units = withdrawal.units;
                tracing::warn!(sale = %id, units, "stock change outcome unknown, its units stay withheld");
            }
            Err(error.into())
        }
    }
}

fn check_stock(stock: u32) -> Result<(), Refusal> {
    if (1..=STOCK_MAX).contains(&stock) {
        Ok(())
    } else {
        Err(Refusal::VoucherInvalid(InvalidVoucher::Stock))
    }
}

/// The voucher, if the principal may change it. SQL checks again in the transaction of the change.
pub(crate) async fn owned(
    app: &App,
    principal: Principal,
    id: VoucherId,
) -> Result<Voucher, Error> {
    let voucher = vouchers::get(app.db(), id).await?;
    let voucher = voucher.ok_or(Refusal::VoucherNotFound)?;
    let Principal::Owner(owner) = principal else {
        return Ok(voucher);
    };
    let shop = shops::get_for_fill(app.db(), voucher.shop_id).await?;
    if shop.is_some_and(|shop| shop.owner_id == Some(owner)) {
        Ok(voucher)
    } else {
        Err(Refusal::Forbidden.into())
    }
}

/// Withdraws the units by which the stock shrinks from the gate: all of them or none.
async fn withdraw(app: &App, voucher: &Voucher, stock: u32) -> Result<Option<Withdrawal>, Error> {
    let sale = voucher.sale.ok_or(Refusal::VoucherNotFound)?;
    let less = sale.initial_stock.saturating_sub(stock);
    if less == 0 {
        return Ok(None);
    }
    let (engine, sale) = (app.flash_sales().engine(), SaleId(voucher.id.get()));
    // An earlier change with an unknown outcome is resolved first, if it timed out.
    engine.amend(sale).await?;
    let withdrawal = engine.withdraw(sale, less).await?;
    if withdrawal.units < less {
        cancel_withdrawal(app, &withdrawal).await;
        return Err(Refusal::StockSold.into());
    }
    Ok(Some(withdrawal))
}

/// Returns withdrawn units to the gate. If that fails, reconciliation repairs it.
async fn cancel_withdrawal(app: &App, withdrawal: &Withdrawal) {
    let cancelled = app
        .flash_sales()
        .engine()
        .cancel_withdrawal(withdrawal)
        .await;
    if let Err(error) = cancelled {
        let (sale, error) = (withdrawal.sale.0, &error as &dyn std::error::Error);
        tracing::warn!(
            sale,
            error,
            "withdrawn units not returned to the gate, reconciliation repairs it"
        );
    }
}

#[derive(Clone, Copy)]
enum GateUpdate {
    /// A new sale.
    New,
    Changed,
}

/// Updates the gate after the commit and before the reply, if Redis allows. A failure does not fail the request: the
/// outbox row was committed with it.
async fn update_gate(app: &App, voucher: &Voucher, update: GateUpdate) {
    app.vouchers().forget(voucher.shop_id).await;
    if voucher.sale.is_none() {
        return;
    }
    app.outbox().wake();
    let (engine, sale) = (app.flash_sales().engine(), SaleId(voucher.id.get()));
    let updated = async {
        match update {
            GateUpdate::New => engine.preload(sale).await.map(drop),
            GateUpdate::Changed => engine.amend(sale).await,
        }
    };
    match tokio::time::timeout(GATE_WAIT, updated).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(sale = %voucher.id, error, "gate not updated, outbox retries");
        }
        Err(_) => tracing::warn!(sale = %voucher.id, "gate update timed out, outbox retries"),
    }
}

fn refusal(refusal: VoucherRefusal) -> Refusal {
    match refusal {
        VoucherRefusal::NoSuchShop => Refusal::ShopNotFound,
        VoucherRefusal::NoSuchVoucher | VoucherRefusal::NotASale => Refusal::VoucherNotFound,
        VoucherRefusal::NotOwner => Refusal::Forbidden,
        VoucherRefusal::TooFewUnits => Refusal::StockSold,
        VoucherRefusal::Archived => Refusal::Ended,
        VoucherRefusal::Window => Refusal::VoucherInvalid(InvalidVoucher::Window),
    }
}
