//! Notes, comments, likes, pictures.

use super::Erasure::{Anonymised, Deleted};
use super::Export::{Instant, Number, Omitted, Text};
use super::Omission::Repeated;
use super::Purpose::{Content, Likes, Moderation};
use super::{Owner, Retention, TableData, column, goes};

pub(super) const BLOG: TableData = TableData {
    table: "tb_blog",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", Content, Number, Deleted),
        column("shop_id", Content, Number, Deleted),
        column("user_id", Content, Omitted(Repeated), Deleted),
        column("title", Content, Text, Deleted),
        column("images", Content, Text, Deleted),
        column("content", Content, Text, Deleted),
        column("liked", Likes, Number, Deleted),
        column("comments", Content, Number, Deleted),
        column("score", Content, Number, Deleted),
        column("status", Moderation, Number, Deleted),
        column("create_time", Content, Instant, Deleted),
        column("update_time", Content, Instant, Deleted),
        column("edits", Content, Number, Deleted),
        column("edited_at", Content, Instant, Deleted),
        column("rating_main", Content, Number, Deleted),
        column("rating_surroundings", Content, Number, Deleted),
        column("rating_service", Content, Number, Deleted),
        column("dishes", Content, Text, Deleted),
        goes("liked_base", Likes),
        goes("comments_base", Content),
        goes("revision", Content),
    ],
};

/// What is written so far, with the names of people who are mentioned in it.
pub(super) const BLOG_DRAFT: TableData = TableData {
    table: "tb_blog_draft",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        goes("id", Content),
        column("user_id", Content, Omitted(Repeated), Deleted),
        goes("name", Content),
        goes("revision", Content),
        column("body", Content, Text, Deleted),
        column("update_time", Content, Instant, Deleted),
    ],
};

pub(super) const BLOG_LIKE: TableData = TableData {
    table: "tb_blog_like",
    owner: Owner::user("user_id", "blog_id"),
    retention: Retention::Account,
    columns: &[
        column("blog_id", Likes, Number, Deleted),
        column("user_id", Likes, Omitted(Repeated), Deleted),
        column("create_time", Likes, Instant, Deleted),
    ],
};

/// With the first comment of a thread go the replies to it, as when its author deletes it.
pub(super) const BLOG_COMMENTS: TableData = TableData {
    table: "tb_blog_comments",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", Content, Number, Deleted),
        column("user_id", Content, Omitted(Repeated), Deleted),
        column("blog_id", Content, Number, Deleted),
        column("parent_id", Content, Number, Deleted),
        column("answer_id", Content, Number, Deleted),
        column("content", Content, Text, Deleted),
        column("liked", Likes, Number, Deleted),
        column("status", Moderation, Number, Deleted),
        column("create_time", Content, Instant, Deleted),
        column("update_time", Content, Instant, Deleted),
        goes("liked_base", Likes),
    ],
};

pub(super) const BLOG_COMMENT_LIKE: TableData = TableData {
    table: "tb_blog_comment_like",
    owner: Owner::user("user_id", "comment_id"),
    retention: Retention::Account,
    columns: &[
        column("comment_id", Likes, Number, Deleted),
        column("user_id", Likes, Omitted(Repeated), Deleted),
        column("create_time", Likes, Instant, Deleted),
    ],
};

pub(super) const BLOG_COMMENT_REPORT: TableData = TableData {
    table: "tb_blog_comment_report",
    owner: Owner::user("user_id", "comment_id"),
    retention: Retention::Account,
    columns: &[
        column("comment_id", Moderation, Number, Deleted),
        column("user_id", Moderation, Omitted(Repeated), Deleted),
        column("reason", Moderation, Text, Deleted),
        column("create_time", Moderation, Instant, Deleted),
    ],
};

pub(super) const BLOG_REPORT: TableData = TableData {
    table: "tb_blog_report",
    owner: Owner::user("user_id", "blog_id"),
    retention: Retention::Account,
    columns: &[
        column("blog_id", Moderation, Number, Deleted),
        column("user_id", Moderation, Omitted(Repeated), Deleted),
        column("reason", Moderation, Text, Deleted),
        column("create_time", Moderation, Instant, Deleted),
    ],
};

/// Who is mentioned in notes. A row is of whom it names: it goes with that account, and with the note.
pub(super) const BLOG_MENTION: TableData = TableData {
    table: "tb_blog_mention",
    owner: Owner::user("user_id", "blog_id"),
    retention: Retention::Account,
    columns: &[
        column("blog_id", Content, Number, Deleted),
        column("user_id", Content, Omitted(Repeated), Deleted),
        column("name", Content, Text, Deleted),
        goes("place", Content),
    ],
};

/// As [`BLOG_MENTION`], in comments.
pub(super) const BLOG_COMMENT_MENTION: TableData = TableData {
    table: "tb_blog_comment_mention",
    owner: Owner::user("user_id", "comment_id"),
    retention: Retention::Account,
    columns: &[
        column("comment_id", Content, Number, Deleted),
        column("user_id", Content, Omitted(Repeated), Deleted),
        column("blog_id", Content, Number, Deleted),
        column("name", Content, Text, Deleted),
        goes("place", Content),
    ],
};

/// What notes recommend, once more for the pages of shops: the export has it with the notes.
pub(super) const BLOG_DISH: TableData = TableData {
    table: "tb_blog_dish",
    owner: Owner::user("user_id", "blog_id"),
    retention: Retention::Account,
    columns: &[
        goes("shop_id", Content),
        goes("dish", Content),
        goes("blog_id", Content),
        goes("user_id", Content),
        goes("name", Content),
    ],
};

/// The names of requests to write, so that one that is sent again writes nothing.
pub(super) const WRITE_KEY: TableData = TableData {
    table: "tb_write_key",
    owner: Owner::user("user_id", "name"),
    retention: Retention::Account,
    columns: &[
        goes("user_id", Content),
        goes("name", Content),
        goes("fingerprint", Content),
        goes("subject", Content),
        goes("create_time", Content),
    ],
};

/// A picture that a shop shows belongs to the shop's page and names nobody then; all others go with their files.
pub(super) const UPLOAD: TableData = TableData {
    table: "tb_upload",
    owner: Owner::user("user_id", "name"),
    retention: Retention::Account,
    columns: &[
        column("name", Content, Text, Deleted),
        column("user_id", Content, Omitted(Repeated), Anonymised),
        column("used_by", Content, Text, Deleted),
        column("create_time", Content, Instant, Deleted),
    ],
};
