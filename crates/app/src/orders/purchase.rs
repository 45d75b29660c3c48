//! Buys an ordinary voucher: without a gate, because its stock is unlimited.

use domain::{OrderId, VoucherId};
use jiff::Timestamp;
use kv::{RequestTurn, Session};
use storage::orders::{self, BuyRefusal, NewOrder};

use crate::write_limits::{self, Write};
use crate::{App, Error, Refusal, fail_point};

/// Creates the order. An idempotent request reserves the id under its key, so that a retry after a crash creates no
/// second order.
pub async fn purchase(
    app: &App,
    session: &Session,
    voucher: VoucherId,
    turn: Option<&RequestTurn>,
) -> Result<OrderId, Error> {
    write_limits::take(app, session, Write::Purchase).await?;
    let owner = session.profile.user_id;
    let id = new_id(app, turn).await?;
    let order = NewOrder {
        id,
        owner,
        voucher_id: voucher,
    };
    let terms = app.orders().buy_terms();
    let created = orders::create(app.db(), order, Timestamp::now(), terms).await?;
    fail_point::pass("after_purchase");
    match created {
        Ok(()) => Ok(id),
        Err(BuyRefusal::NoSuchVoucher) => Err(Refusal::VoucherNotFound.into()),
        Err(BuyRefusal::OffShelf) => Err(Refusal::VoucherOffShelf.into()),
        Err(BuyRefusal::FlashSale) => Err(Refusal::VoucherIsFlashSale.into()),
        Err(BuyRefusal::TooManyUnpaid) => Err(Refusal::TooManyUnpaid.into()),
        Err(BuyRefusal::IdTaken) => Err(Error::OrderIdTaken(id)),
    }
}

async fn new_id(app: &App, turn: Option<&RequestTurn>) -> Result<OrderId, Error> {
    let mut ids = Vec::with_capacity(1);
    app.orders().ids.take_many(1, &mut ids).await?;
    let id = ids.pop().expect("one was taken");
    let offered = OrderId::new(id.0);
    match turn {
        Some(turn) => Ok(app.kv().reserve_order(turn, offered).await?),
        None => Ok(offered),
    }
}
