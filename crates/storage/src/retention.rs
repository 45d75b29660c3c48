//! Bounds the size of the tables.
//!
//! [`TABLES`] names every table and what bounds it; a test compares it with the database, so an unbounded table
//! cannot be added unnoticed. [`delete_old`] deletes historical rows in small batches by an index; orders, payments
//! and ledger entries are archived instead ([`crate::archive`]), never deleted.

use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use sea_orm::Value;

use crate::orders::Remedy;
use crate::sql::{codes, execute};
use crate::{Backend, Db, Error, audit, time};

/// What bounds a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GrowthBound {
    /// Bounded by what users created and did not delete.
    Content,
    /// Fixed: partitions, kinds, migrations.
    Fixed,
    /// Rows are deleted once processed.
    Emptied(&'static str),
    /// Old rows are deleted, by this setting of `[retention]`.
    Removed(&'static str),
    /// Old rows are archived, by this setting of `[retention]`.
    Archived(&'static str),
    /// Grows without bound; read only for old data.
    Archive,
}

/// Every table, and what bounds it.
pub const TABLES: &[(&str, GrowthBound)] = &[
    ("seaql_migrations", GrowthBound::Fixed),
    ("tb_account", GrowthBound::Content),
    ("tb_account_deletion", GrowthBound::Content),
    ("tb_audit", GrowthBound::Removed("audit_days")),
    ("tb_block", GrowthBound::Content),
    ("tb_blog", GrowthBound::Content),
    ("tb_blog_comment_like", GrowthBound::Content),
    ("tb_blog_comment_mention", GrowthBound::Content),
    ("tb_blog_comment_report", GrowthBound::Content),
    ("tb_blog_comments", GrowthBound::Content),
    ("tb_blog_dish", GrowthBound::Content),
    ("tb_blog_draft", GrowthBound::Content),
    ("tb_blog_favourite", GrowthBound::Content),
    ("tb_blog_like", GrowthBound::Content),
    ("tb_blog_mention", GrowthBound::Content),
    ("tb_blog_report", GrowthBound::Content),
    ("tb_blog_topic", GrowthBound::Content),
    ("tb_dead_order", GrowthBound::Removed("dead_orders_days")),
    ("tb_favourite", GrowthBound::Content),
    ("tb_favourite_list", GrowthBound::Content),
    ("tb_flash_partition", GrowthBound::Fixed),
    ("tb_follow", GrowthBound::Content),
    ("tb_id_mark", GrowthBound::Removed("id_marks_days")),
    ("tb_ledger_entry", GrowthBound::Archived("orders_days")),
    ("tb_ledger_entry_archive", GrowthBound::Archive),
    ("tb_ledger_sum", GrowthBound::Content),
    ("tb_notice", GrowthBound::Removed("notices_days")),
    ("tb_notice_mute", GrowthBound::Content),
    ("tb_outbox", GrowthBound::Emptied("by the relay")),
    // One row per outside refund: rare, and part of the books.
    ("tb_outside_refund", GrowthBound::Content),
    ("tb_payment", GrowthBound::Archived("orders_days")),
    ("tb_payment_archive", GrowthBound::Archive),
    ("tb_phone_proof", GrowthBound::Content),
    ("tb_profile_shown", GrowthBound::Content),
    ("tb_search_gram", GrowthBound::Content),
    ("tb_seckill_voucher", GrowthBound::Content),
    ("tb_shop", GrowthBound::Content),
    ("tb_shop_dish", GrowthBound::Content),
    ("tb_shop_gram", GrowthBound::Content),
    ("tb_shop_type", GrowthBound::Fixed),
    ("tb_sign", GrowthBound::Removed("check_ins_days")),
    ("tb_site_mark", GrowthBound::Fixed),
    // A topic without notes has no row.
    ("tb_topic", GrowthBound::Content),
    ("tb_upload", GrowthBound::Emptied("by picture cleaning")),
    ("tb_user", GrowthBound::Content),
    ("tb_user_info", GrowthBound::Content),
    ("tb_visit", GrowthBound::Removed("visits_days")),
    ("tb_voucher", GrowthBound::Content),
    ("tb_voucher_order", GrowthBound::Archived("orders_days")),
    ("tb_voucher_order_archive", GrowthBound::Archive),
    ("tb_write_key", GrowthBound::Content),
];

/// Historical rows that retention deletes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RetentionTarget {
    Notices,
    Visits,
    Audit,
    CheckIns,
    /// Settled ones only; the others wait for an admin.
    DeadLetteredOrders,
    /// Marks of daily counters of past days.
    IdMarks,
}

impl RetentionTarget {
    pub const ALL: [Self; 6] = [
        Self::Notices,
        Self::Visits,
        Self::Audit,
        Self::CheckIns,
        Self::DeadLetteredOrders,
        Self::IdMarks,
    ];

    pub const fn table(self) -> &'static str {
        match self {
            Self::Notices => "tb_notice",
            Self::Visits => "tb_visit",
            Self::Audit => "tb_audit",
            Self::CheckIns => "tb_sign",
            Self::DeadLetteredOrders => "tb_dead_order",
            Self::IdMarks => "tb_id_mark",
        }
    }

    /// The condition for old rows, with one bound value, and the deletion order.
    fn condition(self) -> (String, &'static str) {
        let (condition, order) = match self {
            Self::Notices => ("create_time < ?", "create_time"),
            Self::Audit => {
                let kept = audit::KEPT.join("', '");
                let condition = format!("action NOT IN ('{kept}') AND create_time < ?");
                return (condition, "create_time");
            }
            Self::Visits => ("day < ?", "day"),
            Self::CheckIns => ("date < ?", "date"),
            Self::DeadLetteredOrders => {
                let settled = codes([Remedy::Redriven as i16, Remedy::Compensated as i16]);
                let condition = format!("state IN ({settled}) AND update_time < ?");
                return (condition, "update_time");
            }
            // `order:2026:11:15` and what follows it; marks of workers have no day.
            Self::IdMarks => ("name LIKE 'order:____:__:__%' AND name < ?", "name"),
        };
        (condition.to_owned(), order)
    }

    fn value(self, before: Timestamp) -> Value {
        let day = before.to_zoned(TimeZone::UTC).date();
        match self {
            Self::Notices | Self::Audit | Self::DeadLetteredOrders => time::to_sql(before).into(),
            Self::Visits | Self::CheckIns => time::date_to_sql(day).into(),
            Self::IdMarks => day.strftime("order:%Y:%m:%d").to_string().into(),
        }
    }
}

/// Deletes at most `limit` rows older than `before` and returns the count.
pub async fn delete_old(
    db: &Db,
    what: RetentionTarget,
    before: Timestamp,
    limit: u32,
) -> Result<u64, Error> {
    let (table, (condition, order)) = (what.table(), what.condition());
    let sql = match db.backend() {
        Backend::MySql => format!("DELETE FROM {table} WHERE {condition} ORDER BY {order} LIMIT ?"),
        // This build of SQLite has no `ORDER BY` on `DELETE`.
        Backend::Sqlite => format!(
            "DELETE FROM {table} WHERE rowid IN \
             (SELECT rowid FROM {table} WHERE {condition} ORDER BY {order} LIMIT ?)"
        ),
    };
    let values: [Value; 2] = [what.value(before), limit.into()];
    let delete = execute(db.writer(), sql, values);
    db.run("remove old rows", delete).await
}

/// The instant `days` before `now`.
pub fn days_before(now: Timestamp, days: u32) -> Timestamp {
    let hours = i64::from(days) * 24;
    now.checked_sub(hours.hours()).unwrap_or(Timestamp::MIN)
}
