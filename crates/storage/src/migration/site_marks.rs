//! What a site remembers of itself between two starts.

use super::addition::{AdditionPlan, NewTable};

pub(super) const SITE_MARKS: AdditionPlan = AdditionPlan {
    name: "m0013_site_marks",
    tables: &TABLES,
    indexes: &[],
};

const TABLES: [NewTable; 1] = [
    // One row per thing to remember; each is replaced as a whole, by a conditional update.
    NewTable {
        name: "tb_site_mark",
        sqlite: "name TEXT NOT NULL PRIMARY KEY CHECK (length(name) <= 64), \
            value TEXT NOT NULL CHECK (length(value) <= 255)",
        mysql: "name varchar(64) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY, \
            value varchar(255) COLLATE utf8mb4_bin NOT NULL",
    },
];
