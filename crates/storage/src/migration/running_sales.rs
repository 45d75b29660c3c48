//! The sixth migration: what listing the sales that are about to begin needs.

use super::addition::{AdditionPlan, NewIndex};

pub(super) const RUNNING_SALES: AdditionPlan = AdditionPlan {
    name: "m0006_running_sales",
    tables: &[],
    indexes: &INDEXES,
};

const INDEXES: [NewIndex; 1] = [
    // The next few to begin, among all there ever were. Those that are open are found by their end.
    NewIndex {
        table: "tb_seckill_voucher",
        name: "ix_seckill_voucher_begin",
        columns: "begin_time",
    },
];
