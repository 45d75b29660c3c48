//! The shop counters derived from notes: their number and the mean of their stars.

use sea_orm::{DbErr, EntityTrait, QuerySelect};

use super::HIDDEN;
use crate::db::DatabaseTransaction;
use crate::entity::shop::{self, Model};
use crate::shops::enqueue_change;
use crate::sql;

/// Locks the shop's row, so that changes of its counters serialise.
pub(super) async fn lock_shop(
    transaction: &DatabaseTransaction,
    shop: i64,
) -> Result<Option<Model>, DbErr> {
    let find = shop::Entity::find_by_id(shop).lock_exclusive();
    find.one(transaction).await
}

/// Recounts after a note was added, deleted or hidden, and enqueues the change. A shop without scored notes keeps its
/// score. The index over a shop's notes holds their stars, so this reads no note.
pub(super) async fn recount(
    transaction: &DatabaseTransaction,
    before: &Model,
) -> Result<(), DbErr> {
    let update = format!(
        "UPDATE tb_shop SET version = version + 1, \
         comments = (SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = ? AND b.status <> {HIDDEN}), \
         score = COALESCE((SELECT ROUND(AVG(b.score) * 10) FROM tb_blog b \
            WHERE b.shop_id = ? AND b.status <> {HIDDEN}), score) \
         WHERE id = ?"
    );
    let values = [before.id.into(), before.id.into(), before.id.into()];
    sql::execute(transaction, update, values).await?;
    let mut after = before.clone();
    after.version += 1;
    enqueue_change(transaction, Some(before.type_id), &after).await
}
