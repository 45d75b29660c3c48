//! The flash sales that are on: open, or about to open.
//!
//! Each half goes along an index in the order in which it is shown and stops when it has enough, so its cost does not
//! grow with the sales that are over.

use domain::VoucherStatus;
use jiff::{SignedDuration, Timestamp};
use sea_orm::{ColumnTrait, EntityTrait, QueryFilter, QueryOrder, QuerySelect, SelectTwo};

use super::Voucher;
use crate::entity::seckill_voucher::Column as Sale;
use crate::entity::{seckill_voucher, voucher};
use crate::{Db, Error, time};

/// At most `limit` sales on the shelf: those open at `now`, the soonest to end first, then those that begin within
/// `ahead`, the soonest to begin first; equals by id.
pub async fn list_running(
    db: &Db,
    now: Timestamp,
    ahead: SignedDuration,
    limit: u64,
) -> Result<Vec<Voucher>, Error> {
    let (at, until) = (time::to_sql(now), time::to_sql(now + ahead));
    let open = on_shelf()
        .filter(Sale::BeginTime.lte(at))
        .filter(Sale::EndTime.gt(at))
        .order_by_asc(Sale::EndTime);
    let mut running = list(db, "list open sales", open, limit).await?;
    let coming = on_shelf()
        .filter(Sale::BeginTime.gt(at))
        .filter(Sale::BeginTime.lte(until))
        .order_by_asc(Sale::BeginTime);
    let room = limit.saturating_sub(running.len() as u64);
    running.extend(list(db, "list coming sales", coming, room).await?);
    Ok(running)
}

type Select = SelectTwo<voucher::Entity, seckill_voucher::Entity>;

fn on_shelf() -> Select {
    voucher::Entity::find()
        .find_also_related(seckill_voucher::Entity)
        .filter(voucher::Column::Status.eq(VoucherStatus::OnShelf.code()))
}

async fn list(
    db: &Db,
    operation: &'static str,
    select: Select,
    limit: u64,
) -> Result<Vec<Voucher>, Error> {
    let select = select.order_by_asc(Sale::VoucherId).limit(limit);
    let found = db.run(operation, select.all(db.reader())).await?;
    let voucher = |(row, sale)| Voucher::from_rows(row, sale);
    Ok(found.into_iter().map(voucher).collect())
}
