//! Notices to users about their orders, their account, and what others do with their notes: `tb_notice`.
//!
//! A notice about an order is written in the transaction of its event. Its kind and subject are unique, so writing it is
//! idempotent. Notices about other people are grouped and written by the outbox ([`social`]).

mod described;
mod remembered;
mod social;

use domain::{Id, OrderId, UserId};
use jiff::Timestamp;
use sea_orm::{ConnectionTrait, DbErr, FromQueryResult, Statement, Value};
use thiserror::Error;

pub use described::{SocialNotice, describe_social};
pub use social::{
    IN_NOTE, NoticeChange, SocialEvent, SocialKind, add, forget, list_muted, set_muted, take_back,
};

use crate::sql::{execute, insert_ignore, statement};
use crate::{Db, Error, MAX_PAGE_ROWS, sql, time};

pub type NoticeId = Id<Notice>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub id: NoticeId,
    pub kind: NoticeKind,
    pub order: Option<OrderId>,
    /// The note, comment or person that a notice about other people is about.
    pub about: Option<i64>,
    pub read_at: Option<Timestamp>,
    pub created_at: Timestamp,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoticeKind {
    OrderPaid,
    /// Unpaid, and about to expire.
    OrderExpiring,
    /// Cancelled by its owner.
    OrderCancelled,
    /// It was not paid in time.
    OrderExpired,
    OrderRefunded,
    OrderRedeemed,
    /// Dead-lettered: granted but not recordable.
    OrderLost,
    /// Money arrived for an order that is no longer payable; it is refunded.
    PaymentReturned,
    /// To admins: a provider refunded money on its own, and an admin must decide.
    RefundOutside,
    /// People like a note of the reader's.
    NoteLiked,
    /// People comment on a note of the reader's.
    NoteCommented,
    /// People answer a comment of the reader's.
    CommentAnswered,
    /// People follow the reader.
    Followed,
    /// People mention the reader in a note, or in comments on it.
    Mentioned,
    /// The account was to be deleted and is not, because money is open.
    AccountKept,
    /// A phone number or an e-mail address was added, changed or removed.
    ContactChanged,
    /// The number was given to somebody else, who began anew with it.
    PhoneReleased,
}

#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("there is no kind of notice {0:?}")]
struct UnknownKind(String);

/// The field of a payload, which is JSON, that has the id of the order, as a string.
const ORDER_ID: &str = "orderId";

/// Rows per statement: six values each, below SQLite's 32,766 parameters and quick to parse.
const ROWS_PER_STATEMENT: usize = 1_000;

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) notices of a person below `before`, newest first.
pub async fn list(
    db: &Db,
    owner: UserId,
    before: Option<NoticeId>,
    limit: u32,
) -> Result<Vec<Notice>, Error> {
    let before = before.map_or(i64::MAX, NoticeId::get);
    let condition = "id < ? ORDER BY id DESC";
    read(db, owner, condition, before, limit).await
}

/// The next `limit` (at most [`MAX_PAGE_ROWS`]) notices above `after`, oldest first: what a reconnecting page missed.
pub async fn list_after(
    db: &Db,
    owner: UserId,
    after: NoticeId,
    limit: u32,
) -> Result<Vec<Notice>, Error> {
    read(db, owner, "id > ? ORDER BY id", after.get(), limit).await
}

pub async fn count_unread(db: &Db, owner: UserId) -> Result<u64, Error> {
    let sql = format!(
        "SELECT COUNT(*) AS unread FROM tb_notice \
         WHERE user_id = ? AND read_at IS NULL AND kind IN ({})",
        NoticeKind::known()
    );
    let statement = statement(db.reader(), sql, [owner.get().into()]);
    let count = async {
        let row = db.reader().query_one_raw(statement).await?;
        let unread: i64 = row.map_or(Ok(0), |row| row.try_get("", "unread"))?;
        Ok(u64::try_from(unread).unwrap_or(0))
    };
    db.run("count notices", count).await
}

