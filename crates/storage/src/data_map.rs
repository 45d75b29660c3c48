//! The data map: what every column is for, how long it stays, and what the export and the erasure of an account do with
//! it.
//!
//! [`TABLES`] has every column of every table; a test compares it with the schema on both databases, so a column cannot be
//! added without a decision. The export ([`crate::personal_data`]) reads what the map marks, the erasure
//! ([`crate::account_deletion`]) is tested against it, and the privacy page shows it.

mod content;
mod operations;
mod orders;
mod people;

/// What the site does with one table.
#[derive(Debug)]
pub struct TableData {
    pub table: &'static str,
    pub owner: Owner,
    pub retention: Retention,
    pub columns: &'static [ColumnData],
}

/// Whose data a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nobody's: the site's own, or a shop's.
    Nobody,
    /// The user whose id is in `column`; `key` tells the rows of one user apart.
    User {
        column: &'static str,
        key: &'static str,
    },
    /// As `User`, of orders, whose key by buyer begins with the status.
    Buyer {
        column: &'static str,
        key: &'static str,
    },
    /// As `User`, by the name of the user's account in the ledger.
    Ledger {
        column: &'static str,
        key: &'static str,
    },
}

#[derive(Debug)]
pub struct ColumnData {
    pub name: &'static str,
    pub purpose: Purpose,
    pub export: Export,
    pub erasure: Erasure,
}

/// What a column is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Purpose {
    /// Knowing who signs in.
    SignIn,
    /// What people say of themselves.
    Profile,
    /// Notes, comments and pictures.
    Content,
    /// Likes.
    Likes,
    /// Whom people follow or block.
    Follows,
    /// Shops and notes that people save.
    Favourites,
    CheckIns,
    Orders,
    /// Payments, balances and the ledger.
    Money,
    Notices,
    /// Reports of other people's notes and comments.
    Moderation,
    /// Who changed what, and who may.
    Security,
    /// The wish to have the account deleted.
    AccountDeletion,
    /// Running the site; says nothing about a person.
    Operation,
}

/// How long rows stay while their owner has an account.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retention {
    /// Until the owner deletes them or the account.
    Account,
    /// Until this setting of `[retention]`, in days.
    Days(&'static str),
    /// In the archive for good: law demands books.
    Books,
    /// Until the work is done that they describe: seconds, as a rule.
    Processed,
    /// As long as the site; not personal data.
    Site,
}

/// What the export does with a column: the kind of its values, or why it is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Export {
    Number,
    Text,
    Instant,
    Date,
    Omitted(Omission),
}

/// Why the export leaves a column out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Omission {
    /// It says nothing about the person.
    NotPersonal,
    /// It names other people.
    OfOthers,
    /// A hash of a password opens nothing and helps only who wants to guess it.
    Secret,
    /// The same is exported from another column.
    Repeated,
}

/// What the erasure of an account does with a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Erasure {
    /// The row is deleted.
    Deleted,
    /// The row stays; the column becomes empty.
    Cleared,
    /// The row stays; the column names nobody any longer.
    Anonymised,
    Kept(KeptReason),
}

/// Why the erasure of an account keeps a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptReason {
    /// Part of the books: law demands them, and the money of others depends on them. They name a number, not a person.
    Books,
    /// The number by which the books refer to an account, and what is known of an account without a person.
    Reference,
    /// The record of who changed what; it ends after its own time.
    Security,
    /// Not about a person.
    NotPersonal,
}

/// Every table, by name.
pub const TABLES: &[&TableData] = &[
    &operations::MIGRATIONS,
    &orders::ACCOUNT,
    &people::ACCOUNT_DELETION,
    &operations::AUDIT,
    &people::BLOCK,
    &content::BLOG,
    &content::BLOG_COMMENT_LIKE,
    &content::BLOG_COMMENT_MENTION,
    &content::BLOG_COMMENT_REPORT,
    &content::BLOG_COMMENTS,
    &content::BLOG_DISH,
    &content::BLOG_DRAFT,
    &people::BLOG_FAVOURITE,
    &content::BLOG_LIKE,
    &content::BLOG_MENTION,
    &content::BLOG_REPORT,
    &operations::BLOG_TOPIC,
    &orders::DEAD_ORDER,
    &people::FAVOURITE,
    &people::FAVOURITE_LIST,
    &operations::FLASH_PARTITION,
    &people::FOLLOW,
    &operations::ID_MARK,
    &orders::LEDGER_ENTRY,
    &orders::LEDGER_ENTRY_ARCHIVE,
    &orders::LEDGER_SUM,
    &people::NOTICE,
    &people::NOTICE_MUTE,
    &operations::OUTBOX,
    &orders::OUTSIDE_REFUND,
    &orders::PAYMENT,
    &orders::PAYMENT_ARCHIVE,
    &people::PHONE_PROOF,
    &people::PROFILE_SHOWN,
    &operations::SEARCH_GRAM,
    &operations::SECKILL_VOUCHER,
    &operations::SHOP,
    &operations::SHOP_DISH,
    &operations::SHOP_GRAM,
    &operations::SHOP_TYPE,
    &people::SIGN,
    &operations::SITE_MARK,
    &operations::TOPIC,
    &content::UPLOAD,
    &people::USER,
    &people::USER_INFO,
    &operations::VISIT,
    &operations::VOUCHER,
    &orders::VOUCHER_ORDER,
    &orders::VOUCHER_ORDER_ARCHIVE,
    &content::WRITE_KEY,
];

impl Owner {
    const fn user(column: &'static str, key: &'static str) -> Self {
        Self::User { column, key }
    }
}

impl Export {
    pub const fn is_exported(self) -> bool {
        !matches!(self, Self::Omitted(_))
    }
}

impl TableData {
    pub fn column(&self, name: &str) -> Option<&ColumnData> {
        self.columns.iter().find(|column| column.name == name)
    }

    /// The columns that the export has.
    pub fn exported(&self) -> impl Iterator<Item = &ColumnData> {
        let columns = self.columns.iter();
        columns.filter(|column| column.export.is_exported())
    }
}

const fn column(
    name: &'static str,
    purpose: Purpose,
    export: Export,
    erasure: Erasure,
) -> ColumnData {
    ColumnData {
        name,
        purpose,
        export,
        erasure,
    }
}

/// A column of a row that names nobody.
const fn of_site(name: &'static str) -> ColumnData {
    let export = Export::Omitted(Omission::NotPersonal);
    let erasure = Erasure::Kept(KeptReason::NotPersonal);
    column(name, Purpose::Operation, export, erasure)
}

/// A column of a row that goes with the account, and says nothing more about the person.
const fn goes(name: &'static str, purpose: Purpose) -> ColumnData {
    let export = Export::Omitted(Omission::NotPersonal);
    column(name, purpose, export, Erasure::Deleted)
}

/// A column of the books that says nothing more about the person.
const fn books(name: &'static str, purpose: Purpose) -> ColumnData {
    let export = Export::Omitted(Omission::NotPersonal);
    column(name, purpose, export, Erasure::Kept(KeptReason::Books))
}
