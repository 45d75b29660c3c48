//! Reports by readers and decisions by moderators.

use domain::harmless::shown_plain;
use domain::{CommentId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, FromQueryResult, IntoActiveModel, QueryFilter,
    QuerySelect, Value,
};

use super::changed::enqueue_change;
use super::write::lock_with_note;
use super::{COLUMNS, Comment, CommentWithAuthor, HIDDEN, REPORTED, SHOWN, TABLES, recount};
use crate::entity::blog_comment::{Column, Entity};
use crate::notes::Visibility;
use crate::{Db, Error, MAX_PAGE_ROWS, audit, sql, time};

/// Which comments a moderation list shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flagged {
    /// Reported and undecided.
    Reported,
    Hidden,
}

/// A reported or hidden comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlaggedComment {
    pub comment: Comment,
    /// How many people reported it.
    pub reports: u32,
    /// The reason of one report.
    pub reason: String,
}

#[derive(FromQueryResult)]
struct FlaggedWithAuthor {
    #[sea_orm(nested)]
    row: CommentWithAuthor,
    reports: i64,
    reason: String,
}

/// Records a report; returns whether the comment exists. Each user counts once.
pub async fn report(db: &Db, reporter: UserId, id: CommentId, reason: &str) -> Result<bool, Error> {
    let report = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(id.get()).filter(Column::Status.ne(HIDDEN));
        let Some(row) = find.lock_exclusive().one(&transaction).await? else {
            return Ok(false);
        };
        let insert = format!(
            "{} tb_blog_comment_report (comment_id, user_id, reason, create_time) \
             VALUES (?, ?, ?, ?)",
            sql::insert_ignore(&transaction)
        );
        let values: [Value; 4] = [
            id.get().into(),
            reporter.get().into(),
            reason.into(),
            time::now().into(),
        ];
        let is_new = sql::execute(&transaction, insert, values).await? > 0;
        // A comment that a moderator approved returns to the queue only on a report by another user.
        if is_new && row.status == SHOWN {
            let mut changed = row.into_active_model();
            changed.status = Set(REPORTED);
            changed.update(&transaction).await?;
        }
        transaction.commit().await?;
        Ok(true)
    };
    db.run("report comment", report).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) comments in this state with ids below `before`, newest first.
pub async fn list_flagged(
    db: &Db,
    flagged: Flagged,
    before: Option<CommentId>,
    limit: u32,
) -> Result<Vec<FlaggedComment>, Error> {
    let status = match flagged {
        Flagged::Reported => REPORTED,
        Flagged::Hidden => HIDDEN,
    };
    let sql = format!(
        "SELECT {COLUMNS}, \
            (SELECT COUNT(*) FROM tb_blog_comment_report r WHERE r.comment_id = c.id) AS reports, \
            COALESCE((SELECT MIN(r.reason) FROM tb_blog_comment_report r \
                WHERE r.comment_id = c.id), '') AS reason \
         FROM {TABLES} WHERE c.status = ? AND c.id < ? ORDER BY c.id DESC LIMIT ?"
    );
    let before = before.map_or(i64::MAX, CommentId::get);
    let limit = limit.min(MAX_PAGE_ROWS);
    let values: [Value; 3] = [status.into(), before.into(), limit.into()];
    let statement = sql::statement(db.reader(), sql, values);
    let find = FlaggedWithAuthor::find_by_statement(statement).all(db.reader());
    let rows = db.run("list flagged comments", find).await?;
    let flagged = |it: FlaggedWithAuthor| FlaggedComment {
        comment: it.row.into(),
        reports: u32::try_from(it.reports).unwrap_or(u32::MAX),
        reason: shown_plain(it.reason),
    };
    Ok(rows.into_iter().map(flagged).collect())
}

/// Hides or shows a comment and records the decision in the audit log; returns whether the comment exists.
pub async fn set_visibility(
    db: &Db,
    moderator: UserId,
    id: CommentId,
    visibility: Visibility,
) -> Result<bool, Error> {
    let set = async {
        let transaction = db.begin().await?;
        let Some(row) = lock_with_note(&transaction, id).await? else {
            return Ok(false);
        };
        let (status, action) = match visibility {
            Visibility::Hidden => (HIDDEN, "hide_comment"),
            Visibility::Shown => (SHOWN, "show_comment"),
        };
        if row.status == status {
            return Ok(true);
        }
        let note = row.blog_id;
        let mut changed = row.into_active_model();
        changed.status = Set(status);
        let row = changed.update(&transaction).await?;
        recount(&transaction, note).await?;
        enqueue_change(&transaction, &row).await?;
        let subject = format!("comment:{id}");
        audit::insert(&transaction, Some(moderator), action, &subject, "").await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("set visibility of comment", set).await
}
