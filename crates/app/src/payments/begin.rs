//! Starts a payment through a provider: the sandbox pays at once, a real provider returns a link.

use domain::{OrderId, OrderStatus, PayType, UserId};
use jiff::Timestamp;
use pay::{
    CashierAction, CashierError, CashierRefusal, Device, PaymentRequest, Provider, Redirect,
    Sandbox,
};
use storage::orders::Order;
use storage::payments::{self, Confirmed, Payment};

use super::{PaymentError, deadline_of, handle_callback, trade_no};
use crate::orders::to_refusal;
use crate::{App, Error, Refusal};

/// The chosen way to pay.
#[derive(Clone, Copy, Debug)]
pub struct PayWay {
    pub pay_type: PayType,
    /// Force the cashier's page.
    pub cashier: bool,
    pub is_phone: bool,
}

/// The result of a payment request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Paying {
    Paid,
    /// The provider's page to redirect to.
    Redirect(String),
}

/// How often a trade that the sandbox closed meanwhile is replaced.
const FRESH_TRIES: usize = 2;

pub(crate) async fn pay_through(app: &App, order: &Order, way: PayWay) -> Result<Paying, Error> {
    let provider = provider_for(app, way.pay_type)?;
    match provider {
        Provider::Sandbox(sandbox) if !(way.cashier || app.payments().rules.always_cashier) => {
            pay_at_once(app, sandbox, order, way).await
        }
        _ => {
            let payment = begin(app, provider, order, way.pay_type).await?;
            let redirect = link(app, provider, order, &payment, way)?;
            Ok(Paying::Redirect(match provider {
                Provider::Sandbox(_) => cashier_page(app, &payment, &redirect),
                Provider::Alipay(_) => redirect.url,
            }))
        }
    }
}

/// The provider for a pay type other than the balance.
fn provider_for(app: &App, pay_type: PayType) -> Result<&Provider, Refusal> {
    let payments = app.payments();
    let offered = pay_type != PayType::Balance && payments.ways().contains(&pay_type);
    let provider = payments.provider().filter(|_| offered);
    provider.ok_or(Refusal::PayTypeUnsupported)
}

async fn begin(
    app: &App,
    provider: &Provider,
    order: &Order,
    pay_type: PayType,
) -> Result<Payment, Error> {
    let (owner, id, name) = (order.user_id, order.id, provider.name());
    let begun = payments::begin(app.db(), owner, id, pay_type, name).await?;
    Ok(begun.map_err(to_refusal)?)
}

fn link(
    app: &App,
    provider: &Provider,
    order: &Order,
    payment: &Payment,
    way: PayWay,
) -> Result<Redirect, Error> {
    let expires_at = deadline_of(order, payment);
    if expires_at <= Timestamp::now() {
        return Err(Refusal::PayTooLate.into());
    }
    let public_url = &app.payments().rules.public_url;
    let cents = u64::try_from(payment.amount_cents).unwrap_or(0);
    let request = PaymentRequest {
        out_trade_no: trade_no(payment),
        subject: subject(app, order),
        amount_cents: cents,
        return_url: format!("{public_url}/orders/{}", order.id),
        notify_url: format!("{public_url}/api/payment/notify/{}", provider.name()),
        expires_at,
        device: if way.is_phone {
            Device::Phone
        } else {
            Device::Desktop
        },
    };
    let redirect = provider.create(&request);
    Ok(redirect.map_err(PaymentError::Create)?)
}

/// The URL of the sandbox's cashier page.
fn cashier_page(app: &App, payment: &Payment, redirect: &Redirect) -> String {
    let public_url = &app.payments().rules.public_url;
    format!("{public_url}/cashier/{}?{}", payment.id, redirect.query())
}

/// The subject shown at the cashier; the voucher may be deleted.
fn subject(app: &App, order: &Order) -> String {
    match order.title.trim() {
        "" => app.rules().site_name.clone(),
        title => title.to_owned(),
    }
}

async fn pay_at_once(
    app: &App,
    sandbox: &Sandbox,
    order: &Order,
    way: PayWay,
) -> Result<Paying, Error> {
    let provider = Provider::Sandbox(sandbox.clone());
    for _ in 0..FRESH_TRIES {
        let payment = begin(app, &provider, order, way.pay_type).await?;
        let redirect = link(app, &provider, order, &payment, way)?;
        let acted = sandbox.apply(redirect.query(), CashierAction::Pay, Timestamp::now());
        match acted.await {
            Ok(callbacks) => {
                let confirmed = handle_callbacks(app, sandbox, &callbacks).await?;
                return payment_result(app, order, &confirmed).await;
            }
            Err(CashierError::Refused(CashierRefusal::Closed)) => {
                payments::close(app.db(), payment.id).await?;
            }
            Err(CashierError::Refused(CashierRefusal::Expired)) => {
                return Err(Refusal::PayTooLate.into());
            }
            Err(error) => return Err(PaymentError::Cashier(error).into()),
        }
    }
    Err(Refusal::PayTooLate.into())
}

/// The sandbox's provider name.
const SANDBOX: &str = "sandbox";

/// Handles the sandbox's callbacks like a real provider's: by their signature.
pub(super) async fn handle_callbacks(
    app: &App,
    sandbox: &Sandbox,
    callbacks: &[pay::Callback],
) -> Result<Vec<Confirmed>, Error> {
    let mut confirmed = Vec::new();
    for callback in callbacks {
        let notice = sandbox.verify_callback(callback.body.as_bytes());
        let notice = notice.map_err(PaymentError::Callback)?;
        confirmed.extend(handle_callback(app, SANDBOX, &notice).await?);
    }
    Ok(confirmed)
}

/// A late payment means that the order ended while its owner paid.
async fn payment_result(
    app: &App,
    order: &Order,
    confirmed: &[Confirmed],
) -> Result<Paying, Error> {
    let is_late = confirmed
        .iter()
        .any(|confirmed| matches!(confirmed, Confirmed::Late { .. }));
    if !is_late {
        return Ok(Paying::Paid);
    }
    Err(Refusal::OrderStatus(status(app, order.user_id, order.id).await?).into())
}

async fn status(app: &App, owner: UserId, id: OrderId) -> Result<OrderStatus, Error> {
    let order = storage::orders::get(app.db(), owner, id).await?;
    let order = order.ok_or(Refusal::OrderNotFound)?;
    Ok(order.status)
}
