//! Publishes and changes vouchers: one transaction each, with the outbox row for the gate in it.
//!
//! A change locks the sale's row first, so changes serialise and their outbox ids follow commit order.

use domain::voucher::is_window;
use domain::{SaleDraft, ShopId, VoucherDraft, VoucherId, VoucherKind, VoucherStatus};
use jiff::Timestamp;
use sea_orm::ActiveValue::Set;
use sea_orm::{ActiveModelTrait, DbErr, EntityTrait, IntoActiveModel, QuerySelect};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::Voucher;
use crate::db::DatabaseTransaction;
use crate::entity::{seckill_voucher, shop, voucher};
use crate::shops::Principal;
use crate::{Db, Error, archive, outbox, time};

/// Absent fields stay as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SaleChange {
    /// Total units including sold ones. Units that the gate granted and SQL does not know yet look free here: before
    /// lowering this, the caller must withdraw the difference from the gate.
    pub initial_stock: Option<u32>,
    pub begin_at: Option<Timestamp>,
    pub end_at: Option<Timestamp>,
    pub limit_per_user: Option<u8>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum VoucherRefusal {
    #[error("there is no such shop")]
    NoSuchShop,
    #[error("there is no such voucher")]
    NoSuchVoucher,
    #[error("the shop belongs to someone else")]
    NotOwner,
    #[error("the voucher is not sold in a flash sale")]
    NotASale,
    #[error("more units are sold than would be left")]
    TooFewUnits,
    #[error("the sale must end after it begins")]
    Window,
    /// The unique key that limits purchases per user does not cover archived orders, so such a sale is not reopened.
    #[error("the orders of the sale were archived")]
    Archived,
}

/// Outbox payload of a new or changed flash sale: the gate must load the present terms from SQL.
///
/// It does not carry the terms: a late repetition must not restore older ones.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SaleChanged {
    pub voucher: VoucherId,
}

impl SaleChanged {
    /// The kind of its outbox rows.
    pub const KIND: &'static str = "sale_changed";

    /// The key of its outbox rows: changes of one sale are relayed in order.
    pub fn key(&self) -> String {
        format!("sale:{}", self.voucher)
    }
}

/// Publishes an ordinary voucher.
pub async fn create(
    db: &Db,
    principal: Principal,
    shop_id: ShopId,
    draft: &VoucherDraft,
) -> Result<Result<Voucher, VoucherRefusal>, Error> {
    publish(db, principal, shop_id, draft, None).await
}

/// Publishes a voucher and its flash sale.
pub async fn create_sale(
    db: &Db,
    principal: Principal,
    shop_id: ShopId,
    draft: &VoucherDraft,
    sale: &SaleDraft,
) -> Result<Result<Voucher, VoucherRefusal>, Error> {
    publish(db, principal, shop_id, draft, Some(sale)).await
}

async fn publish(
    db: &Db,
    principal: Principal,
    shop_id: ShopId,
    draft: &VoucherDraft,
    sale: Option<&SaleDraft>,
) -> Result<Result<Voucher, VoucherRefusal>, Error> {
    let publish = async {
        let transaction = db.begin().await?;
        if let Err(refusal) = check_shop(&transaction, principal, shop_id.get()).await? {
            return Ok(Err(refusal));
        }
        let kind = sale.map_or(VoucherKind::Ordinary, |_| VoucherKind::Flash);
        let row = new_row(shop_id, draft, kind).insert(&transaction).await?;
        let sale = match sale {
            Some(sale) => Some(insert_sale(&transaction, row.id, sale).await?),
            None => None,
        };
        transaction.commit().await?;
        Ok(Ok(Voucher::from_rows(row, sale)))
    };
    db.run("create voucher", publish).await
}

/// Puts a voucher on the shelf or takes it off. Idempotent.
pub async fn set_status(
    db: &Db,
    principal: Principal,
    id: VoucherId,
    status: VoucherStatus,
) -> Result<Result<Voucher, VoucherRefusal>, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let (row, sale) = match lock(&transaction, principal, id).await? {
            Ok(rows) => rows,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if row.status == status.code() {
            return Ok(Ok(Voucher::from_rows(row, sale)));
        }
        let mut changed = row.into_active_model();
        changed.status = Set(status.code());
        changed.update_time = Set(time::now());
        let row = changed.update(&transaction).await?;
        let sale = match sale {
            Some(sale) => Some(write_sale(&transaction, sale.into_active_model()).await?),
            None => None,
        };
        transaction.commit().await?;
        Ok(Ok(Voucher::from_rows(row, sale)))
    };
    db.run("set voucher status", set).await
}

