//! Redeems an order at the counter by its code.

use std::net::IpAddr;
use std::time::Duration;

use domain::{OrderId, OrderStatus, RedeemCode};
use kv::{Limit, OverLimit, Session};
use storage::orders::{self, OrderRefusal, RedeemRefusal};
use storage::vouchers;

use crate::permission::shop_principal;
use crate::{App, Error, Refusal, fail_point, notices};

/// Faster than any counter serves, and far too slow to find one of 10^16 codes.
const TRIES: Limit = Limit {
    what: "redeem",
    burst: 120,
    period: Duration::from_secs(60),
};

/// The redeemed order, for the counter's display.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RedeemedOrder {
    pub order: OrderId,
    pub title: String,
    pub actual_value_cents: i64,
}

/// Redeems the order with this code, for the merchant of its shop or an admin.
pub async fn redeem(
    app: &App,
    session: &Session,
    address: IpAddr,
    code: &str,
) -> Result<RedeemedOrder, Error> {
    let principal = shop_principal(session)?;
    if let Err(OverLimit { retry_after }) = app.kv().take_for(&TRIES, address).await? {
        return Err(Error::TooMany { retry_after });
    }
    let code = RedeemCode::parse(code).ok_or(Refusal::RedeemCodeUnknown)?;
    fail_point::pass("before_redeem");
    let redeemed = orders::redeem(app.db(), principal, &code).await?;
    fail_point::pass("after_redeem");
    let redeemed = redeemed.map_err(refuse_code)?;
    notices::notify(app, &[redeemed.user_id]).await;
    let voucher = vouchers::get(app.db(), redeemed.voucher_id).await?;
    Ok(RedeemedOrder {
        order: redeemed.order,
        title: voucher
            .as_ref()
            .map_or_else(String::new, |it| it.title.clone()),
        actual_value_cents: voucher.map_or(0, |it| it.actual_value_cents),
    })
}

fn refuse_code(refusal: RedeemRefusal) -> Refusal {
    match refusal {
        RedeemRefusal::NoSuchCode | RedeemRefusal::Order(OrderRefusal::NoSuchOrder) => {
            Refusal::RedeemCodeUnknown
        }
        RedeemRefusal::WrongShop => Refusal::RedeemWrongShop,
        RedeemRefusal::Order(OrderRefusal::WrongStatus(status)) => match status {
            OrderStatus::Used => Refusal::RedeemUsed,
            OrderStatus::Refunding | OrderStatus::Refunded => Refusal::RedeemRefunded,
            other => Refusal::OrderStatus(other),
        },
    }
}
