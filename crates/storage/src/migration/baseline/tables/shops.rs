//! Shops, their vouchers and the orders for them.

use super::super::schema::ColumnType::{
    AutoId, Big, Double, Instant, Int, LongText, Small, Text, Token,
};
use super::super::schema::{Check, Table, column};
use super::{CREATE_TIME, UPDATE_TIME, index, unique};

pub(super) const SHOP_TYPE: Table = Table {
    name: "tb_shop_type",
    columns: &[
        column("id", AutoId),
        column("name", Text(32)).or("''"),
        column("icon", Text(255)).or("''"),
        column("sort", Int).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[],
    check: None,
};

pub(super) const SHOP: Table = Table {
    name: "tb_shop",
    columns: &[
        column("id", AutoId),
        column("name", Text(128)),
        column("type_id", Big),
        column("images", Text(1024)),
        column("area", Text(128)).nullable(),
        column("address", Text(255)),
        column("x", Double),
        column("y", Double),
        column("avg_price", Big).nullable(),
        column("sold", Int).or("0"),
        column("comments", Int).or("0"),
        column("score", Int).or("0"),
        column("open_hours", Text(32)).nullable(),
        column("owner_id", Big).nullable(),
        column("version", Big).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[index("ix_shop_type", &["type_id"])],
    check: None,
};

pub(super) const VOUCHER: Table = Table {
    name: "tb_voucher",
    columns: &[
        column("id", AutoId),
        // 0 is no shop: the original allowed a voucher without one.
        column("shop_id", Big).or("0"),
        column("title", Text(255)),
        column("sub_title", Text(255)).nullable(),
        column("rules", Text(1024)).nullable(),
        column("pay_value", Big),
        column("actual_value", Big),
        column("type", Small).or("0"),
        column("status", Small).or("1"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[index("ix_voucher_shop", &["shop_id"])],
    check: None,
};

pub(super) const SECKILL_VOUCHER: Table = Table {
    name: "tb_seckill_voucher",
    columns: &[
        column("voucher_id", Big),
        column("stock", Int),
        column("initial_stock", Int),
        column("begin_time", Instant),
        column("end_time", Instant),
        column("limit_per_user", Int).or("1"),
        column("spread", Int).or("1"),
        column("epoch", Big).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["voucher_id"],
    keys: &[],
    check: Some(Check {
        name: "ck_seckill_voucher_stock",
        condition: "stock >= 0",
    }),
};

pub(super) const VOUCHER_ORDER: Table = Table {
    name: "tb_voucher_order",
    columns: &[
        column("id", Big),
        column("user_id", Big),
        column("voucher_id", Big),
        column("shop_id", Big),
        column("pay_type", Small).or("1"),
        column("status", Small).or("1"),
        column("slot", Small).nullable(),
        column("redeem_code", Token(32)).nullable(),
        column("pay_deadline", Instant),
        column("pay_time", Instant).nullable(),
        column("use_time", Instant).nullable(),
        column("refund_time", Instant).nullable(),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[
        unique("uk_voucher_order_slot", &["voucher_id", "user_id", "slot"]),
        unique("uk_voucher_order_redeem_code", &["redeem_code"]),
        index("ix_voucher_order_deadline", &["status", "pay_deadline"]),
    ],
    check: None,
};

pub(super) const DEAD_ORDER: Table = Table {
    name: "tb_dead_order",
    columns: &[
        column("order_id", Big),
        column("voucher_id", Big),
        column("user_id", Big),
        column("reason", Text(255)),
        column("payload", LongText),
        column("state", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["order_id"],
    keys: &[],
    check: None,
};
