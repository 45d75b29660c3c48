//! What the site keeps for itself, and what shops publish.

use super::Erasure::Kept;
use super::Export::{Instant, Number, Omitted, Text};
use super::KeptReason;
use super::Omission::{OfOthers, Repeated};
use super::Purpose::{Operation, Security};
use super::{ColumnData, Erasure, Owner, Retention, TableData, column, of_site};

const fn site(table: &'static str, columns: &'static [ColumnData]) -> TableData {
    TableData {
        table,
        owner: Owner::Nobody,
        retention: Retention::Site,
        columns,
    }
}

/// Details may name other people, so they are not exported.
pub(super) const AUDIT: TableData = TableData {
    table: "tb_audit",
    owner: Owner::user("actor_id", "id"),
    retention: Retention::Days("audit_days"),
    columns: &[
        column("id", Security, Number, Kept(KeptReason::Security)),
        column(
            "actor_id",
            Security,
            Omitted(Repeated),
            Kept(KeptReason::Security),
        ),
        column("action", Security, Text, Kept(KeptReason::Security)),
        column(
            "subject",
            Security,
            Omitted(OfOthers),
            Kept(KeptReason::Security),
        ),
        column(
            "detail",
            Security,
            Omitted(OfOthers),
            Kept(KeptReason::Security),
        ),
        column("create_time", Security, Instant, Kept(KeptReason::Security)),
    ],
};

/// Payloads carry numbers, never a contact or a text of a person.
pub(super) const OUTBOX: TableData = TableData {
    table: "tb_outbox",
    owner: Owner::Nobody,
    retention: Retention::Processed,
    columns: &[
        of_site("id"),
        of_site("kind"),
        of_site("key"),
        of_site("payload"),
        of_site("attempts"),
        of_site("not_before"),
        of_site("create_time"),
        of_site("last_error"),
        of_site("lane"),
        of_site("state"),
    ],
};

/// Who owns shops keeps the account as long as they do, so the owner is never erased here.
pub(super) const SHOP: TableData = TableData {
    table: "tb_shop",
    owner: Owner::Nobody,
    retention: Retention::Site,
    columns: &[
        of_site("id"),
        of_site("name"),
        of_site("type_id"),
        of_site("images"),
        of_site("area"),
        of_site("address"),
        of_site("x"),
        of_site("y"),
        of_site("avg_price"),
        of_site("sold"),
        of_site("comments"),
        of_site("score"),
        of_site("open_hours"),
        of_site("phone"),
        column(
            "owner_id",
            Operation,
            Omitted(OfOthers),
            Erasure::Anonymised,
        ),
        of_site("version"),
        of_site("create_time"),
        of_site("update_time"),
        of_site("comments_base"),
        of_site("score_base"),
        of_site("sold_base"),
        of_site("stars_1"),
        of_site("stars_2"),
        of_site("stars_3"),
        of_site("stars_4"),
        of_site("stars_5"),
        of_site("rating_main_sum"),
        of_site("rating_main_count"),
        of_site("rating_surroundings_sum"),
        of_site("rating_surroundings_count"),
        of_site("rating_service_sum"),
        of_site("rating_service_count"),
    ],
};

/// How many people recommend a dish; who they are is in `tb_blog_dish`.
pub(super) const SHOP_DISH: TableData = site(
    "tb_shop_dish",
    &[of_site("shop_id"), of_site("dish"), of_site("people")],
);

pub(super) const SHOP_GRAM: TableData =
    site("tb_shop_gram", &[of_site("gram"), of_site("shop_id")]);

/// Pairs of letters of names and texts: an erasure removes them with the text.
pub(super) const SEARCH_GRAM: TableData = site(
    "tb_search_gram",
    &[of_site("kind"), of_site("gram"), of_site("row_id")],
);

/// Which notes are under which topic, from their texts: a row goes with its note.
pub(super) const BLOG_TOPIC: TableData = site(
    "tb_blog_topic",
    &[of_site("topic"), of_site("blog_id"), of_site("name")],
);

/// A topic goes with the last note that has it.
pub(super) const TOPIC: TableData = site(
    "tb_topic",
    &[of_site("topic"), of_site("name"), of_site("notes")],
);

pub(super) const SHOP_TYPE: TableData = site(
    "tb_shop_type",
    &[
        of_site("id"),
        of_site("name"),
        of_site("icon"),
        of_site("sort"),
        of_site("create_time"),
        of_site("update_time"),
    ],
);

pub(super) const VOUCHER: TableData = site(
    "tb_voucher",
    &[
        of_site("id"),
        of_site("shop_id"),
        of_site("title"),
        of_site("sub_title"),
        of_site("rules"),
        of_site("pay_value"),
        of_site("actual_value"),
        of_site("type"),
        of_site("status"),
        of_site("create_time"),
        of_site("update_time"),
    ],
);

pub(super) const SECKILL_VOUCHER: TableData = site(
    "tb_seckill_voucher",
    &[
        of_site("voucher_id"),
        of_site("stock"),
        of_site("initial_stock"),
        of_site("begin_time"),
        of_site("end_time"),
        of_site("limit_per_user"),
        of_site("spread"),
        of_site("epoch"),
        of_site("create_time"),
        of_site("update_time"),
    ],
);

pub(super) const FLASH_PARTITION: TableData = site(
    "tb_flash_partition",
    &[of_site("partition_id"), of_site("fence")],
);

pub(super) const ID_MARK: TableData = TableData {
    retention: Retention::Days("id_marks_days"),
    ..site("tb_id_mark", &[of_site("name"), of_site("mark")])
};

pub(super) const SITE_MARK: TableData = site("tb_site_mark", &[of_site("name"), of_site("value")]);

/// Visitors per page and day: numbers alone.
pub(super) const VISIT: TableData = TableData {
    retention: Retention::Days("visits_days"),
    ..site(
        "tb_visit",
        &[
            of_site("day"),
            of_site("page"),
            of_site("uv"),
            of_site("pv"),
            of_site("create_time"),
            of_site("update_time"),
        ],
    )
};

pub(super) const MIGRATIONS: TableData = site(
    "seaql_migrations",
    &[of_site("version"), of_site("applied_at")],
);
