//! Every table of the site as of the first migration. Names are the original's, so that its database can be adopted.
//!
//! Frozen: later changes of the schema are migrations of their own.

use super::schema::Kind::{AutoId, Big, Date, Double, Instant, Int, LongText, Small, Text, Token};
use super::schema::{Check, Column, Key, Table, column};

pub(super) const TABLES: &[Table] = &[
    USER,
    USER_INFO,
    SHOP_TYPE,
    SHOP,
    VOUCHER,
    SECKILL_VOUCHER,
    VOUCHER_ORDER,
    BLOG,
    BLOG_LIKE,
    BLOG_COMMENTS,
    FOLLOW,
    SIGN,
    UPLOAD,
    OUTBOX,
    DEAD_ORDER,
    VISIT,
    AUDIT,
];

const CREATE_TIME: Column = column("create_time", Instant).or_now();
const UPDATE_TIME: Column = column("update_time", Instant).or_now();

const USER: Table = Table {
    name: "tb_user",
    columns: &[
        column("id", AutoId),
        column("phone", Token(11)).nullable(),
        column("email", Token(254)).nullable(),
        column("password", Text(128)).or("''"),
        column("nick_name", Text(32)).or("''"),
        column("icon", Text(255)).or("''"),
        column("role", Small).or("0"),
        column("status", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[
        unique("uk_user_phone", &["phone"]),
        unique("uk_user_email", &["email"]),
    ],
    check: None,
};

const USER_INFO: Table = Table {
    name: "tb_user_info",
    columns: &[
        column("user_id", Big),
        column("city", Text(64)).or("''"),
        column("introduce", Text(128)).nullable(),
        column("fans", Int).or("0"),
        column("followee", Int).or("0"),
        column("gender", Small).or("0"),
        column("birthday", Date).nullable(),
        column("credits", Int).or("0"),
        column("level", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["user_id"],
    keys: &[],
    check: None,
};

const SHOP_TYPE: Table = Table {
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

const SHOP: Table = Table {
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

const VOUCHER: Table = Table {
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

const SECKILL_VOUCHER: Table = Table {
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

const VOUCHER_ORDER: Table = Table {
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
        index("ix_voucher_order_user", &["user_id", "id"]),
        index("ix_voucher_order_deadline", &["status", "pay_deadline"]),
    ],
    check: None,
};

const BLOG: Table = Table {
    name: "tb_blog",
    columns: &[
        column("id", AutoId),
        column("shop_id", Big),
        column("user_id", Big),
        column("title", Text(255)),
        column("images", Text(2048)),
        column("content", Text(2048)),
        column("liked", Int).or("0"),
        column("comments", Int).or("0"),
        column("score", Small).nullable(),
        column("status", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[
        index("ix_blog_user", &["user_id", "id"]),
        index("ix_blog_shop", &["shop_id", "id"]),
        index("ix_blog_liked", &["liked", "id"]),
    ],
    check: None,
};

const BLOG_LIKE: Table = Table {
    name: "tb_blog_like",
    columns: &[column("blog_id", Big), column("user_id", Big), CREATE_TIME],
    primary: &["blog_id", "user_id"],
    keys: &[],
    check: None,
};

const BLOG_COMMENTS: Table = Table {
    name: "tb_blog_comments",
    columns: &[
        column("id", AutoId),
        column("user_id", Big),
        column("blog_id", Big),
        column("parent_id", Big).or("0"),
        column("answer_id", Big).or("0"),
        column("content", Text(255)),
        column("liked", Int).or("0"),
        column("status", Small).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["id"],
    keys: &[index(
        "ix_blog_comments_blog",
        &["blog_id", "parent_id", "id"],
    )],
    check: None,
};

const FOLLOW: Table = Table {
    name: "tb_follow",
    columns: &[
        column("id", AutoId),
        column("user_id", Big),
        column("follow_user_id", Big),
        CREATE_TIME,
    ],
    primary: &["id"],
    keys: &[
        unique("uk_follow", &["user_id", "follow_user_id"]),
        index("ix_follow_followed", &["follow_user_id", "user_id"]),
    ],
    check: None,
};

const SIGN: Table = Table {
    name: "tb_sign",
    columns: &[
        column("id", AutoId),
        column("user_id", Big),
        column("year", Small),
        column("month", Small),
        column("date", Date),
        column("is_backup", Small).or("0"),
        CREATE_TIME,
    ],
    primary: &["id"],
    keys: &[unique("uk_sign", &["user_id", "date"])],
    check: None,
};

const UPLOAD: Table = Table {
    name: "tb_upload",
    columns: &[
        column("name", Token(255)),
        column("user_id", Big),
        column("used_by", Token(64)).nullable(),
        CREATE_TIME,
    ],
    primary: &["name"],
    keys: &[],
    check: None,
};

const OUTBOX: Table = Table {
    name: "tb_outbox",
    columns: &[
        column("id", AutoId),
        column("kind", Token(32)),
        column("key", Token(128)),
        column("payload", LongText),
        column("attempts", Int).or("0"),
        column("not_before", Instant).or_now(),
        CREATE_TIME,
    ],
    primary: &["id"],
    keys: &[],
    check: None,
};

const DEAD_ORDER: Table = Table {
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

const VISIT: Table = Table {
    name: "tb_visit",
    columns: &[
        column("day", Date),
        column("page", Token(64)),
        column("uv", Big).or("0"),
        column("pv", Big).or("0"),
        CREATE_TIME,
        UPDATE_TIME,
    ],
    primary: &["day", "page"],
    keys: &[],
    check: None,
};

const AUDIT: Table = Table {
    name: "tb_audit",
    columns: &[
        column("id", AutoId),
        column("actor_id", Big).nullable(),
        column("action", Token(64)),
        column("subject", Token(255)),
        column("detail", LongText),
        CREATE_TIME,
    ],
    primary: &["id"],
    keys: &[],
    check: None,
};

const fn unique(name: &'static str, columns: &'static [&'static str]) -> Key {
    Key {
        name,
        columns,
        is_unique: true,
    }
}

const fn index(name: &'static str, columns: &'static [&'static str]) -> Key {
    Key {
        name,
        columns,
        is_unique: false,
    }
}