/// Marks a person's notices up to and including `last` as read.
pub async fn mark_read(db: &Db, owner: UserId, last: NoticeId) -> Result<(), Error> {
    let sql = "UPDATE tb_notice SET read_at = ? WHERE user_id = ? AND id <= ? AND read_at IS NULL";
    let values: [Value; 3] = [time::now().into(), owner.get().into(), last.get().into()];
    db.run("mark notices", execute(db.writer(), sql, values))
        .await?;
    Ok(())
}

/// Marks these notices of a person as read.
pub async fn mark_some_read(db: &Db, owner: UserId, ids: &[NoticeId]) -> Result<(), Error> {
    if ids.is_empty() {
        return Ok(());
    }
    let placeholders = sql::placeholders(ids.len());
    let sql = format!(
        "UPDATE tb_notice SET read_at = ? \
         WHERE user_id = ? AND read_at IS NULL AND id IN ({placeholders})"
    );
    let values = [time::now().into(), owner.get().into()].into_iter();
    let values = values.chain(ids.iter().map(|id| Value::from(id.get())));
    db.run("mark notices", execute(db.writer(), sql, values))
        .await?;
    Ok(())
}

async fn read(
    db: &Db,
    owner: UserId,
    condition: &str,
    bound: i64,
    limit: u32,
) -> Result<Vec<Notice>, Error> {
    let sql = format!(
        "SELECT id, kind, subject, payload, read_at, create_time FROM tb_notice \
         WHERE user_id = ? AND kind IN ({}) AND {condition} LIMIT ?",
        NoticeKind::known()
    );
    let limit = limit.min(MAX_PAGE_ROWS);
    let values: [Value; 3] = [owner.get().into(), bound.into(), limit.into()];
    let statement: Statement = statement(db.reader(), sql, values);
    let list = async {
        let rows = NoticeRow::find_by_statement(statement)
            .all(db.reader())
            .await?;
        rows.into_iter().map(Notice::from_row).collect()
    };
    db.run("list notices", list).await
}

/// A notice about an order, one of its payments, or the account itself.
#[derive(Clone, Debug)]
pub(crate) struct NewNotice {
    user_id: i64,
    kind: NoticeKind,
    subject: String,
    order: Option<OrderId>,
}

impl NewNotice {
    pub(crate) fn of_order(user: UserId, kind: NoticeKind, order: OrderId) -> Self {
        Self {
            user_id: user.get(),
            kind,
            subject: format!("order:{order}"),
            order: Some(order),
        }
    }

    pub(crate) fn of_payment(user: UserId, kind: NoticeKind, payment: i64, order: OrderId) -> Self {
        Self {
            user_id: user.get(),
            kind,
            subject: format!("payment:{payment}"),
            order: Some(order),
        }
    }

    /// One per admin: kind and subject are unique together.
    pub(crate) fn of_outside_refund(admin: UserId, payment: i64, order: OrderId) -> Self {
        Self {
            user_id: admin.get(),
            kind: NoticeKind::RefundOutside,
            subject: format!("payment:{payment}:{admin}"),
            order: Some(order),
        }
    }

    /// One per moment.
    pub(crate) fn of_account(user: UserId, kind: NoticeKind, at: Timestamp) -> Self {
        Self {
            user_id: user.get(),
            kind,
            subject: format!("account:{user}:{}", at.as_millisecond()),
            order: None,
        }
    }

    fn values(&self, now: chrono::NaiveDateTime) -> [Value; 5] {
        let payload = match self.order {
            Some(order) => serde_json::json!({ ORDER_ID: order.to_string() }),
            None => serde_json::json!({}),
        };
        [
            self.user_id.into(),
            self.kind.as_str().into(),
            self.subject.as_str().into(),
            payload.to_string().into(),
            now.into(),
        ]
    }
}

