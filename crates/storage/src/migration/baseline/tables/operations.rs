//! What the site keeps for itself: the outbox, visits, the audit log.

use super::super::schema::ColumnType::{AutoId, Big, Date, Instant, Int, LongText, Token};
use super::super::schema::{Table, column};
use super::{CREATE_TIME, UPDATE_TIME};

pub(super) const OUTBOX: Table = Table {
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

pub(super) const VISIT: Table = Table {
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

pub(super) const AUDIT: Table = Table {
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
