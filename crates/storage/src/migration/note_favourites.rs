//! Favourite notes.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const NOTE_FAVOURITES: AdditionPlan = AdditionPlan {
    name: "m0030_note_favourites",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 1] = [NewTable {
    name: "tb_blog_favourite",
    sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, \
        blog_id INTEGER NOT NULL, create_time TEXT NOT NULL, UNIQUE (user_id, blog_id)",
    mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint NOT NULL, \
        blog_id bigint NOT NULL, create_time datetime(3) NOT NULL, \
        UNIQUE KEY uk_blog_favourite (user_id, blog_id)",
}];

const INDEXES: [NewIndex; 1] = [
    // Of one person, newest first.
    NewIndex {
        table: "tb_blog_favourite",
        name: "ix_blog_favourite_user",
        columns: "user_id, id",
    },
];
