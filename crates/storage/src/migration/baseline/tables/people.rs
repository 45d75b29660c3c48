//! People: accounts, what they say about themselves, whom they follow, when they checked in.

use super::super::schema::ColumnType::{AutoId, Big, Date, Int, Small, Text, Token};
use super::super::schema::{Table, column};
use super::{CREATE_TIME, UPDATE_TIME, index, unique};

pub(super) const USER: Table = Table {
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

pub(super) const USER_INFO: Table = Table {
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

pub(super) const FOLLOW: Table = Table {
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

pub(super) const SIGN: Table = Table {
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
