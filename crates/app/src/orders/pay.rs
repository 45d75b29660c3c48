//! Paying for an order, from the balance on this site or through a provider.

use domain::{OrderId, PayType};
use kv::Session;
use storage::payments::{self, BalanceRefusal};

use super::{recorded_order, to_refusal};
use crate::payments::{PayWay, Paying, new_code, pay_through};
use crate::{App, Error, Refusal, fail_point, notices};

/// Pays an unpaid order of the caller, or returns where to continue.
pub async fn pay(app: &App, session: &Session, id: OrderId, way: PayWay) -> Result<Paying, Error> {
    let order = recorded_order(app, session, id).await?;
    match way.pay_type {
        PayType::Balance => pay_with_balance(app, session, id).await,
        PayType::Alipay | PayType::WeChat => pay_through(app, &order, way).await,
    }
}

async fn pay_with_balance(app: &App, session: &Session, id: OrderId) -> Result<Paying, Error> {
    let owner = session.profile.user_id;
    fail_point::pass("before_balance_payment");
    let paid = payments::pay_with_balance(app.db(), owner, id, &new_code()).await?;
    fail_point::pass("after_balance_payment");
    match paid {
        Ok(()) => {
            notices::notify(app, &[owner]).await;
            Ok(Paying::Paid)
        }
        Err(BalanceRefusal::Order(refusal)) => Err(to_refusal(refusal).into()),
        Err(BalanceRefusal::TooSmall) => Err(Refusal::BalanceTooSmall.into()),
    }
}
