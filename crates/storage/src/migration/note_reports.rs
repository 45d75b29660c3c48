//! Who finds a note wrong, and why.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const NOTE_REPORTS: AdditionPlan = AdditionPlan {
    name: "m0024_note_reports",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 1] = [
    // A person counts once.
    NewTable {
        name: "tb_blog_report",
        sqlite: "blog_id INTEGER NOT NULL, user_id INTEGER NOT NULL, \
            reason TEXT NOT NULL CHECK (length(reason) <= 255), \
            create_time TEXT NOT NULL, PRIMARY KEY (blog_id, user_id)",
        mysql: "blog_id bigint NOT NULL, user_id bigint NOT NULL, \
            reason varchar(255) NOT NULL, \
            create_time datetime(3) NOT NULL, PRIMARY KEY (blog_id, user_id)",
    },
];

const INDEXES: [NewIndex; 2] = [
    // What an erased account reported.
    NewIndex {
        table: "tb_blog_report",
        name: "ix_blog_report_user",
        columns: "user_id, blog_id",
    },
    // The queue of moderators: few notes are reported.
    NewIndex {
        table: "tb_blog",
        name: "ix_blog_status",
        columns: "status, id",
    },
];
