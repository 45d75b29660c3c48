//! The sandbox's cashier page: its content and its buttons.

use domain::PayType;
use jiff::Timestamp;
use pay::{CashierAction, CashierError, CashierRefusal, Trade};
use storage::payments::{self, PaymentId};

use super::begin::handle_callbacks;
use super::{PaymentError, payment_of};
use crate::{App, Error, Refusal};

/// A trade of the sandbox.
#[derive(Clone, Debug)]
pub struct CashierPage {
    pub trade: Trade,
    /// The way of paying that it plays.
    pub pay_type: PayType,
}

/// The page behind a link; an invalid link or one for another payment is refused.
pub async fn open(app: &App, payment: PaymentId, link: &str) -> Result<CashierPage, Error> {
    let sandbox = app.payments().sandbox();
    let sandbox = sandbox.ok_or(Refusal::PaymentNotFound)?;
    let trade = sandbox.open(link).await.map_err(refused)?;
    if payment_of(&trade.link_payload().out_trade_no) != Some(payment) {
        return Err(Refusal::PaymentNotFound.into());
    }
    let payment = payments::get(app.db(), payment).await?;
    let pay_type = payment.ok_or(Refusal::PaymentNotFound)?.pay_type;
    Ok(CashierPage { trade, pay_type })
}

/// Applies the buyer's choice and handles its callbacks. The callback of a delayed payment is handled when it is due.
pub async fn act(
    app: &App,
    payment: PaymentId,
    link: &str,
    act: CashierAction,
) -> Result<CashierPage, Error> {
    open(app, payment, link).await?;
    let sandbox = app.payments().sandbox();
    let sandbox = sandbox.ok_or(Refusal::PaymentNotFound)?;
    let now = Timestamp::now();
    let mut callbacks = sandbox.apply(link, act, now).await.map_err(refused)?;
    callbacks.retain(|callback| callback.not_before <= now);
    handle_callbacks(app, sandbox, &callbacks).await?;
    open(app, payment, link).await
}

fn refused(error: CashierError) -> Error {
    match error {
        CashierError::Link(_) => Refusal::PaymentNotFound.into(),
        CashierError::Refused(CashierRefusal::Expired) => Refusal::PayTooLate.into(),
        CashierError::Refused(CashierRefusal::Closed | CashierRefusal::AlreadyPaid)
        | CashierError::OtherAmount => Refusal::PaymentClosed.into(),
        error @ CashierError::Unavailable(_) => PaymentError::Cashier(error).into(),
    }
}
