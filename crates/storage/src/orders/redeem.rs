//! Redeems an order at the counter: paid becomes used, once, by the shop's merchant or an admin.

use domain::{OrderId, OrderStatus, RedeemCode, UserId, VoucherId};
use sea_orm::{DbErr, EntityTrait};
use thiserror::Error;

use super::transition::{OrderRefusal, OrderState, find_by_code, transition};
use crate::accounts::{Account, Transfer, TransferKind, transfer};
use crate::db::DatabaseTransaction;
use crate::entity::shop;
use crate::notices::{self, NewNotice, NoticeKind};
use crate::payments::paid_for;
use crate::shops::Principal;
use crate::sql::commit_or_rollback;
use crate::{Db, Error, time};

/// The redeemed order, for the counter's display.
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

/// Redeems the order with this code. Its money goes to the shop.
pub async fn redeem(
    db: &Db,
    principal: Principal,
    code: &RedeemCode,
) -> Result<Result<Redeemed, RedeemRefusal>, Error> {
    let redeem = async {
        let transaction = db.begin().await?;
        let redeemed = redeem_in(&transaction, principal, code).await?;
        commit_or_rollback(transaction, redeemed).await
    };
    db.run("redeem order", redeem).await
}

async fn redeem_in(
    transaction: &DatabaseTransaction,
    principal: Principal,
    code: &RedeemCode,
) -> Result<Result<Redeemed, RedeemRefusal>, DbErr> {
    let Some(order) = find_by_code(transaction, code.as_str()).await? else {
        return Ok(Err(RedeemRefusal::NoSuchCode));
    };
    if !may_redeem(transaction, principal, &order).await? {
        return Ok(Err(RedeemRefusal::WrongShop));
    }
    let used_at = ("use_time", time::now().into());
    if let Err(refusal) = transition(transaction, order.id, REDEEM, &[used_at]).await? {
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
    principal: Principal,
    order: &OrderState,
) -> Result<bool, DbErr> {
    let find = shop::Entity::find_by_id(order.shop_id.get());
    let shop = find.one(transaction).await?;
    Ok(shop.is_some_and(|shop| principal.may_change(&shop)))
}

/// An order of an adopted database was paid elsewhere and has no money here.
async fn pay_out(transaction: &DatabaseTransaction, order: &OrderState) -> Result<(), DbErr> {
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
