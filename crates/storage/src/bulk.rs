//! Many rows at once, with ids chosen by the caller: demo data and load tests.
//!
//! Every insert is idempotent: existing rows stay as they are, and the result counts only new ones. Rows go in by
//! transactions of bounded size, so a running site can write in between.
//!
//! The caller is responsible for rows that fit their columns. Counters start at zero; [`recount`] sets them.

mod dishes;
mod insert;
mod newcomers;
mod notes;
mod people;
mod recount;
mod sales;
mod shops;

pub use newcomers::{NewcomerRow, insert_newcomers, list_ids_by_phone};
pub use notes::{CommentRow, LikeRow, NoteRow, insert_comments, insert_likes, insert_notes};
pub use people::{
    FollowRow, UserInfoRow, UserRow, insert_follows, insert_user_infos, insert_users,
};
pub use recount::{CountedTable, CounterDifference, Surplus, compare_counters, recount};
pub use sales::{SoldSale, UsedOrderRow, insert_sold_sales};
pub use shops::{
    SeckillVoucherRow, ShopRow, ShopTypeRow, VoucherKind, VoucherRow, VoucherStatus,
    insert_seckill_vouchers, insert_shop_types, insert_shops, insert_vouchers,
};

use sea_orm::ConnectionTrait;

use crate::{Db, Error};

/// True while the site has neither people nor shops.
pub async fn is_empty(db: &Db) -> Result<bool, Error> {
    let sql = "SELECT EXISTS (SELECT 1 FROM tb_user) OR EXISTS (SELECT 1 FROM tb_shop) AS taken";
    let query = async {
        let row = db.reader().query_one_raw(db.statement(sql)).await?;
        row.map_or(Ok(0_i64), |row| row.try_get("", "taken"))
    };
    Ok(db.run("look for rows", query).await? == 0)
}
