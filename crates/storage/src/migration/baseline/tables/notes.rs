//! Notes with their likes, comments and pictures.

use super::super::schema::ColumnType::{AutoId, Big, Int, Small, Text, Token};
use super::super::schema::{Table, column};
use super::{CREATE_TIME, UPDATE_TIME, index};

pub(super) const BLOG: Table = Table {
    name: "tb_blog",
    columns: &[
        column("id", AutoId),
        column("shop_id", Big),
        column("user_id", Big),
        column("title", Text(255)),
        column("images", Text(2048)),
        column("content", Text(2048)),
        column("liked", Int).or("0"),
        column("comments", Int).or("0"),
        column("score", Small).nullable(),
        column("status", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[
        index("ix_blog_user", &["user_id", "id"]),
        index("ix_blog_shop", &["shop_id", "id"]),
        index("ix_blog_liked", &["liked", "id"]),
    ],
    check: None,
};

pub(super) const BLOG_LIKE: Table = Table {
    name: "tb_blog_like",
    columns: &[column("blog_id", Big), column("user_id", Big), CREATE_TIME],
    primary: &["blog_id", "user_id"],
    keys: &[],
    check: None,
};

pub(super) const BLOG_COMMENTS: Table = Table {
    name: "tb_blog_comments",
    columns: &[
        column("id", AutoId),
        column("user_id", Big),
        column("blog_id", Big),
        column("parent_id", Big).or("0"),
        column("answer_id", Big).or("0"),
        column("content", Text(255)),
        column("liked", Int).or("0"),
        column("status", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[index(
        "ix_blog_comments_blog",
        &["blog_id", "parent_id", "id"],
    )],
    check: None,
};

pub(super) const UPLOAD: Table = Table {
    name: "tb_upload",
    columns: &[
        column("name", Token(255)),
        column("user_id", Big),
        column("used_by", Token(64)).nullable(),
        CREATE_TIME,
    ],
    primary: &["name"],
    keys: &[],
    check: None,
};
