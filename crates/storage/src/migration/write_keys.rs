//! What writers called the requests that made their notes and comments.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const WRITE_KEYS: AdditionPlan = AdditionPlan {
    name: "m0021_write_keys",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 1] = [
    // One row per note or comment that was sent with a key; it goes with what it made.
    NewTable {
        name: "tb_write_key",
        sqlite: "user_id INTEGER NOT NULL, name TEXT NOT NULL CHECK (length(name) <= 64), \
            fingerprint TEXT NOT NULL CHECK (length(fingerprint) <= 64), \
            subject TEXT NOT NULL CHECK (length(subject) <= 32), \
            create_time TEXT NOT NULL, PRIMARY KEY (user_id, name)",
        mysql: "user_id bigint NOT NULL, name varchar(64) COLLATE utf8mb4_bin NOT NULL, \
            fingerprint varchar(64) COLLATE utf8mb4_bin NOT NULL, \
            subject varchar(32) COLLATE utf8mb4_bin NOT NULL, \
            create_time datetime(3) NOT NULL, PRIMARY KEY (user_id, name)",
    },
];

const INDEXES: [NewIndex; 1] = [
    // Rows of what is deleted.
    NewIndex {
        table: "tb_write_key",
        name: "ix_write_key_subject",
        columns: "subject",
    },
];
