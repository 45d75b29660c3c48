//! The fourth migration: money and notices, for orders that are paid, refunded and used.

use super::addition::{AdditionPlan, NewIndex, NewTable};

pub(super) const ORDER_LIFE: AdditionPlan = AdditionPlan {
    name: "m0004_order_life",
    tables: &TABLES,
    indexes: &INDEXES,
};

const TABLES: [NewTable; 4] = [
    // What is asked of a provider, or of a balance. A provider's own number names one payment: a callback that comes
    // twice cannot pay twice.
    NewTable {
        name: "tb_payment",
        sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, order_id INTEGER, user_id INTEGER NOT NULL, \
            provider TEXT NOT NULL CHECK (length(provider) <= 16), pay_type INTEGER NOT NULL, \
            amount_cents INTEGER NOT NULL CHECK (amount_cents > 0), state INTEGER NOT NULL, \
            provider_ref TEXT CHECK (length(provider_ref) <= 64), \
            create_time TEXT NOT NULL, update_time TEXT NOT NULL, \
            CONSTRAINT uk_payment_ref UNIQUE (provider, provider_ref)",
        mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, order_id bigint NULL, \
            user_id bigint NOT NULL, provider varchar(16) COLLATE utf8mb4_bin NOT NULL, \
            pay_type smallint NOT NULL, amount_cents bigint NOT NULL CHECK (amount_cents > 0), \
            state smallint NOT NULL, provider_ref varchar(64) COLLATE utf8mb4_bin NULL, \
            create_time datetime(3) NOT NULL, update_time datetime(3) NOT NULL, \
            UNIQUE KEY uk_payment_ref (provider, provider_ref)",
    },
    // Double entry: the lines of one kind of one payment sum to zero, and each is there once.
    NewTable {
        name: "tb_ledger_entry",
        sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, payment_id INTEGER NOT NULL, \
            kind TEXT NOT NULL CHECK (length(kind) <= 16), \
            account TEXT NOT NULL CHECK (length(account) <= 32), \
            amount_cents INTEGER NOT NULL, order_id INTEGER, create_time TEXT NOT NULL, \
            CONSTRAINT uk_ledger_entry UNIQUE (payment_id, kind, account)",
        mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, payment_id bigint NOT NULL, \
            kind varchar(16) COLLATE utf8mb4_bin NOT NULL, \
            account varchar(32) COLLATE utf8mb4_bin NOT NULL, \
            amount_cents bigint NOT NULL, order_id bigint NULL, create_time datetime(3) NOT NULL, \
            UNIQUE KEY uk_ledger_entry (payment_id, kind, account)",
    },
    // What a person has on the site: the sum of the entries of that account, kept so that it cannot fall below nothing.
    NewTable {
        name: "tb_account",
        sqlite: "user_id INTEGER NOT NULL PRIMARY KEY, \
            balance_cents INTEGER NOT NULL CHECK (balance_cents >= 0), update_time TEXT NOT NULL",
        mysql: "user_id bigint NOT NULL PRIMARY KEY, \
            balance_cents bigint NOT NULL CHECK (balance_cents >= 0), \
            update_time datetime(3) NOT NULL",
    },
    // One notice per kind and subject.
    NewTable {
        name: "tb_notice",
        sqlite: "id INTEGER PRIMARY KEY AUTOINCREMENT, user_id INTEGER NOT NULL, \
            kind TEXT NOT NULL CHECK (length(kind) <= 32), \
            subject TEXT NOT NULL CHECK (length(subject) <= 64), payload TEXT NOT NULL, \
            read_at TEXT, create_time TEXT NOT NULL, \
            CONSTRAINT uk_notice_subject UNIQUE (subject, kind)",
        mysql: "id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, user_id bigint NOT NULL, \
            kind varchar(32) COLLATE utf8mb4_bin NOT NULL, \
            subject varchar(64) COLLATE utf8mb4_bin NOT NULL, payload mediumtext NOT NULL, \
            read_at datetime(3) NULL, create_time datetime(3) NOT NULL, \
            UNIQUE KEY uk_notice_subject (subject, kind)",
    },
];

const INDEXES: [NewIndex; 4] = [
    // Which payment paid an order.
    NewIndex {
        table: "tb_payment",
        name: "ix_payment_order",
        columns: "order_id, state",
    },
    // Payments that were begun and never heard of, oldest first.
    NewIndex {
        table: "tb_payment",
        name: "ix_payment_state",
        columns: "state, id",
    },
    // The statement of an account.
    NewIndex {
        table: "tb_ledger_entry",
        name: "ix_ledger_entry_account",
        columns: "account, id",
    },
    // My notices, newest first.
    NewIndex {
        table: "tb_notice",
        name: "ix_notice_user",
        columns: "user_id, id",
    },
];