/// Call it in the transaction of the event. Existing notices are skipped.
pub(crate) async fn insert(
    transaction: &impl ConnectionTrait,
    notices: &[NewNotice],
) -> Result<u64, DbErr> {
    let now = time::now();
    let mut inserted = 0;
    for chunk in notices.chunks(ROWS_PER_STATEMENT) {
        let rows = vec!["(?, ?, ?, ?, ?)"; chunk.len()].join(", ");
        let verb = insert_ignore(transaction);
        let sql = format!(
            "{verb} tb_notice (user_id, kind, subject, payload, create_time) VALUES {rows}"
        );
        let values = chunk.iter().flat_map(|notice| notice.values(now));
        inserted += execute(transaction, sql, values).await?;
    }
    Ok(inserted)
}

#[derive(FromQueryResult)]
struct NoticeRow {
    id: i64,
    kind: String,
    subject: String,
    payload: String,
    read_at: Option<chrono::NaiveDateTime>,
    create_time: chrono::NaiveDateTime,
}

impl Notice {
    fn from_row(row: NoticeRow) -> Result<Self, DbErr> {
        let kind = NoticeKind::parse(&row.kind).map_err(|error| DbErr::Type(error.to_string()))?;
        Ok(Self {
            id: NoticeId::new(row.id),
            kind,
            about: kind.social().and_then(|kind| kind.about(&row.subject)),
            order: order_in(&row.payload),
            read_at: row.read_at.map(time::from_sql),
            created_at: time::from_sql(row.create_time),
        })
    }
}

/// `None` for a payload of another shape, which an older or a newer version may have written.
fn order_in(payload: &str) -> Option<OrderId> {
    let payload: serde_json::Value = serde_json::from_str(payload).ok()?;
    payload.get(ORDER_ID)?.as_str()?.parse().ok()
}

impl NoticeKind {
    const ALL: [Self; 17] = [
        Self::OrderPaid,
        Self::OrderExpiring,
        Self::OrderCancelled,
        Self::OrderExpired,
        Self::OrderRefunded,
        Self::OrderRedeemed,
        Self::OrderLost,
        Self::PaymentReturned,
        Self::RefundOutside,
        Self::NoteLiked,
        Self::NoteCommented,
        Self::CommentAnswered,
        Self::Followed,
        Self::AccountKept,
        Self::ContactChanged,
        Self::PhoneReleased,
        Self::Mentioned,
    ];

    pub const fn as_str(self) -> &'static str {
        match self {
            Self::OrderPaid => "order_paid",
            Self::OrderExpiring => "order_expiring",
            Self::OrderCancelled => "order_cancelled",
            Self::OrderExpired => "order_expired",
            Self::OrderRefunded => "order_refunded",
            Self::OrderRedeemed => "order_redeemed",
            Self::OrderLost => "order_lost",
            Self::PaymentReturned => "payment_returned",
            Self::RefundOutside => "refund_outside",
            Self::NoteLiked => "note_liked",
            Self::NoteCommented => "note_commented",
            Self::CommentAnswered => "comment_answered",
            Self::Followed => "followed",
            Self::AccountKept => "account_kept",
            Self::ContactChanged => "contact_changed",
            Self::PhoneReleased => "phone_released",
            Self::Mentioned => "mentioned",
        }
    }

    /// The kinds of this version, quoted, for an `IN (…)`: rows of a newer one are not there.
    fn known() -> String {
        let names = Self::ALL.map(|kind| format!("'{}'", kind.as_str()));
        names.join(", ")
    }

    fn social(self) -> Option<SocialKind> {
        let mut kinds = SocialKind::ALL.into_iter();
        kinds.find(|kind| kind.notice() == self)
    }

    fn parse(text: &str) -> Result<Self, UnknownKind> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.as_str() == text)
            .ok_or_else(|| UnknownKind(text.to_owned()))
    }
}
