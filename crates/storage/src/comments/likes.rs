//! Likes of comments: `tb_blog_comment_like`, counted on the comment in the same transaction.

use domain::{CommentId, UserId};
use sea_orm::{ColumnTrait, ConnectionTrait, DbErr, EntityTrait, QueryFilter, QuerySelect, Value};

use super::HIDDEN;
use crate::entity::blog_comment::{Column, Entity};
use crate::{Db, Error, sql, time};

/// Toggles the user's like and returns the new state; `None` if the comment does not exist.
///
/// Locks the comment's row first, so concurrent toggles serialise and the counter equals the number of rows.
pub async fn toggle_like(db: &Db, comment: CommentId, user: UserId) -> Result<Option<bool>, Error> {
    let toggle = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(comment.get()).filter(Column::Status.ne(HIDDEN));
        if find.lock_exclusive().one(&transaction).await?.is_none() {
            return Ok(None);
        }
        let key: [Value; 2] = [comment.get().into(), user.get().into()];
        let delete = "DELETE FROM tb_blog_comment_like WHERE comment_id = ? AND user_id = ?";
        let is_liked = sql::execute(&transaction, delete, key.clone()).await? == 0;
        if is_liked {
            let insert = "INSERT INTO tb_blog_comment_like (comment_id, user_id, create_time) \
                VALUES (?, ?, ?)";
            let values = key.into_iter().chain([time::now().into()]);
            sql::execute(&transaction, insert, values).await?;
        }
        recount(&transaction, comment).await?;
        transaction.commit().await?;
        Ok(Some(is_liked))
    };
    db.run("toggle like of comment", toggle).await
}

/// Removes the user's like, of a hidden comment too. Without a like nothing changes.
pub async fn remove_like(db: &Db, comment: CommentId, user: UserId) -> Result<(), Error> {
    let remove = async {
        let transaction = db.begin().await?;
        let find = Entity::find_by_id(comment.get());
        find.lock_exclusive().one(&transaction).await?;
        let key: [Value; 2] = [comment.get().into(), user.get().into()];
        let delete = "DELETE FROM tb_blog_comment_like WHERE comment_id = ? AND user_id = ?";
        sql::execute(&transaction, delete, key).await?;
        recount(&transaction, comment).await?;
        transaction.commit().await
    };
    db.run("remove like of comment", remove).await
}

/// The caller holds the lock on the comment's row.
async fn recount(transaction: &impl ConnectionTrait, comment: CommentId) -> Result<(), DbErr> {
    let count = "UPDATE tb_blog_comments SET liked = liked_base + \
        (SELECT COUNT(*) FROM tb_blog_comment_like l WHERE l.comment_id = ?) WHERE id = ?";
    let ids = [comment.get().into(), comment.get().into()];
    sql::execute(transaction, count, ids).await?;
    Ok(())
}

/// Which of these comments the person likes. One query.
pub async fn liked_among(
    db: &Db,
    user: UserId,
    comments: &[CommentId],
) -> Result<Vec<CommentId>, Error> {
    if comments.is_empty() {
        return Ok(Vec::new());
    }
    let placeholders = sql::placeholders(comments.len());
    let sql = format!(
        "SELECT comment_id FROM tb_blog_comment_like WHERE user_id = ? AND comment_id IN ({placeholders})"
    );
    let ids = comments.iter().map(|id| Value::from(id.get()));
    let values = [Value::from(user.get())].into_iter().chain(ids);
    let statement = sql::statement(db.reader(), sql, values);
    let list = async {
        let rows = db.reader().query_all_raw(statement).await?;
        let ids = rows.iter().map(|row| row.try_get("", "comment_id"));
        ids.map(|id| id.map(CommentId::new)).collect()
    };
    db.run("list liked comments", list).await
}
