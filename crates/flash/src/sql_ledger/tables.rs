//! The tables. All numbers are of 64 bits, so that every column is one type in every client library.

/// In any order: none refers to another.
pub(super) const ALL: [&str; 6] = [
    "CREATE TABLE IF NOT EXISTS flash_sale (id BIGINT PRIMARY KEY, initial BIGINT NOT NULL,
        stock BIGINT NOT NULL CHECK (stock >= 0), begin_ms BIGINT NOT NULL, end_ms BIGINT NOT NULL,
        limit_per_buyer BIGINT NOT NULL, spread BIGINT NOT NULL, on_shelf BIGINT NOT NULL, epoch BIGINT NOT NULL)",
    // An order that ended has no slot, and rows without one are not compared by the unique key.
    "CREATE TABLE IF NOT EXISTS flash_order (id BIGINT PRIMARY KEY, sale BIGINT NOT NULL, buyer BIGINT NOT NULL,
        slot BIGINT, granted_at_ms BIGINT NOT NULL, request_key BIGINT, UNIQUE (sale, buyer, slot))",
    "CREATE TABLE IF NOT EXISTS flash_dead_letter (id BIGINT PRIMARY KEY, sale BIGINT NOT NULL, buyer BIGINT NOT NULL,
        reason TEXT NOT NULL, holds_unit BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS flash_drain_lease (part BIGINT PRIMARY KEY, fence BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS flash_mark (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS flash_repair (sale BIGINT NOT NULL, what TEXT NOT NULL, detail TEXT NOT NULL)",
];
