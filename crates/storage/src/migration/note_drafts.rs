//! Drafts of notes.

use super::addition::{AdditionPlan, NewTable};

pub(super) const NOTE_DRAFTS: AdditionPlan = AdditionPlan {
    name: "m0033_note_drafts",
    tables: &TABLES,
    indexes: &[],
};

const TABLES: [NewTable; 1] = [NewTable {
    name: "tb_blog_draft",
    sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, \
        name TEXT NOT NULL CHECK (length(name) <= 64), revision INTEGER NOT NULL, \
        body TEXT NOT NULL, update_time TEXT NOT NULL, UNIQUE (user_id, name)",
    mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint NOT NULL, \
        name varchar(64) COLLATE utf8mb4_bin NOT NULL, revision bigint NOT NULL, \
        body mediumtext NOT NULL, update_time datetime(3) NOT NULL, \
        UNIQUE KEY uk_blog_draft (user_id, name)",
}];
