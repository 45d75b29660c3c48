//! What keeps the site small over the years: the archive of ended orders, running sums of the ledger, and the indexes that
//! find old rows.
//!
//! Archived rows have the columns of the tables they come from, without the keys that only live rows need.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const RETENTION: AdditionPlan = AdditionPlan {
    name: "m0011_retention",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 4] = [
    // `month` is that of the order, as 202611, in UTC.
    NewTable {
        name: "tb_voucher_order_archive",
        sqlite: "id INTEGER NOT NULL PRIMARY KEY, user_id INTEGER NOT NULL, \
            voucher_id INTEGER NOT NULL, shop_id INTEGER NOT NULL, pay_type INTEGER NOT NULL, \
            status INTEGER NOT NULL, slot INTEGER, \
            redeem_code TEXT CHECK (length(redeem_code) <= 32), pay_deadline TEXT NOT NULL, \
            pay_time TEXT, use_time TEXT, refund_time TEXT, create_time TEXT NOT NULL, \
            update_time TEXT NOT NULL, month INTEGER NOT NULL",
        mysql: "id bigint NOT NULL PRIMARY KEY, user_id bigint NOT NULL, \
            voucher_id bigint NOT NULL, shop_id bigint NOT NULL, pay_type smallint NOT NULL, \
            status smallint NOT NULL, slot smallint NULL, \
            redeem_code varchar(32) COLLATE utf8mb4_bin NULL, pay_deadline datetime(3) NOT NULL, \
            pay_time datetime(3) NULL, use_time datetime(3) NULL, refund_time datetime(3) NULL, \
            create_time datetime(3) NOT NULL, update_time datetime(3) NOT NULL, month int NOT NULL",
    },
    NewTable {
        name: "tb_payment_archive",
        sqlite: "id INTEGER NOT NULL PRIMARY KEY, order_id INTEGER, user_id INTEGER NOT NULL, \
            provider TEXT NOT NULL CHECK (length(provider) <= 16), pay_type INTEGER NOT NULL, \
            amount_cents INTEGER NOT NULL, state INTEGER NOT NULL, \
            provider_ref TEXT CHECK (length(provider_ref) <= 64), \
            create_time TEXT NOT NULL, update_time TEXT NOT NULL",
        mysql: "id bigint NOT NULL PRIMARY KEY, order_id bigint NULL, user_id bigint NOT NULL, \
            provider varchar(16) COLLATE utf8mb4_bin NOT NULL, pay_type smallint NOT NULL, \
            amount_cents bigint NOT NULL, state smallint NOT NULL, \
            provider_ref varchar(64) COLLATE utf8mb4_bin NULL, \
            create_time datetime(3) NOT NULL, update_time datetime(3) NOT NULL",
    },
    NewTable {
        name: "tb_ledger_entry_archive",
        sqlite: "id INTEGER NOT NULL PRIMARY KEY, payment_id INTEGER NOT NULL, \
            kind TEXT NOT NULL CHECK (length(kind) <= 16), \
            account TEXT NOT NULL CHECK (length(account) <= 32), \
            amount_cents INTEGER NOT NULL, order_id INTEGER, create_time TEXT NOT NULL",
        mysql: "id bigint NOT NULL PRIMARY KEY, payment_id bigint NOT NULL, \
            kind varchar(16) COLLATE utf8mb4_bin NOT NULL, \
            account varchar(32) COLLATE utf8mb4_bin NOT NULL, \
            amount_cents bigint NOT NULL, order_id bigint NULL, create_time datetime(3) NOT NULL",
    },
    // The sum of the entries of an account up to the mark `ledger:folded` of `tb_id_mark`.
    NewTable {
        name: "tb_ledger_sum",
        sqlite: "account TEXT NOT NULL PRIMARY KEY CHECK (length(account) <= 32), \
            amount_cents INTEGER NOT NULL",
        mysql: "account varchar(32) COLLATE utf8mb4_bin NOT NULL PRIMARY KEY, \
            amount_cents bigint NOT NULL",
    },
];

const INDEXES: [NewIndex; 11] = [
    // My archived orders, newest first.
    NewIndex {
        table: "tb_voucher_order_archive",
        name: "ix_order_archive_user",
        columns: "user_id, id",
    },
    // Who holds units of an old sale.
    NewIndex {
        table: "tb_voucher_order_archive",
        name: "ix_order_archive_voucher",
        columns: "voucher_id, id",
    },
    // A code that is shown again after a year is known to be used.
    NewIndex {
        table: "tb_voucher_order_archive",
        name: "ix_order_archive_code",
        columns: "redeem_code",
    },
    NewIndex {
        table: "tb_voucher_order_archive",
        name: "ix_order_archive_month",
        columns: "month, id",
    },
    NewIndex {
        table: "tb_payment_archive",
        name: "ix_payment_archive_order",
        columns: "order_id",
    },
    // A provider's number stays known: money that comes again under it is found.
    NewIndex {
        table: "tb_payment_archive",
        name: "ix_payment_archive_ref",
        columns: "provider, provider_ref",
    },
    NewIndex {
        table: "tb_ledger_entry_archive",
        name: "ix_ledger_entry_archive_payment",
        columns: "payment_id",
    },
    // The oldest rows, for those who clear them away.
    NewIndex {
        table: "tb_notice",
        name: "ix_notice_time",
        columns: "create_time",
    },
    NewIndex {
        table: "tb_audit",
        name: "ix_audit_time",
        columns: "create_time",
    },
    NewIndex {
        table: "tb_sign",
        name: "ix_sign_date",
        columns: "date",
    },
    NewIndex {
        table: "tb_dead_order",
        name: "ix_dead_order_state",
        columns: "state, update_time",
    },
];
