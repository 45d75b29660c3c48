//! Vouchers and the terms of their flash sales: `tb_voucher` and `tb_seckill_voucher`.
//!
//! All reads come from the primary database: what is for sale, and on which terms, must not lag.
//!
//! A change of a flash sale is one transaction: the rows, the sale's `epoch` and the outbox row for its gate.

mod edit;
mod running;

use domain::harmless::{shown_lines, shown_name};
use domain::{ShopId, VoucherId, VoucherKind, VoucherStatus};
use jiff::Timestamp;
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect};

pub use edit::{
    SaleChange, SaleChanged, VoucherRefusal, change_sale, create, create_sale, set_status,
};
pub use running::list_running;

use crate::entity::{seckill_voucher, voucher};
use crate::{Db, Error, time};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Voucher {
    pub id: VoucherId,
    /// 0 for a voucher of an adopted database that names none.
    pub shop_id: ShopId,
    pub title: String,
    pub sub_title: Option<String>,
    pub rules: Option<String>,
    pub pay_value_cents: i64,
    pub actual_value_cents: i64,
    pub kind: VoucherKind,
    pub status: VoucherStatus,
    /// The flash sale; absent for an ordinary voucher.
    pub sale: Option<Sale>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sale {
    /// Units that no order holds: `initial_stock = stock + live orders`, always.
    pub stock: u32,
    pub initial_stock: u32,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
    pub limit_per_user: u8,
    /// Over how many partitions the sale is spread.
    pub spread: u16,
    /// Rises with every load, return and change of terms.
    pub epoch: i64,
}

/// The most vouchers a shop's page lists.
pub const LIST_LIMIT: u64 = 200;

pub async fn get(db: &Db, id: VoucherId) -> Result<Option<Voucher>, Error> {
    let find = voucher::Entity::find_by_id(id.get())
        .find_also_related(seckill_voucher::Entity)
        .one(db.reader());
    let found = db.run("get voucher", find).await?;
    Ok(found.map(|(row, sale)| Voucher::from_rows(row, sale)))
}

/// A shop's vouchers on the shelf, by id; at most [`LIST_LIMIT`].
pub async fn list_on_shelf(db: &Db, shop_id: ShopId) -> Result<Vec<Voucher>, Error> {
    let list = voucher::Entity::find()
        .find_also_related(seckill_voucher::Entity)
        .filter(voucher::Column::ShopId.eq(shop_id.get()))
        .filter(voucher::Column::Status.eq(VoucherStatus::OnShelf.code()))
        .order_by_asc(voucher::Column::Id)
        .limit(LIST_LIMIT)
        .all(db.reader());
    let found = db.run("list vouchers", list).await?;
    let voucher = |(row, sale)| Voucher::from_rows(row, sale);
    Ok(found.into_iter().map(voucher).collect())
}

impl Voucher {
    fn from_rows(row: voucher::Model, sale: Option<seckill_voucher::Model>) -> Self {
        Self {
            id: VoucherId::new(row.id),
            shop_id: ShopId::new(row.shop_id),
            title: shown_name(row.title),
            sub_title: row.sub_title.map(shown_name),
            rules: row.rules.map(shown_lines),
            pay_value_cents: row.pay_value,
            actual_value_cents: row.actual_value,
            kind: VoucherKind::from_code(row.kind),
            status: VoucherStatus::from_code(row.status),
            sale: sale.map(Sale::from_row),
            created_at: time::from_sql(row.create_time),
            updated_at: time::from_sql(row.update_time),
        }
    }
}

impl Sale {
    pub(crate) fn from_row(row: seckill_voucher::Model) -> Self {
        // Impossible values of an adopted database become the smallest valid one.
        let count = |units: i32| u32::try_from(units).unwrap_or(0);
        Self {
            stock: count(row.stock),
            initial_stock: count(row.initial_stock),
            begin_at: time::from_sql(row.begin_time),
            end_at: time::from_sql(row.end_time),
            limit_per_user: u8::try_from(row.limit_per_user).unwrap_or(1).max(1),
            spread: u16::try_from(row.spread).unwrap_or(1).max(1),
            epoch: row.epoch,
        }
    }
}
