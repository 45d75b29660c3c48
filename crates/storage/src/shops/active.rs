//! The shops that people are likely to look at, for a process that fills its cache before it serves.
//!
//! Each query reads the newest rows of a table by its primary key, or the running sales, so its cost does not grow with the
//! site.

use domain::ShopId;
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, QueryResult, Value};

use crate::{Db, Error, sql, time};

/// Shops of sales that have not ended.
const OF_SALES: &str = "SELECT DISTINCT v.shop_id FROM tb_seckill_voucher s JOIN tb_voucher v ON v.id = s.voucher_id \
    WHERE s.end_time > ? LIMIT ?";
/// Shops of the newest orders.
const OF_ORDERS: &str = "SELECT DISTINCT v.shop_id FROM \
    (SELECT voucher_id FROM tb_voucher_order ORDER BY id DESC LIMIT ?) o JOIN tb_voucher v ON v.id = o.voucher_id";
/// Shops of the newest notes.
const OF_NOTES: &str =
    "SELECT DISTINCT n.shop_id FROM (SELECT shop_id FROM tb_blog ORDER BY id DESC LIMIT ?) n";

/// Rows per wanted shop that are read of orders and notes: many are of one shop.
const ROWS_PER_SHOP: u64 = 4;

/// At most `limit` shops in use: of running sales first, then of the newest orders and notes, then the oldest shops. Three
/// or four statements.
pub async fn list_active(db: &Db, now: Timestamp, limit: u64) -> Result<Vec<ShopId>, Error> {
    let rows = limit.saturating_mul(ROWS_PER_SHOP);
    let sales = vec![Value::from(time::to_sql(now)), limit.into()];
    let mut active = Vec::new();
    for (query, values) in [
        (OF_SALES, sales),
        (OF_ORDERS, vec![rows.into()]),
        (OF_NOTES, vec![rows.into()]),
    ] {
        add(&mut active, list(db, query, values).await?, limit);
    }
    if (active.len() as u64) < limit {
        let oldest = super::list_ids(db, ShopId::new(0), limit).await?;
        add(&mut active, oldest, limit);
    }
    Ok(active)
}

fn add(active: &mut Vec<ShopId>, more: Vec<ShopId>, limit: u64) {
    let known: std::collections::HashSet<ShopId> = active.iter().copied().collect();
    let room = usize::try_from(limit).unwrap_or(usize::MAX) - active.len();
    let new = more.into_iter().filter(|shop| !known.contains(shop));
    active.extend(new.take(room));
}

async fn list(db: &Db, query: &'static str, values: Vec<Value>) -> Result<Vec<ShopId>, Error> {
    let statement = sql::statement(db.reader(), query, values);
    let list = async {
        let rows = db.reader().query_all_raw(statement).await?;
        let id = |row: &QueryResult| row.try_get("", "shop_id").map(ShopId::new);
        rows.iter().map(id).collect()
    };
    db.run("list active shops", list).await
}
