//! Orders and money: the books. They refer to an account by its number, which names nobody once the account is erased.

use super::Erasure::Kept;
use super::Export::{Instant, Number, Omitted, Text};
use super::KeptReason::Books;
use super::Omission::Repeated;
use super::Purpose::{Money, Orders};
use super::{ColumnData, Owner, Retention, TableData, books, column};

const ORDER: [ColumnData; 14] = [
    column("id", Orders, Number, Kept(Books)),
    column("user_id", Orders, Omitted(Repeated), Kept(Books)),
    column("voucher_id", Orders, Number, Kept(Books)),
    column("shop_id", Orders, Number, Kept(Books)),
    column("pay_type", Orders, Number, Kept(Books)),
    column("status", Orders, Number, Kept(Books)),
    books("slot", Orders),
    column("redeem_code", Orders, Text, Kept(Books)),
    column("pay_deadline", Orders, Instant, Kept(Books)),
    column("pay_time", Orders, Instant, Kept(Books)),
    column("use_time", Orders, Instant, Kept(Books)),
    column("refund_time", Orders, Instant, Kept(Books)),
    column("create_time", Orders, Instant, Kept(Books)),
    column("update_time", Orders, Instant, Kept(Books)),
];

/// [`ORDER`] and one column more.
const fn order_and(last: ColumnData) -> [ColumnData; 15] {
    let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = ORDER;
    [a, b, c, d, e, f, g, h, i, j, k, l, m, n, last]
}

pub(super) const VOUCHER_ORDER: TableData = TableData {
    table: "tb_voucher_order",
    owner: Owner::Buyer {
        column: "user_id",
        key: "id",
    },
    retention: Retention::Books,
    columns: &order_and(books("claim_key", Orders)),
};

pub(super) const VOUCHER_ORDER_ARCHIVE: TableData = TableData {
    table: "tb_voucher_order_archive",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Books,
    columns: &order_and(books("month", Orders)),
};

/// Granted in a flash sale and not recordable.
pub(super) const DEAD_ORDER: TableData = TableData {
    table: "tb_dead_order",
    owner: Owner::user("user_id", "order_id"),
    retention: Retention::Days("dead_orders_days"),
    columns: &[
        column("order_id", Orders, Number, Kept(Books)),
        column("voucher_id", Orders, Number, Kept(Books)),
        column("user_id", Orders, Omitted(Repeated), Kept(Books)),
        column("reason", Orders, Text, Kept(Books)),
        books("payload", Orders),
        column("state", Orders, Number, Kept(Books)),
        column("create_time", Orders, Instant, Kept(Books)),
        column("update_time", Orders, Instant, Kept(Books)),
    ],
};

const PAYMENT_COLUMNS: [ColumnData; 10] = [
    column("id", Money, Number, Kept(Books)),
    column("order_id", Money, Number, Kept(Books)),
    column("user_id", Money, Omitted(Repeated), Kept(Books)),
    column("provider", Money, Text, Kept(Books)),
    column("pay_type", Money, Number, Kept(Books)),
    column("amount_cents", Money, Number, Kept(Books)),
    column("state", Money, Number, Kept(Books)),
    column("provider_ref", Money, Text, Kept(Books)),
    column("create_time", Money, Instant, Kept(Books)),
    column("update_time", Money, Instant, Kept(Books)),
];

pub(super) const PAYMENT: TableData = TableData {
    table: "tb_payment",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Books,
    columns: &PAYMENT_COLUMNS,
};

pub(super) const PAYMENT_ARCHIVE: TableData = TableData {
    table: "tb_payment_archive",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Books,
    columns: &PAYMENT_COLUMNS,
};

const ENTRY_COLUMNS: [ColumnData; 7] = [
    column("id", Money, Number, Kept(Books)),
    column("payment_id", Money, Number, Kept(Books)),
    column("kind", Money, Text, Kept(Books)),
    column("account", Money, Omitted(Repeated), Kept(Books)),
    column("amount_cents", Money, Number, Kept(Books)),
    column("order_id", Money, Number, Kept(Books)),
    column("create_time", Money, Instant, Kept(Books)),
];

pub(super) const LEDGER_ENTRY: TableData = TableData {
    table: "tb_ledger_entry",
    owner: Owner::Ledger {
        column: "account",
        key: "id",
    },
    retention: Retention::Books,
    columns: &ENTRY_COLUMNS,
};

pub(super) const LEDGER_ENTRY_ARCHIVE: TableData = TableData {
    table: "tb_ledger_entry_archive",
    owner: Owner::Ledger {
        column: "account",
        key: "id",
    },
    retention: Retention::Books,
    columns: &ENTRY_COLUMNS,
};

/// Sums of the entries that are exported one by one.
pub(super) const LEDGER_SUM: TableData = TableData {
    table: "tb_ledger_sum",
    owner: Owner::Ledger {
        column: "account",
        key: "account",
    },
    retention: Retention::Books,
    columns: &[
        column("account", Money, Omitted(Repeated), Kept(Books)),
        column("amount_cents", Money, Omitted(Repeated), Kept(Books)),
    ],
};

pub(super) const ACCOUNT: TableData = TableData {
    table: "tb_account",
    owner: Owner::user("user_id", "user_id"),
    retention: Retention::Books,
    columns: &[
        column("user_id", Money, Omitted(Repeated), Kept(Books)),
        column("balance_cents", Money, Number, Kept(Books)),
        column("update_time", Money, Instant, Kept(Books)),
    ],
};

/// Names a payment, whose row says whose it is.
pub(super) const OUTSIDE_REFUND: TableData = TableData {
    table: "tb_outside_refund",
    owner: Owner::Nobody,
    retention: Retention::Books,
    columns: &[
        books("payment_id", Money),
        books("order_id", Money),
        books("refunded_cents", Money),
        books("state", Money),
        books("create_time", Money),
        books("update_time", Money),
    ],
};
