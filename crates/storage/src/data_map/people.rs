//! Accounts, profiles, follows, check-ins, notices.

use super::Erasure::{Cleared, Deleted, Kept};
use super::Export::{Date, Instant, Number, Omitted, Text};
use super::KeptReason::Reference;
use super::Omission::{NotPersonal, Repeated, Secret};
use super::Purpose::{
    AccountDeletion, CheckIns, Favourites, Follows, Notices, Profile, Security, SignIn,
};
use super::{Owner, Retention, TableData, column, goes};

pub(super) const USER: TableData = TableData {
    table: "tb_user",
    owner: Owner::user("id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", SignIn, Number, Kept(Reference)),
        column("phone", SignIn, Text, Cleared),
        column("email", SignIn, Text, Cleared),
        column("password", SignIn, Omitted(Secret), Cleared),
        column("nick_name", Profile, Text, Cleared),
        column("icon", Profile, Text, Cleared),
        column("role", Security, Number, Kept(Reference)),
        column("status", Security, Number, Kept(Reference)),
        column("create_time", SignIn, Instant, Kept(Reference)),
        column("update_time", SignIn, Instant, Kept(Reference)),
    ],
};

pub(super) const PHONE_PROOF: TableData = TableData {
    table: "tb_phone_proof",
    owner: Owner::user("user_id", "user_id"),
    retention: Retention::Account,
    columns: &[
        column("user_id", SignIn, Omitted(Repeated), Deleted),
        column("proven_at", SignIn, Instant, Deleted),
    ],
};

pub(super) const USER_INFO: TableData = TableData {
    table: "tb_user_info",
    owner: Owner::user("user_id", "user_id"),
    retention: Retention::Account,
    columns: &[
        column("user_id", Profile, Omitted(Repeated), Deleted),
        column("city", Profile, Text, Deleted),
        column("introduce", Profile, Text, Deleted),
        column("fans", Follows, Number, Deleted),
        column("followee", Follows, Number, Deleted),
        column("gender", Profile, Number, Deleted),
        column("birthday", Profile, Date, Deleted),
        column("credits", Profile, Number, Deleted),
        column("level", Profile, Number, Deleted),
        column("create_time", Profile, Instant, Deleted),
        column("update_time", Profile, Instant, Deleted),
    ],
};

pub(super) const PROFILE_SHOWN: TableData = TableData {
    table: "tb_profile_shown",
    owner: Owner::user("user_id", "user_id"),
    retention: Retention::Account,
    columns: &[
        column("user_id", Profile, Omitted(Repeated), Deleted),
        column("city", Profile, Number, Deleted),
        column("gender", Profile, Number, Deleted),
        column("birthday", Profile, Number, Deleted),
        column("update_time", Profile, Instant, Deleted),
    ],
};

/// The rows in which others follow the account are deleted as well; whose they are is for those people to export.
pub(super) const FOLLOW: TableData = TableData {
    table: "tb_follow",
    owner: Owner::user("user_id", "follow_user_id"),
    retention: Retention::Account,
    columns: &[
        goes("id", Follows),
        column("user_id", Follows, Omitted(Repeated), Deleted),
        column("follow_user_id", Follows, Number, Deleted),
        column("create_time", Follows, Instant, Deleted),
    ],
};

/// The rows in which others block the account are deleted as well; whose they are is for those people to export.
pub(super) const BLOCK: TableData = TableData {
    table: "tb_block",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", Follows, Number, Deleted),
        column("user_id", Follows, Omitted(Repeated), Deleted),
        column("blocked_user_id", Follows, Number, Deleted),
        column("create_time", Follows, Instant, Deleted),
    ],
};

pub(super) const SIGN: TableData = TableData {
    table: "tb_sign",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Days("check_ins_days"),
    columns: &[
        column("id", CheckIns, Number, Deleted),
        column("user_id", CheckIns, Omitted(Repeated), Deleted),
        column("year", CheckIns, Omitted(Repeated), Deleted),
        column("month", CheckIns, Omitted(Repeated), Deleted),
        column("date", CheckIns, Date, Deleted),
        column("is_backup", CheckIns, Number, Deleted),
        column("create_time", CheckIns, Instant, Deleted),
    ],
};

pub(super) const NOTICE: TableData = TableData {
    table: "tb_notice",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Days("notices_days"),
    columns: &[
        column("id", Notices, Number, Deleted),
        column("user_id", Notices, Omitted(Repeated), Deleted),
        column("kind", Notices, Text, Deleted),
        column("subject", Notices, Text, Deleted),
        column("payload", Notices, Omitted(Repeated), Deleted),
        column("read_at", Notices, Instant, Deleted),
        column("create_time", Notices, Instant, Deleted),
    ],
};

/// At most a row for each kind of notice.
pub(super) const NOTICE_MUTE: TableData = TableData {
    table: "tb_notice_mute",
    owner: Owner::user("user_id", "user_id"),
    retention: Retention::Account,
    columns: &[
        column("user_id", Notices, Omitted(Repeated), Deleted),
        column("kind", Notices, Text, Deleted),
    ],
};

pub(super) const FAVOURITE: TableData = TableData {
    table: "tb_favourite",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", Favourites, Number, Deleted),
        column("user_id", Favourites, Omitted(Repeated), Deleted),
        column("shop_id", Favourites, Number, Deleted),
        column("list_id", Favourites, Number, Deleted),
        column("create_time", Favourites, Instant, Deleted),
    ],
};

pub(super) const FAVOURITE_LIST: TableData = TableData {
    table: "tb_favourite_list",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", Favourites, Number, Deleted),
        column("user_id", Favourites, Omitted(Repeated), Deleted),
        column("name", Favourites, Text, Deleted),
        column("create_time", Favourites, Instant, Deleted),
    ],
};

pub(super) const BLOG_FAVOURITE: TableData = TableData {
    table: "tb_blog_favourite",
    owner: Owner::user("user_id", "id"),
    retention: Retention::Account,
    columns: &[
        column("id", Favourites, Number, Deleted),
        column("user_id", Favourites, Omitted(Repeated), Deleted),
        column("blog_id", Favourites, Number, Deleted),
        column("create_time", Favourites, Instant, Deleted),
    ],
};

/// The row says when the account was erased, so that the work is done once.
pub(super) const ACCOUNT_DELETION: TableData = TableData {
    table: "tb_account_deletion",
    owner: Owner::user("user_id", "user_id"),
    retention: Retention::Account,
    columns: &[
        column(
            "user_id",
            AccountDeletion,
            Omitted(Repeated),
            Kept(Reference),
        ),
        column("state", AccountDeletion, Number, Kept(Reference)),
        column("requested_at", AccountDeletion, Instant, Kept(Reference)),
        column("due_at", AccountDeletion, Instant, Kept(Reference)),
        column(
            "update_time",
            AccountDeletion,
            Omitted(NotPersonal),
            Kept(Reference),
        ),
    ],
};
