//! Notes by publication time for feeds: newest first, ties by id.

use domain::{NoteId, UserId};
use jiff::Timestamp;
use sea_orm::{
    ColumnTrait, Condition, EntityTrait, FromQueryResult, QueryFilter, QueryOrder, QuerySelect,
    Value,
};

use super::{HIDDEN, is_shown};
use crate::entity::blog::{Column, Entity};
use crate::{Db, Error, sql, time};

/// When a note was published. The order of a feed: by time, then by id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimelinePosition {
    pub published_at: Timestamp,
    pub note: NoteId,
}

/// The newest `limit` notes of these authors before a moment.
pub async fn list_timeline(
    db: &Db,
    authors: &[UserId],
    before: Option<TimelinePosition>,
    limit: u64,
) -> Result<Vec<TimelinePosition>, Error> {
    if authors.is_empty() {
        return Ok(Vec::new());
    }
    let mut select = Entity::find()
        .select_only()
        .columns([Column::CreateTime, Column::Id])
        .filter(Column::UserId.is_in(authors.iter().map(|author| author.get())))
        .filter(is_shown())
        .order_by_desc(Column::CreateTime)
        .order_by_desc(Column::Id)
        .limit(limit);
    if let Some(moment) = before {
        select = select.filter(is_before(moment));
    }
    let find = select.into_tuple().all(db.reader());
    let rows = db.run("list timeline", find).await?;
    Ok(rows.into_iter().map(TimelinePosition::from_row).collect())
}

/// The newest `limit` notes before a moment by authors the user follows. Reads the primary.
pub async fn list_feed(
    db: &Db,
    reader: UserId,
    before: Option<TimelinePosition>,
    limit: u64,
) -> Result<Vec<TimelinePosition>, Error> {
    // The redundant first condition on the time is the one the index serves.
    let sql = format!(
        "SELECT b.create_time, b.id FROM tb_follow f \
         JOIN tb_blog b ON b.user_id = f.follow_user_id \
         WHERE f.user_id = ? AND b.status <> {HIDDEN} \
            AND b.create_time <= ? AND (b.create_time < ? OR b.id < ?) \
         ORDER BY b.create_time DESC, b.id DESC LIMIT ?"
    );
    let before = before.unwrap_or(TimelinePosition::END);
    let at = time::to_sql(before.published_at);
    let values: [Value; 5] = [
        reader.get().into(),
        at.into(),
        at.into(),
        before.note.get().into(),
        limit.into(),
    ];
    let statement = sql::statement(db.reader(), sql, values);
    let find = TimelineRow::find_by_statement(statement).all(db.reader());
    let rows = db.run("list feed", find).await?;
    let moments = rows.into_iter().map(|row| (row.create_time, row.id));
    Ok(moments.map(TimelinePosition::from_row).collect())
}

#[derive(FromQueryResult)]
struct TimelineRow {
    create_time: chrono::NaiveDateTime,
    id: i64,
}

fn is_before(moment: TimelinePosition) -> Condition {
    let at = time::to_sql(moment.published_at);
    let earlier_in_tie = Condition::all()
        .add(Column::CreateTime.eq(at))
        .add(Column::Id.lt(moment.note.get()));
    Condition::any()
        .add(Column::CreateTime.lt(at))
        .add(earlier_in_tie)
}

impl TimelinePosition {
    /// After every note there is.
    pub const END: Self = Self {
        published_at: Timestamp::MAX,
        note: NoteId::new(i64::MAX),
    };

    fn from_row((at, id): (chrono::NaiveDateTime, i64)) -> Self {
        Self {
            published_at: time::from_sql(at),
            note: NoteId::new(id),
        }
    }
}
