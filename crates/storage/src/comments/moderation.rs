//! Reports by readers, and what moderators do about them.

use domain::{CommentId, UserId};
use sea_orm::ActiveValue::Set;
use sea_orm::{
    ActiveModelTrait, ColumnTrait, EntityTrait, FromQueryResult, IntoActiveModel, QueryFilter,
    QuerySelect, Statement, Value,
};

use super::write::lock_with_note;
use super::{COLUMNS, Comment, HIDDEN, Line, REPORTED, SHOWN, TABLES, recount};
use crate::entity::blog_comment::{Column, Entity};
use crate::notes::Visibility;
use crate::{Db, Error, audit, sql, time};

/// What a list of moderators shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flagged {
    /// Reported, and not decided on.
    Reported,
    Hidden,
}

/// A comment that somebody finds wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlaggedComment {
    pub comment: Comment,
    /// How many people reported it.
    pub reports: u32,
    /// What one of them said.
    pub reason: String,
}

#[derive(FromQueryResult)]
struct FlaggedLine {
    #[sea_orm(nested)]
    line: Line,
    reports: i64,
    reason: String,
}

/// Says whether there is such a comment. A person counts once, however often they report it.
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
        // What a moderator has let stand goes back to the queue only if somebody else objects.
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

/// At most `limit` comments that were flagged so, newest first, below the id `before`.
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
    let values: [Value; 3] = [status.into(), before.into(), limit.into()];
    let statement = Statement::from_sql_and_values(db.dialect(), sql, values);
    let find = FlaggedLine::find_by_statement(statement).all(db.reader());
    let lines = db.run("list flagged comments", find).await?;
    let flagged = |it: FlaggedLine| FlaggedComment {
        comment: it.line.into(),
        reports: u32::try_from(it.reports).unwrap_or(u32::MAX),
        reason: it.reason,
    };
    Ok(lines.into_iter().map(flagged).collect())
}

/// Says whether there is such a comment. The decision is recorded, and clears the comment from the queue.
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
        changed.update(&transaction).await?;
        recount(&transaction, note).await?;
        let subject = format!("comment:{id}");
        audit::insert(&transaction, Some(moderator), action, &subject, "").await?;
        transaction.commit().await?;
        Ok(true)
    };
    db.run("set visibility of comment", set).await
}
