//! Pays from a balance on this site, and tops one up.

use domain::{OrderId, PayType, RedeemCode, UserId};
use sea_orm::{DbErr, Value};
use thiserror::Error;

use super::payment::{NewPayment, read_archived, read_where};
use super::{BALANCE, PaymentState, after_paid, make_paid};
use crate::accounts::{self, Account, TransferKind, transfer};
use crate::db::DatabaseTransaction;
use crate::orders::{OrderRefusal, find_of};
use crate::sql::commit_or_rollback;
use crate::{Db, Error};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BalanceRefusal {
    #[error(transparent)]
    Order(#[from] OrderRefusal),
    #[error("the balance is too small")]
    TooSmall,
}

/// Pays an unpaid order from its owner's balance. `code` becomes the redeem code.
pub async fn pay_with_balance(
    db: &Db,
    owner: UserId,
    order: OrderId,
    code: &RedeemCode,
) -> Result<Result<(), BalanceRefusal>, Error> {
    let pay = async {
        let transaction = db.begin().await?;
        let paid = pay_in(&transaction, owner, order, code).await?;
        commit_or_rollback(transaction, paid).await
    };
    db.run("pay with balance", pay).await
}

/// Credits money that a provider received to a balance. Idempotent by the provider's reference.
pub async fn top_up(
    db: &Db,
    user: UserId,
    amount_cents: i64,
    pay_type: PayType,
    provider: &str,
    provider_ref: &str,
) -> Result<(), Error> {
    let top_up = async {
        let transaction = db.begin().await?;
        let known = "provider = ? AND provider_ref = ?";
        let values: [Value; 2] = [provider.into(), provider_ref.into()];
        let is_new = read_where(&transaction, known, values.clone())
            .await?
            .is_empty()
            && read_archived(&transaction, known, values).await?.is_empty();
        if is_new {
            let payment = NewPayment {
                order: None,
                user_id: user,
                provider,
                pay_type,
                amount_cents,
                state: PaymentState::Paid,
                provider_ref: Some(provider_ref),
            };
            let payment = payment.insert(&transaction).await?;
            accounts::credit(&transaction, user, amount_cents).await?;
            let to_user = Account::User(user);
            let added = payment.transfer(TransferKind::TopUp, payment.payer(), to_user);
            transfer(&transaction, &added).await?;
        }
        transaction.commit().await
    };
    db.run("top up balance", top_up).await
}

async fn pay_in(
    transaction: &DatabaseTransaction,
    owner: UserId,
    order: OrderId,
    code: &RedeemCode,
) -> Result<Result<(), BalanceRefusal>, DbErr> {
    let Some(order_state) = find_of(transaction, owner, order).await? else {
        return Ok(Err(OrderRefusal::NoSuchOrder.into()));
    };
    if let Err(refusal) = make_paid(transaction, order, PayType::Balance, code).await? {
        return Ok(Err(refusal.into()));
    }
    let payment = NewPayment {
        order: Some(order),
        user_id: owner,
        provider: BALANCE,
        pay_type: PayType::Balance,
        amount_cents: order_state.pay_value_cents,
        state: PaymentState::Paid,
        provider_ref: None,
    };
    let payment = payment.insert(transaction).await?;
    if !accounts::debit(transaction, owner, payment.amount_cents).await? {
        return Ok(Err(BalanceRefusal::TooSmall));
    }
    payment.pay_into_escrow(transaction).await?;
    after_paid(transaction, &order_state).await?;
    Ok(Ok(()))
}