/// Changes the terms of a flash sale. An empty change writes nothing and keeps the epoch.
pub async fn change_sale(
    db: &Db,
    principal: Principal,
    id: VoucherId,
    change: &SaleChange,
) -> Result<Result<Voucher, VoucherRefusal>, Error> {
    let change = async {
        let transaction = db.begin().await?;
        let (row, sale) = match lock(&transaction, principal, id).await? {
            Ok((row, Some(sale))) => (row, sale),
            Ok((_, None)) => return Ok(Err(VoucherRefusal::NotASale)),
            Err(refusal) => return Ok(Err(refusal)),
        };
        if *change == SaleChange::default() {
            return Ok(Ok(Voucher::from_rows(row, Some(sale))));
        }
        if archive::holds_stock_of(&transaction, id).await? {
            return Ok(Err(VoucherRefusal::Archived));
        }
        let changed = match changed_sale(sale, change) {
            Ok(changed) => changed,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let sale = write_sale(&transaction, changed).await?;
        transaction.commit().await?;
        Ok(Ok(Voucher::from_rows(row, Some(sale))))
    };
    db.run("change sale", change).await
}

/// Locks the rows of a voucher that the principal may change until the end of the transaction.
async fn lock(
    transaction: &DatabaseTransaction,
    principal: Principal,
    id: VoucherId,
) -> Result<Result<(voucher::Model, Option<seckill_voucher::Model>), VoucherRefusal>, DbErr> {
    let find = voucher::Entity::find_by_id(id.get()).lock_exclusive();
    let Some(row) = find.one(transaction).await? else {
        return Ok(Err(VoucherRefusal::NoSuchVoucher));
    };
    if let Err(refusal) = check_shop(transaction, principal, row.shop_id).await? {
        return Ok(Err(refusal));
    }
    let find = seckill_voucher::Entity::find_by_id(id.get()).lock_exclusive();
    Ok(Ok((row, find.one(transaction).await?)))
}

/// A voucher without a shop, which the original allowed, belongs to admins.
async fn check_shop(
    transaction: &DatabaseTransaction,
    principal: Principal,
    shop_id: i64,
) -> Result<Result<(), VoucherRefusal>, DbErr> {
    let shop = shop::Entity::find_by_id(shop_id).one(transaction).await?;
    Ok(match shop {
        None => Err(VoucherRefusal::NoSuchShop),
        Some(shop) if !principal.may_change(&shop) => Err(VoucherRefusal::NotOwner),
        Some(_) => Ok(()),
    })
}

fn new_row(shop_id: ShopId, draft: &VoucherDraft, kind: VoucherKind) -> voucher::ActiveModel {
    let now = time::now();
    voucher::ActiveModel {
        shop_id: Set(shop_id.get()),
        title: Set(draft.title.clone()),
        sub_title: Set(draft.sub_title.clone()),
        rules: Set(draft.rules.clone()),
        pay_value: Set(draft.pay_value_cents),
        actual_value: Set(draft.actual_value_cents),
        kind: Set(kind.code()),
        status: Set(VoucherStatus::OnShelf.code()),
        create_time: Set(now),
        update_time: Set(now),
        ..Default::default()
    }
}

async fn insert_sale(
    transaction: &DatabaseTransaction,
    voucher_id: i64,
    draft: &SaleDraft,
) -> Result<seckill_voucher::Model, DbErr> {
    let now = time::now();
    let stock = to_column(draft.stock);
    let row = seckill_voucher::ActiveModel {
        voucher_id: Set(voucher_id),
        stock: Set(stock),
        initial_stock: Set(stock),
        begin_time: Set(time::to_sql(draft.begin_at)),
        end_time: Set(time::to_sql(draft.end_at)),
        limit_per_user: Set(draft.limit_per_user.into()),
        spread: Set(draft.spread.into()),
        epoch: Set(0),
        create_time: Set(now),
        update_time: Set(now),
    };
    let row = row.insert(transaction).await?;
    enqueue_change(transaction, voucher_id).await?;
    Ok(row)
}

fn changed_sale(
    row: seckill_voucher::Model,
    change: &SaleChange,
) -> Result<seckill_voucher::ActiveModel, VoucherRefusal> {
    let initial = change.initial_stock.map_or(row.initial_stock, to_column);
    let stock = row.stock + (initial - row.initial_stock);
    if stock < 0 {
        return Err(VoucherRefusal::TooFewUnits);
    }
    let begin = change.begin_at.unwrap_or(time::from_sql(row.begin_time));
    let end = change.end_at.unwrap_or(time::from_sql(row.end_time));
    if !is_window(begin, end) {
        return Err(VoucherRefusal::Window);
    }
    let mut changed = row.into_active_model();
    changed.initial_stock = Set(initial);
    changed.stock = Set(stock);
    changed.begin_time = Set(time::to_sql(begin));
    changed.end_time = Set(time::to_sql(end));
    if let Some(limit) = change.limit_per_user {
        changed.limit_per_user = Set(limit.into());
    }
    Ok(changed)
}

/// Raises the epoch and enqueues the update of the gate.
async fn write_sale(
    transaction: &DatabaseTransaction,
    mut row: seckill_voucher::ActiveModel,
) -> Result<seckill_voucher::Model, DbErr> {
    row.epoch = Set(row.epoch.unwrap() + 1);
    row.update_time = Set(time::now());
    let row = row.update(transaction).await?;
    enqueue_change(transaction, row.voucher_id).await?;
    Ok(row)
}

async fn enqueue_change(transaction: &DatabaseTransaction, voucher_id: i64) -> Result<(), DbErr> {
    let changed = SaleChanged {
        voucher: VoucherId::new(voucher_id),
    };
    outbox::append(transaction, SaleChanged::KIND, &changed.key(), &changed).await
}

/// Drafts have at most ten million units.
fn to_column(count: u32) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
