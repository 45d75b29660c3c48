//! The queue of a row: by what its effect depends on, and by whether it was deferred.

use super::DeadLetterReason;
use crate::account_deletion::AccountErased;
use crate::blocks::BlocksChanged;
use crate::check_ins::CheckedIn;
use crate::comments::CommentChanged;
use crate::flash_sales::OrderDeadLettered;
use crate::follows::FollowChanged;
use crate::note_likes::LikeChanged;
use crate::notes::{NoteDeleted, NotePublished, NoteTextChanged};
use crate::orders::UnitReturned;
use crate::payments::RefundDue;
use crate::shops::ShopChanged;
use crate::users::{ContactChanged, PasswordChanged, UserChanged};
use crate::vouchers::SaleChanged;

/// What an effect depends on. Lanes are relayed concurrently and independently.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Written by a version without lanes, or of an unknown kind.
    Unsorted = 0,
    /// Units returned to the gates of sales: buyers wait for them.
    Pieces = 1,
    /// Changed rows: caches, geo indexes, sessions and sale terms must be updated.
    Changes = 2,
    /// Notes, likes, follows and check-ins: many, and each may reach thousands of feeds.
    Social = 3,
    /// Refunds to balances, without a provider.
    Balances = 4,
    /// Refunds through a payment provider, which may be slow or down.
    Providers = 5,
}

/// Whether a row was attempted before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RetryState {
    Fresh = 0,
    /// Attempted without success; to be retried.
    Deferred = 1,
}

/// States from here on are dead-lettered, those below are pending.
pub(super) const FIRST_DEAD_STATE: i16 = DeadLetterReason::Refused as i16;

impl Lane {
    pub const ALL: [Self; 6] = [
        Self::Unsorted,
        Self::Pieces,
        Self::Changes,
        Self::Social,
        Self::Balances,
        Self::Providers,
    ];

    /// For labels of metrics and for tables.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Unsorted => "unsorted",
            Self::Pieces => "pieces",
            Self::Changes => "changes",
            Self::Social => "social",
            Self::Balances => "balances",
            Self::Providers => "providers",
        }
    }

    pub(super) const fn code(self) -> i16 {
        self as i16
    }

    /// An unknown lane of a newer version maps to `Unsorted`.
    pub(super) fn from_code(code: i16) -> Self {
        let found = Self::ALL.into_iter().find(|lane| lane.code() == code);
        found.unwrap_or(Self::Unsorted)
    }

    pub(super) fn of_kind(kind: &str) -> Self {
        match kind {
            UnitReturned::KIND | OrderDeadLettered::KIND => Self::Pieces,
            ShopChanged::KIND
            | UserChanged::KIND
            | AccountErased::KIND
            | PasswordChanged::KIND
            | ContactChanged::KIND
            | SaleChanged::KIND
            | BlocksChanged::KIND
            | NoteTextChanged::KIND => Self::Changes,
            NotePublished::KIND
            | NoteDeleted::KIND
            | LikeChanged::KIND
            | FollowChanged::KIND
            | CommentChanged::KIND
            | CheckedIn::KIND => Self::Social,
            RefundDue::KIND => Self::Providers,
            _ => Self::Unsorted,
        }
    }
}

impl RetryState {
    pub const ALL: [Self; 2] = [Self::Fresh, Self::Deferred];

    pub(super) const fn code(self) -> i16 {
        self as i16
    }
}
