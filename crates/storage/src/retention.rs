//! What keeps the tables of a site within bounds over the years.
//!
//! [`TABLES`] names every table of the schema and who empties it; a test holds it against the database, so a table that
//! nobody empties cannot be added unnoticed. [`remove_old`] deletes rows that only tell of the past, in small batches by
//! an index; orders, payments and ledger entries are archived instead ([`crate::archive`]), never deleted.

use jiff::{Timestamp, ToSpan as _, tz::TimeZone};
use sea_orm::Value;

use crate::sql::execute;
use crate::{Backend, Db, Error, audit, time};

/// Who empties a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// As large as what people have written and not deleted.
    Content,
    /// As large as the site is made: partitions, kinds, migrations.
    Fixed,
    /// Rows go when they are done with.
    Emptied(&'static str),
    /// Old rows are deleted: the setting of `[retention]` that says when.
    Removed(&'static str),
    /// Old rows move into these tables, by this setting of `[retention]`.
    Archived(&'static str),
    /// Grows for ever, and is read only by those who look for something old.
    Archive,
}

/// Every table, and what bounds it.
pub const TABLES: &[(&str, Bound)] = &[
    ("seaql_migrations", Bound::Fixed),
    ("tb_account", Bound::Content),
    ("tb_audit", Bound::Removed("audit_days")),
    ("tb_blog", Bound::Content),
    ("tb_blog_comment_like", Bound::Content),
    ("tb_blog_comment_report", Bound::Content),
    ("tb_blog_comments", Bound::Content),
    ("tb_blog_like", Bound::Content),
    ("tb_dead_order", Bound::Removed("dead_orders_days")),
    ("tb_flash_partition", Bound::Fixed),
    ("tb_follow", Bound::Content),
    ("tb_id_mark", Bound::Removed("id_marks_days")),
    ("tb_ledger_entry", Bound::Archived("orders_days")),
    ("tb_ledger_entry_archive", Bound::Archive),
    ("tb_ledger_sum", Bound::Content),
    ("tb_notice", Bound::Removed("notices_days")),
    ("tb_outbox", Bound::Emptied("by the relay")),
    // One row for each payment that a provider returned unasked: rare, and part of the books.
    ("tb_outside_refund", Bound::Content),
    ("tb_payment", Bound::Archived("orders_days")),
    ("tb_payment_archive", Bound::Archive),
    ("tb_profile_shown", Bound::Content),
    ("tb_seckill_voucher", Bound::Content),
    ("tb_shop", Bound::Content),
    ("tb_shop_gram", Bound::Content),
    ("tb_shop_type", Bound::Fixed),
    ("tb_sign", Bound::Removed("check_ins_days")),
    ("tb_site_mark", Bound::Fixed),
    ("tb_upload", Bound::Emptied("by picture cleaning")),
    ("tb_user", Bound::Content),
    ("tb_user_info", Bound::Content),
    ("tb_visit", Bound::Removed("visits_days")),
    ("tb_voucher", Bound::Content),
    ("tb_voucher_order", Bound::Archived("orders_days")),
    ("tb_voucher_order_archive", Bound::Archive),
];

/// Rows that only tell of the past.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Old {
    Notices,
    Visits,
    Audit,
    CheckIns,
    /// Those that somebody has dealt with; the others wait for a person, however long.
    DeadOrders,
    /// Marks of counters that began anew with a later day.
    IdMarks,
}

impl Old {
    pub const ALL: [Self; 6] = [
        Self::Notices,
        Self::Visits,
        Self::Audit,
        Self::CheckIns,
        Self::DeadOrders,
        Self::IdMarks,
    ];

    pub const fn table(self) -> &'static str {
        match self {
            Self::Notices => "tb_notice",
            Self::Visits => "tb_visit",
            Self::Audit => "tb_audit",
            Self::CheckIns => "tb_sign",
            Self::DeadOrders => "tb_dead_order",
            Self::IdMarks => "tb_id_mark",
        }
    }

    /// What is old, with one value, and the order in which it goes.
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
            // 1 and 2 are the remedies.
            Self::DeadOrders => ("state IN (1, 2) AND update_time < ?", "update_time"),
            // `order:2026:11:15` and what follows it; marks of workers have no day.
            Self::IdMarks => ("name LIKE 'order:____:__:__%' AND name < ?", "name"),
        };
        (condition.to_owned(), order)
    }

    fn value(self, before: Timestamp) -> Value {
        let day = before.to_zoned(TimeZone::UTC).date();
        match self {
            Self::Notices | Self::Audit | Self::DeadOrders => time::to_sql(before).into(),
            Self::Visits | Self::CheckIns => time::date_to_sql(day).into(),
            Self::IdMarks => day.strftime("order:%Y:%m:%d").to_string().into(),
        }
    }
}

/// Deletes at most `limit` rows that are older than `before`, and says how many there were.
pub async fn remove_old(db: &Db, what: Old, before: Timestamp, limit: u32) -> Result<u64, Error> {
    let (table, (condition, order)) = (what.table(), what.condition());
    let sql = match db.backend() {
        Backend::MySql => format!("DELETE FROM {table} WHERE {condition} ORDER BY {order} LIMIT ?"),
        // SQLite deletes in an order only if it was built for it.
        Backend::Sqlite => format!(
            "DELETE FROM {table} WHERE rowid IN \
             (SELECT rowid FROM {table} WHERE {condition} ORDER BY {order} LIMIT ?)"
        ),
    };
    let values: [Value; 2] = [what.value(before), limit.into()];
    let delete = execute(db.writer(), sql, values);
    db.run("remove old rows", delete).await
}

/// So many days before a moment.
pub fn days_before(now: Timestamp, days: u32) -> Timestamp {
    let hours = i64::from(days) * 24;
    now.checked_sub(hours.hours()).unwrap_or(Timestamp::MIN)
}
