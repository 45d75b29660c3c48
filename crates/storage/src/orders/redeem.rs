//! Using an order at the counter: paid becomes used, once, by whoever runs the shop.

use domain::{OrderId, OrderStatus, RedeemCode, UserId, VoucherId};
use sea_orm::{DbErr, EntityTrait};
use thiserror::Error;

use super::step::{OrderRefusal, Standing, find_by_code, step};
use crate::accounts::{Account, Transfer, TransferKind, transfer};
use crate::db::DatabaseTransaction;
use crate::entity::shop;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::payments::paid_for;
use crate::shops::Asker;
use crate::sql::settle;
use crate::{Db, Error, time};

/// What was used, for the words at the counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Redeemed {
    pub order: OrderId,
    pub voucher_id: VoucherId,
    pub user_id: UserId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum RedeemRefusal {
    #[error("no order has this code")]
    NoSuchCode,
    #[error("the order is for another shop")]
    WrongShop,
    #[error(transparent)]
    Order(#[from] OrderRefusal),
}

const REDEEM: (OrderStatus, OrderStatus) = (OrderStatus::Paid, OrderStatus::Used);

/// Uses the order with this code. Its money goes to the shop.
pub async fn redeem(
    db: &Db,
    asker: Asker,
    code: &RedeemCode,
) -> Result<Result<Redeemed, RedeemRefusal>, Error> {
    let redeem = async {
        let transaction = db.begin().await?;
        let redeemed = redeem_in(&transaction, asker, code).await?;
        settle(transaction, redeemed).await
    };
    db.run("redeem order", redeem).await
}

async fn redeem_in(
    transaction: &DatabaseTransaction,
    asker: Asker,
    code: &RedeemCode,
) -> Result<Result<Redeemed, RedeemRefusal>, DbErr> {
    let Some(order) = find_by_code(transaction, code.as_str()).await? else {
        return Ok(Err(RedeemRefusal::NoSuchCode));
    };
    if !may_redeem(transaction, asker, &order).await? {
        return Ok(Err(RedeemRefusal::WrongShop));
    }
    let used_at = ("use_time", time::now().into());
    if let Err(refusal) = step(transaction, order.id, REDEEM, &[used_at]).await? {
        return Ok(Err(refusal.into()));
    }
    pay_out(transaction, &order).await?;
    let notice = NewNotice::of_order(order.user_id, NoticeKind::OrderRedeemed, order.id);
    notices::insert(transaction, &[notice]).await?;
    Ok(Ok(Redeemed {
        order: order.id,
        voucher_id: order.voucher_id,
        user_id: order.user_id,
    }))
}

async fn may_redeem(
    transaction: &DatabaseTransaction,
    asker: Asker,
    order: &Standing,
) -> Result<bool, DbErr> {
    let find = shop::Entity::find_by_id(order.shop_id.get());
    let shop = find.one(transaction).await?;
    Ok(shop.is_some_and(|shop| asker.may_change(&shop)))
}

/// An order of an adopted database was paid elsewhere: there is no money of it here.
async fn pay_out(transaction: &DatabaseTransaction, order: &Standing) -> Result<(), DbErr> {
    let Some(payment) = paid_for(transaction, order.id).await? else {
        return Ok(());
    };
    let to_shop = Transfer {
        payment: payment.id.get(),
        order: Some(order.id),
        kind: TransferKind::Redeem,
        from: Account::Escrow,
        to: Account::Shop(order.shop_id),
        amount_cents: payment.amount_cents,
    };
    transfer(transaction, &to_shop).await
}
