//! Who blocks whom.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const BLOCKS: AdditionPlan = AdditionPlan {
    name: "m0031_blocks",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 1] = [NewTable {
    name: "tb_block",
    sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, \
        blocked_user_id INTEGER NOT NULL, create_time TEXT NOT NULL, \
        UNIQUE (user_id, blocked_user_id)",
    mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint NOT NULL, \
        blocked_user_id bigint NOT NULL, create_time datetime(3) NOT NULL, \
        UNIQUE KEY uk_block (user_id, blocked_user_id)",
}];

const INDEXES: [NewIndex; 2] = [
    // Of one person, newest first.
    NewIndex {
        table: "tb_block",
        name: "ix_block_user",
        columns: "user_id, id",
    },
    // Who blocks one person.
    NewIndex {
        table: "tb_block",
        name: "ix_block_blocked",
        columns: "blocked_user_id, user_id",
    },
];
