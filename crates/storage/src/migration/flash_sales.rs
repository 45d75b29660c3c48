//! The third migration: what selling by flash needs besides the tables of the original.
//!
//! Repairs are recorded in `tb_audit`, orders that cannot be recorded in `tb_dead_order`; both were there.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const FLASH_SALES: AdditionPlan = AdditionPlan {
    name: "m0003_flash_sales",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 2] = [
    // One row per partition, so their number is the number that the site began with. The fencing token is that of the
    // drain worker of the partition.
    NewTable {
        name: "tb_flash_partition",
        sqlite: "partition_id INTEGER NOT NULL PRIMARY KEY, fence INTEGER NOT NULL DEFAULT 0",
        mysql: "partition_id int NOT NULL PRIMARY KEY, fence bigint NOT NULL DEFAULT 0",
    },
    // The highest value that may have been given out, for counters that live elsewhere and may be lost there.
    NewTable {
        name: "tb_id_mark",
        sqlite: "name TEXT NOT NULL PRIMARY KEY CHECK (length(name) <= 64), mark INTEGER NOT NULL",
        mysql: "name varchar(64) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY, mark bigint NOT NULL",
    },
];

const INDEXES: [NewIndex; 2] = [
    // Loading a gate pages through the orders of a voucher by id. Ids rise, so entries are added at the end of each
    // voucher's part and the index costs an insert little.
    NewIndex {
        table: "tb_voucher_order",
        name: "ix_voucher_order_voucher",
        columns: "voucher_id, id",
    },
    // Reconciling asks for the few sales that are not over, among all there ever were.
    NewIndex {
        table: "tb_seckill_voucher",
        name: "ix_seckill_voucher_end",
        columns: "end_time",
    },
];
