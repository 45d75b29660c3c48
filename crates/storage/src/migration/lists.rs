//! Indexes in the order of lists, so that a page costs no more than its lines.
//!
//! It has the number of the one before it, because for some hours it was in its place: databases that know only one of
//! the two get the other.

use super::addition::{NewIndex, Plan};

pub(super) const LISTS: Plan = Plan {
    name: "m0006_lists",
    tables: &[],
    indexes: &INDEXES,
};

const INDEXES: [NewIndex; 1] = [
    // The newest fans of somebody who has a million.
    NewIndex {
        table: "tb_follow",
        name: "ix_follow_newest",
        columns: "follow_user_id, id",
    },
];
