//! Every table of the site as of the first migration. Names are the original's, so that its database can be adopted.
//!
//! Frozen: later changes of the schema are migrations of their own.

mod notes;
mod operations;
mod people;
mod shops;

use super::schema::ColumnType::Instant;
use super::schema::{Column, Table, TableKey, column};

pub(super) const TABLES: &[Table] = &[
    people::USER,
    people::USER_INFO,
    shops::SHOP_TYPE,
    shops::SHOP,
    shops::VOUCHER,
    shops::SECKILL_VOUCHER,
    shops::VOUCHER_ORDER,
    notes::BLOG,
    notes::BLOG_LIKE,
    notes::BLOG_COMMENTS,
    people::FOLLOW,
    people::SIGN,
    notes::UPLOAD,
    operations::OUTBOX,
    shops::DEAD_ORDER,
    operations::VISIT,
    operations::AUDIT,
];

const CREATE_TIME: Column = column("create_time", Instant).or_now();
const UPDATE_TIME: Column = column("update_time", Instant).or_now();

const fn unique(name: &'static str, columns: &'static [&'static str]) -> TableKey {
    TableKey {
        name,
        columns,
        is_unique: true,
    }
}

const fn index(name: &'static str, columns: &'static [&'static str]) -> TableKey {
    TableKey {
        name,
        columns,
        is_unique: false,
    }
}
