//! Likes that the original kept in Redis. Its rows only have their number.

use domain::{NoteId, UserId};
use sea_orm::{ColumnTrait, DbErr, EntityTrait, PaginatorTrait, QueryFilter, QuerySelect, Value};

use crate::db::DatabaseTransaction;
use crate::entity::{blog, blog_like};
use crate::note_likes::Liker;
use crate::sql::{IDS_PER_QUERY, execute, insert_missing, placeholders};
use crate::{Db, Error, time};

/// Which of these users like the note.
pub async fn list_likers(db: &Db, note: NoteId, users: &[UserId]) -> Result<Vec<UserId>, Error> {
    let mut likers = Vec::new();
    for chunk in users.chunks(IDS_PER_QUERY) {
        let find = blog_like::Entity::find()
            .select_only()
            .column(blog_like::Column::UserId)
            .filter(blog_like::Column::BlogId.eq(note.get()))
            .filter(blog_like::Column::UserId.is_in(chunk.iter().map(|id| id.get())))
            .into_tuple::<i64>()
            .all(db.reader());
        let found = db.run("find likers", find).await?;
        likers.extend(found.into_iter().map(UserId::new));
    }
    Ok(likers)
}

/// Adds likes that are missing and returns their number.
///
/// The number on an adopted note counts likes without rows. The likers that come from Redis are the same likes, so they
/// take the place of numbers: the number stays, unless there are more likers than it says.
pub async fn add_likes(db: &Db, note: NoteId, likers: &[Liker]) -> Result<u64, Error> {
    let add = async {
        let transaction = db.begin().await?;
        let find = blog::Entity::find_by_id(note.get()).lock_exclusive();
        let Some(row) = find.one(&transaction).await? else {
            return Ok(0);
        };
        let mut added = 0;
        for chunk in likers.chunks(IDS_PER_QUERY) {
            added += insert(&transaction, note, chunk).await?;
        }
        if added > 0 {
            settle_base(&transaction, note, row.liked).await?;
        }
        transaction.commit().await?;
        Ok(added)
    };
    db.run("add likes", add).await
}

async fn insert(
    transaction: &DatabaseTransaction,
    note: NoteId,
    likers: &[Liker],
) -> Result<u64, DbErr> {
    let (verb, tail) = insert_missing(crate::Backend::of(transaction));
    let row = format!("({})", placeholders(3));
    let rows = vec![row.as_str(); likers.len()].join(", ");
    let sql = format!("{verb} tb_blog_like (blog_id, user_id, create_time) VALUES {rows}{tail}");
    let values = likers.iter().flat_map(|liker| -> [Value; 3] {
        let at = time::to_sql(liker.liked_at);
        [note.get().into(), liker.user.get().into(), at.into()]
    });
    let values: Vec<Value> = values.collect();
    execute(transaction, sql, values).await
}

/// Lets rows take the place of the base: the number stays, and the base is what it exceeds the rows by. The caller holds
/// the lock on the note's row.
async fn settle_base(
    transaction: &DatabaseTransaction,
    note: NoteId,
    liked: i32,
) -> Result<(), DbErr> {
    let rows = blog_like::Entity::find()
        .filter(blog_like::Column::BlogId.eq(note.get()))
        .count(transaction)
        .await?;
    let rows = i32::try_from(rows).unwrap_or(i32::MAX);
    let liked = liked.max(rows);
    let sql =
        "UPDATE tb_blog SET liked = ?, liked_base = ?, update_time = update_time WHERE id = ?";
    let values: [Value; 3] = [liked.into(), (liked - rows).into(), note.get().into()];
    execute(transaction, sql, values).await?;
    Ok(())
}
