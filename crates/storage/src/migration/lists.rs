//! Adds indexes in the order of lists, so that a page costs no more than its rows.
//!
//! It shares the number 6 with `running_sales`, and the names are stored in databases: one that knows only one of the two
//! gets the other.

use super::addition::{AdditionPlan, NewIndex};

pub(super) const LISTS: AdditionPlan = AdditionPlan {
    name: "m0006_lists",
    tables: &[],
    indexes: &INDEXES,
};

const INDEXES: [NewIndex; 1] = [
    // The newest fans of a user who has a million.
    NewIndex {
        table: "tb_follow",
        name: "ix_follow_newest",
        columns: "follow_user_id, id",
    },
];
