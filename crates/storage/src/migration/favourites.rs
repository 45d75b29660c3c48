//! Favourite shops and the lists that people keep them in.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const FAVOURITES: AdditionPlan = AdditionPlan {
    name: "m0020_favourites",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 2] = [
    // A shop is in one list of a person: moving it is a change of its row. List 0 is the one that everybody has.
    NewTable {
        name: "tb_favourite",
        sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, \
            shop_id INTEGER NOT NULL, list_id INTEGER NOT NULL, create_time TEXT NOT NULL, \
            UNIQUE (user_id, shop_id)",
        mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint NOT NULL, \
            shop_id bigint NOT NULL, list_id bigint NOT NULL, create_time datetime(3) NOT NULL, \
            UNIQUE KEY uk_favourite (user_id, shop_id)",
    },
    // Compared byte by byte on both engines, so that a name is taken on both or on neither.
    NewTable {
        name: "tb_favourite_list",
        sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, \
            name TEXT NOT NULL CHECK (length(name) <= 20), create_time TEXT NOT NULL, \
            UNIQUE (user_id, name)",
        mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint NOT NULL, \
            name varchar(20) COLLATE utf8mb4_bin NOT NULL, create_time datetime(3) NOT NULL, \
            UNIQUE KEY uk_favourite_list (user_id, name)",
    },
];

const INDEXES: [NewIndex; 1] = [
    // A list, newest first.
    NewIndex {
        table: "tb_favourite",
        name: "ix_favourite_list",
        columns: "user_id, list_id, id",
    },
];
