//! The shop counters derived from notes: their number, the mean of their stars, and how many gave each number of stars.

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

/// Recounts after a note was added, deleted or hidden, and enqueues the change. The indexes over a shop's notes hold their
/// stars, so this reads no note.
pub(super) async fn recount(
    transaction: &DatabaseTransaction,
    before: &Model,
) -> Result<(), DbErr> {
    let stars = STARS.map(|(column, stars)| format!("{column} = {}", notes_with(stars)));
    let update = format!(
        "UPDATE tb_shop SET version = version + 1, comments = {}, score = {}, {} WHERE id = ?",
        comments(),
        score(),
        stars.join(", ")
    );
    sql::execute(transaction, update, [before.id.into()]).await?;
    let mut after = before.clone();
    after.version += 1;
    enqueue_change(transaction, Some(before.type_id), &after).await
}

/// SQL: what `comments` of `tb_shop` counts.
pub(crate) fn comments() -> String {
    format!("comments_base + {}", visible_notes())
}

/// SQL: the notes of a `tb_shop` row that people see.
pub(crate) fn visible_notes() -> String {
    format!(
        "(SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id AND b.status <> {HIDDEN})"
    )
}

/// The columns of `tb_shop` that count notes by their stars.
pub(crate) const STARS: [(&str, u8); 5] = [
    ("stars_1", 1),
    ("stars_2", 2),
    ("stars_3", 3),
    ("stars_4", 4),
    ("stars_5", 5),
];

/// SQL: the notes of a `tb_shop` row that people see and that gave so many stars.
pub(crate) fn notes_with(stars: u8) -> String {
    format!(
        "(SELECT COUNT(*) FROM tb_blog b WHERE b.shop_id = tb_shop.id AND b.score = {stars} \
            AND b.status <> {HIDDEN})"
    )
}

/// SQL: ten times the mean of the stars, over the scored notes and the reviews that a shop brought along. A shop with
/// neither keeps its score.
pub(crate) fn score() -> String {
    format!(
        "COALESCE((SELECT ROUND((tb_shop.score_base * tb_shop.comments_base + 10.0 * SUM(b.score)) / \
            (tb_shop.comments_base + COUNT(b.score))) \
            FROM tb_blog b WHERE b.shop_id = tb_shop.id AND b.status <> {HIDDEN}), \
         CASE WHEN comments_base > 0 THEN score_base ELSE score END)"
    )
}
