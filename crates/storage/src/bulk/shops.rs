//! Shops, their types and their vouchers.

use std::collections::HashMap;

use domain::{ShopId, ShopTypeId, UserId, VoucherId};
use jiff::Timestamp;
use sea_orm::Value;

use super::insert::{BulkRow, insert};
use crate::search::IndexedText;
use crate::time::to_sql;
use crate::{Db, Error};

#[derive(Clone, Debug)]
pub struct ShopTypeRow {
    pub id: ShopTypeId,
    pub name: String,
    pub icon: String,
    pub sort: i32,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct ShopRow {
    pub id: ShopId,
    pub name: String,
    pub type_id: ShopTypeId,
    /// Addresses of pictures, separated by commas.
    pub images: String,
    pub area: Option<String>,
    pub address: String,
    /// Longitude.
    pub x: f64,
    /// Latitude.
    pub y: f64,
    pub avg_price_yuan: Option<i64>,
    /// Ten times the stars, until scored notes say otherwise.
    pub score: i32,
    pub open_hours: Option<String>,
    pub phone: Option<String>,
    pub owner_id: Option<UserId>,
    pub created_at: Timestamp,
}

#[derive(Clone, Debug)]
pub struct VoucherRow {
    pub id: VoucherId,
    pub shop_id: ShopId,
    pub title: String,
    pub sub_title: Option<String>,
    pub rules: Option<String>,
    pub pay_value_cents: i64,
    pub actual_value_cents: i64,
    pub kind: VoucherKind,
    pub status: VoucherStatus,
    pub created_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoucherKind {
    Ordinary = 0,
    /// Has a [`SeckillVoucherRow`] besides.
    Flash = 1,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoucherStatus {
    On = 1,
    Off = 2,
    Expired = 3,
}

#[derive(Clone, Debug)]
pub struct SeckillVoucherRow {
    pub voucher_id: VoucherId,
    /// Also the initial stock: nothing has been sold yet.
    pub stock: i32,
    pub begin_at: Timestamp,
    pub end_at: Timestamp,
    pub limit_per_user: i32,
    pub created_at: Timestamp,
}

pub async fn insert_shop_types(db: &Db, rows: &[ShopTypeRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

pub async fn insert_shops(db: &Db, rows: &[ShopRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

pub async fn insert_vouchers(db: &Db, rows: &[VoucherRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

pub async fn insert_seckill_vouchers(db: &Db, rows: &[SeckillVoucherRow]) -> Result<u64, Error> {
    insert(db, rows).await
}

impl BulkRow for ShopTypeRow {
    const OPERATION: &'static str = "insert shop types";
    const TABLE: &'static str = "tb_shop_type";
    const COLUMNS: &'static [&'static str] =
        &["id", "name", "icon", "sort", "create_time", "update_time"];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.id.get().into(),
            self.name.as_str().into(),
            self.icon.as_str().into(),
            self.sort.into(),
            created_at.into(),
            created_at.into(),
        ]
    }
}

impl BulkRow for ShopRow {
    const OPERATION: &'static str = "insert shops";
    const TABLE: &'static str = "tb_shop";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "name",
        "type_id",
        "images",
        "area",
        "address",
        "x",
        "y",
        "avg_price",
        "score",
        "open_hours",
        "phone",
        "owner_id",
        "create_time",
        "update_time",
    ];
    /// Each brings some eighty rows of the search's indexes with it.
    const ROWS_PER_TRANSACTION: usize = 500;

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.id.get().into(),
            self.name.as_str().into(),
            self.type_id.get().into(),
            self.images.as_str().into(),
            self.area.as_deref().into(),
            self.address.as_str().into(),
            self.x.into(),
            self.y.into(),
            self.avg_price_yuan.into(),
            self.score.into(),
            self.open_hours.as_deref().into(),
            self.phone.as_deref().into(),
            self.owner_id.map(UserId::get).into(),
            created_at.into(),
            created_at.into(),
        ]
    }

    const IS_OF_A_KIND: bool = true;

    fn indexed(&self, kinds: &HashMap<i64, String>) -> Option<IndexedText> {
        let kind = kinds.get(&self.type_id.get());
        Some(IndexedText::of_shop(
            self.id.get(),
            &self.name,
            self.area.as_deref(),
            &self.address,
            kind.map_or("", String::as_str),
        ))
    }

    fn shop_name(&self) -> Option<(i64, &str)> {
        Some((self.id.get(), &self.name))
    }
}

impl BulkRow for VoucherRow {
    const OPERATION: &'static str = "insert vouchers";
    const TABLE: &'static str = "tb_voucher";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "shop_id",
        "title",
        "sub_title",
        "rules",
        "pay_value",
        "actual_value",
        "type",
        "status",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.id.get().into(),
            self.shop_id.get().into(),
            self.title.as_str().into(),
            self.sub_title.as_deref().into(),
            self.rules.as_deref().into(),
            self.pay_value_cents.into(),
            self.actual_value_cents.into(),
            (self.kind as i16).into(),
            (self.status as i16).into(),
            created_at.into(),
            created_at.into(),
        ]
    }
}

impl BulkRow for SeckillVoucherRow {
    const OPERATION: &'static str = "insert flash sales";
    const TABLE: &'static str = "tb_seckill_voucher";
    const COLUMNS: &'static [&'static str] = &[
        "voucher_id",
        "stock",
        "initial_stock",
        "begin_time",
        "end_time",
        "limit_per_user",
        "create_time",
        "update_time",
    ];

    fn values(&self) -> Vec<Value> {
        let created_at = to_sql(self.created_at);
        vec![
            self.voucher_id.get().into(),
            self.stock.into(),
            self.stock.into(),
            to_sql(self.begin_at).into(),
            to_sql(self.end_at).into(),
            self.limit_per_user.into(),
            created_at.into(),
            created_at.into(),
        ]
    }
}
