//! Reports of notes by readers, and the queue of those who decide about them.

use domain::harmless::{shown_name, shown_plain};
use domain::{NoteId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, EntityTrait, FromQueryResult, IntoActiveModel, QueryFilter, QuerySelect,
    Value,
};

use super::{HIDDEN, REPORTED, SHOWN, is_shown};
use crate::comments::Flagged;
use crate::entity::blog::Entity;
use crate::{Db, Error, MAX_PAGE_ROWS, sql, time};

/// A reported or hidden note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlaggedNote {
    pub id: NoteId,
    pub author: UserId,
    /// Empty if the account is gone.
    pub author_name: String,
    pub title: String,
    /// How many people reported it.
    pub reports: u32,
    /// The reason of one report.
    pub reason: String,
    pub created_at: jiff::Timestamp,
}

#[derive(FromQueryResult)]
struct FlaggedRow {
    id: i64,
    user_id: i64,
    author_name: String,
    title: String,
    reports: i64,
    reason: String,
    create_time: chrono::NaiveDateTime,
}

/// Records a report; returns whether the note is there. Each user counts once.
pub async fn report(db: &Db, reporter: UserId, id: NoteId, reason: &str) -> Result<bool, Error> {
    let report = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).filter(is_shown());
        let Some(row) = find.lock_exclusive().one(&transaction).await? else {
            return Ok(false);
        };
        let insert = format!(
            "{} tb_blog_report (blog_id, user_id, reason, create_time) VALUES (?, ?, ?, ?)",
            sql::insert_ignore(&transaction)
        );
        let values: [Value; 4] = [
            id.get().into(),
            reporter.get().into(),
            reason.into(),
            time::now().into(),
        ];
        let is_new = sql::execute(&transaction, insert, values).await? > 0;
        // A note that a moderator approved returns to the queue only on a report by another user.
        if is_new && row.status == SHOWN {
            let update_time = row.update_time;
            let mut changed = row.into_active_model();
            changed.status = Set(REPORTED);
            changed.update_time = Set(update_time);
            changed.update(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    };
    db.run("report note", report).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) notes in this state with ids below `before`, newest first.
pub async fn list_flagged(
    db: &Db,
    flagged: Flagged,
    before: Option<NoteId>,
    limit: u32,
) -> Result<Vec<FlaggedNote>, Error> {
    let status = match flagged {
        Flagged::Reported => REPORTED,
        Flagged::Hidden => HIDDEN,
    };
    let sql = "SELECT b.id AS id, b.user_id AS user_id, b.title AS title, \
            b.create_time AS create_time, COALESCE(u.nick_name, '') AS author_name, \
            (SELECT COUNT(*) FROM tb_blog_report r WHERE r.blog_id = b.id) AS reports, \
            COALESCE((SELECT MIN(r.reason) FROM tb_blog_report r WHERE r.blog_id = b.id), '') \
                AS reason \
         FROM tb_blog b LEFT JOIN tb_user u ON u.id = b.user_id \
         WHERE b.status = ? AND b.id < ? ORDER BY b.id DESC LIMIT ?";
    let before = before.map_or(i64::MAX, NoteId::get);
    let limit = limit.min(MAX_PAGE_ROWS);
    let values: [Value; 3] = [status.into(), before.into(), limit.into()];
    let statement = sql::statement(db.reader(), sql, values);
    let find = FlaggedRow::find_by_statement(statement).all(db.reader());
    let rows = db.run("list flagged notes", find).await?;
    let flagged = |row: FlaggedRow| FlaggedNote {
        id: NoteId::new(row.id),
        author: UserId::new(row.user_id),
        author_name: shown_name(row.author_name),
        title: shown_plain(row.title),
        reports: u32::try_from(row.reports).unwrap_or(u32::MAX),
        reason: shown_plain(row.reason),
        created_at: time::from_sql(row.create_time),
    };
    Ok(rows.into_iter().map(flagged).collect())
}
