//! The sixth migration: indexes in the order of lists, so that a page costs no more than its lines.

use super::addition::{NewIndex, Plan};

pub(super) const LISTS: Plan = Plan {
    name: "m0006_lists",
    tables: &[],
    indexes: &INDEXES,
};

const INDEXES: [NewIndex; 2] = [
    // The next few to begin, among all there ever were. Those that are open are found by their end.
    NewIndex {
        table: "tb_seckill_voucher",
        name: "ix_seckill_voucher_begin",
        columns: "begin_time",
    },
    // The newest fans of somebody who has a million.
    NewIndex {
        table: "tb_follow",
        name: "ix_follow_newest",
        columns: "follow_user_id, id",
    },
];
