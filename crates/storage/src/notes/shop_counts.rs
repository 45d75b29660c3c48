//! The shop counters derived from notes: their number, the mean of their stars, how many gave each number of stars, and what
//! their ratings add up to.

use domain::{Aspects, Ratings};
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

/// What a note counts for in the sums of its shop's ratings: before a change, and after it. A note that is not seen counts
/// for nothing.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RatingChange {
    pub(super) before: Ratings,
    pub(super) after: Ratings,
}

/// Recounts after a note was added, changed, deleted or hidden, and enqueues the change. The indexes over a shop's notes hold
/// their stars, so this reads no note. The sums of ratings are added to: the caller has locked the shop, so they are exact.
pub(super) async fn recount(
    transaction: &DatabaseTransaction,
    before: &Model,
    ratings: RatingChange,
) -> Result<(), DbErr> {
    let stars = STARS.map(|(column, stars)| format!("{column} = {}", notes_with(stars)));
    let update = format!(
        "UPDATE tb_shop SET version = version + 1, comments = {}, score = {}, {}{} WHERE id = ?",
        comments(),
        score(),
        stars.join(", "),
        ratings.assignments()
    );
    sql::execute(transaction, update, [before.id.into()]).await?;
    let mut after = before.clone();
    after.version += 1;
    enqueue_change(transaction, Some(before.type_id), &after).await
}

impl RatingChange {
    /// SQL that adds the difference, after other assignments.
    fn assignments(self) -> String {
        let (before, after) = (self.before.into_array(), self.after.into_array());
        let mut sql = String::new();
        for (aspect, (before, after)) in RATINGS.into_array().iter().zip(before.iter().zip(&after))
        {
            let (sum, count) = (aspect.sum, aspect.count);
            let value = |rating: &Option<u8>| i64::from(rating.unwrap_or(0));
            let number = |rating: &Option<u8>| i64::from(rating.is_some());
            if before != after {
                sql += &format!(
                    ", {sum} = {sum} + {}, {count} = {count} + {}",
                    value(after) - value(before),
                    number(after) - number(before)
                );
            }
        }
        sql
    }
}

/// The columns of an aspect: the one of `tb_blog`, and the two of `tb_shop` that add it up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RatingColumns {
    rating: &'static str,
    pub(crate) sum: &'static str,
    pub(crate) count: &'static str,
}

pub(crate) const RATINGS: Aspects<RatingColumns> = Aspects {
    main: RatingColumns {
        rating: "rating_main",
        sum: "rating_main_sum",
        count: "rating_main_count",
    },
    surroundings: RatingColumns {
        rating: "rating_surroundings",
        sum: "rating_surroundings_sum",
        count: "rating_surroundings_count",
    },
    service: RatingColumns {
        rating: "rating_service",
        sum: "rating_service_sum",
        count: "rating_service_count",
    },
};

impl RatingColumns {
    /// SQL: what the notes of a `tb_shop` row that people see rated it with, added up.
    pub(crate) fn sum_of_rows(self) -> String {
        self.of_rows("SUM")
    }

    /// SQL: how many of them rated it.
    pub(crate) fn count_of_rows(self) -> String {
        self.of_rows("COUNT")
    }

    fn of_rows(self, function: &str) -> String {
        let rating = self.rating;
        format!(
            "(SELECT COALESCE({function}(b.{rating}), 0) FROM tb_blog b \
                WHERE b.shop_id = tb_shop.id AND b.status <> {HIDDEN})"
        )
    }
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
