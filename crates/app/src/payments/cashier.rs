//! The page on which the sandbox plays the cashier: what it shows, and what its buttons do.

use jiff::Timestamp;
use pay::{Act, CashierError, CashierRefusal, Trade};
use storage::payments::PaymentId;

use super::begin::hear_all;
use super::{PaymentError, payment_of};
use crate::{App, Error, Refusal};

/// A trade of the sandbox, as its page shows it.
#[derive(Clone, Debug)]
pub struct CashierPage {
    pub trade: Trade,
}

/// The page behind a link. A link that is not ours, or for another payment, is as good as none.
pub async fn open(app: &App, payment: PaymentId, link: &str) -> Result<CashierPage, Error> {
    let sandbox = app.payments().sandbox();
    let sandbox = sandbox.ok_or(Refusal::PaymentNotFound)?;
    let trade = sandbox.open(link).await.map_err(refused)?;
    match payment_of(&trade.ticket().out_trade_no) {
        Some(named) if named == payment => Ok(CashierPage { trade }),
        _ => Err(Refusal::PaymentNotFound.into()),
    }
}

/// Does what the person chose, and lets the site hear of it. A payment that comes late is heard of when it has come.
pub async fn act(
    app: &App,
    payment: PaymentId,
    link: &str,
    act: Act,
) -> Result<CashierPage, Error> {
    open(app, payment, link).await?;
    let sandbox = app.payments().sandbox();
    let sandbox = sandbox.ok_or(Refusal::PaymentNotFound)?;
    let now = Timestamp::now();
    let mut callbacks = sandbox.act(link, act, now).await.map_err(refused)?;
    callbacks.retain(|callback| callback.not_before <= now);
    hear_all(app, sandbox, &callbacks).await?;
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
