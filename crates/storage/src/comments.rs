//! Comments on notes: `tb_blog_comments`, in two levels. A thread is a comment of the first level with its replies.
//!
//! Adding, deleting or hiding a comment locks the note's row first, so the note's counter always equals the number of
//! visible comments. Likes of a comment serialise on the comment's row. Hiding or deleting the first comment of a
//! thread hides or deletes the whole thread.

mod changed;
mod likes;
mod lists;
mod moderation;
mod write;

use domain::harmless::{shown_name, shown_plain};
use domain::{CommentId, Mention, NoteId, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult};

pub use changed::{CommentChanged, CommentPlace, get_place};
pub use likes::{liked_among, remove_like, toggle_like};
pub use lists::{Thread, list_replies, list_threads};
pub use moderation::{Flagged, FlaggedComment, list_flagged, report, set_visibility};
pub(crate) use write::purge;
pub use write::{CommentDeleteRefusal, CommentRefusal, NewComment, create, delete};

use crate::{sql, time};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    pub id: CommentId,
    pub note: NoteId,
    pub author: UserId,
    /// Empty if the account is gone.
    pub author_name: String,
    pub author_icon: String,
    /// The first comment of its thread; absent for that one itself.
    pub parent: Option<CommentId>,
    /// What it answers, if that is not the thread as such.
    pub answers: Option<CommentId>,
    pub content: String,
    /// Who is named in it; lists for moderators leave them out.
    pub mentions: Vec<Mention>,
    pub likes: u32,
    pub created_at: Timestamp,
}

const SHOWN: i16 = 0;
/// Reported by a reader: still visible, and in the moderation queue.
const REPORTED: i16 = 1;
/// Hidden by a moderator.
pub(crate) const HIDDEN: i16 = 2;

/// The columns of [`CommentWithAuthor`].
const COLUMNS: &str = "c.id, c.user_id, c.blog_id, c.parent_id, c.answer_id, c.content, c.liked, \
    c.create_time, COALESCE(u.nick_name, '') AS author_name, COALESCE(u.icon, '') AS author_icon";

/// The author's account may be deleted while the comments stay.
const TABLES: &str = "tb_blog_comments c LEFT JOIN tb_user u ON u.id = c.user_id";

#[derive(FromQueryResult)]
struct CommentWithAuthor {
    id: i64,
    user_id: i64,
    blog_id: i64,
    parent_id: i64,
    answer_id: i64,
    content: String,
    liked: i32,
    create_time: chrono::NaiveDateTime,
    author_name: String,
    author_icon: String,
}

impl From<CommentWithAuthor> for Comment {
    fn from(row: CommentWithAuthor) -> Self {
        let other = |id: i64| (id != 0).then(|| CommentId::new(id));
        Self {
            id: CommentId::new(row.id),
            note: NoteId::new(row.blog_id),
            author: UserId::new(row.user_id),
            author_name: shown_name(row.author_name),
            author_icon: shown_name(row.author_icon),
            parent: other(row.parent_id),
            answers: other(row.answer_id),
            content: shown_plain(row.content),
            mentions: Vec::new(),
            likes: u32::try_from(row.liked).unwrap_or(0),
            created_at: time::from_sql(row.create_time),
        }
    }
}

/// SQL expression: the visible comments of a row of `tb_blog`, that is, neither hidden nor in a hidden thread.
pub(crate) fn count_of_shown() -> String {
    format!(
        "(SELECT COUNT(*) FROM tb_blog_comments c \
         LEFT JOIN tb_blog_comments f ON f.id = c.parent_id \
         WHERE c.blog_id = tb_blog.id AND c.status <> {HIDDEN} \
         AND (c.parent_id = 0 OR f.status <> {HIDDEN}))"
    )
}

/// Recounts a note's comments. The caller holds the lock on the note's row.
async fn recount(transaction: &impl ConnectionTrait, note: i64) -> Result<(), DbErr> {
    let update = format!(
        "UPDATE tb_blog SET comments = comments_base + {} WHERE id = ?",
        count_of_shown()
    );
    sql::execute(transaction, update, [note.into()]).await?;
    Ok(())
}
