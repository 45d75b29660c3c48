//! The fifth migration: what notes, comments, follows and feeds need besides the tables of the original.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const SOCIAL: AdditionPlan = AdditionPlan {
    name: "m0005_social",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 2] = [
    // The truth behind `liked` of a comment.
    NewTable {
        name: "tb_blog_comment_like",
        sqlite: "comment_id INTEGER NOT NULL, user_id INTEGER NOT NULL, \
            create_time TEXT NOT NULL, PRIMARY KEY (comment_id, user_id)",
        mysql: "comment_id bigint NOT NULL, user_id bigint NOT NULL, \
            create_time datetime(3) NOT NULL, PRIMARY KEY (comment_id, user_id)",
    },
    // Who finds a comment wrong, and why: a person counts once.
    NewTable {
        name: "tb_blog_comment_report",
        sqlite: "comment_id INTEGER NOT NULL, user_id INTEGER NOT NULL, \
            reason TEXT NOT NULL CHECK (length(reason) <= 255), \
            create_time TEXT NOT NULL, PRIMARY KEY (comment_id, user_id)",
        mysql: "comment_id bigint NOT NULL, user_id bigint NOT NULL, \
            reason varchar(255) NOT NULL, \
            create_time datetime(3) NOT NULL, PRIMARY KEY (comment_id, user_id)",
    },
];

const INDEXES: [NewIndex; 5] = [
    // Feeds go by the moment of publishing.
    NewIndex {
        table: "tb_blog",
        name: "ix_blog_user_time",
        columns: "user_id, create_time, id",
    },
    // The mean of a shop's stars is read from here alone.
    NewIndex {
        table: "tb_blog",
        name: "ix_blog_shop_score",
        columns: "shop_id, status, score",
    },
    // The first likers of a note.
    NewIndex {
        table: "tb_blog_like",
        name: "ix_blog_like_time",
        columns: "blog_id, create_time, user_id",
    },
    // The queue of moderators: few comments are reported.
    NewIndex {
        table: "tb_blog_comments",
        name: "ix_blog_comments_status",
        columns: "status, id",
    },
    // Pictures that nothing uses.
    NewIndex {
        table: "tb_upload",
        name: "ix_upload_used",
        columns: "used_by, create_time",
    },
];
