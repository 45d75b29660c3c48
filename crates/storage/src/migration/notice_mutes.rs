//! Which notices about other people a person does not want.

use super::addition::{AdditionPlan, NewTable};

pub(super) const NOTICE_MUTES: AdditionPlan = AdditionPlan {
    name: "m0023_notice_mutes",
    tables: &TABLES,
    indexes: &[],
};

const TABLES: [NewTable; 1] = [
    // A row says off; what is not here is on.
    NewTable {
        name: "tb_notice_mute",
        sqlite: "user_id INTEGER NOT NULL, kind TEXT NOT NULL CHECK (length(kind) <= 32), \
            PRIMARY KEY (user_id, kind)",
        mysql: "user_id bigint NOT NULL, kind varchar(32) COLLATE utf8mb4_bin NOT NULL, \
            PRIMARY KEY (user_id, kind)",
    },
];
