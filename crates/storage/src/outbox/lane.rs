//! Which queue a row waits in: by what its effect depends on, and by whether it was put off.

use crate::check_ins::CheckedIn;
use crate::flash_sales::OrderBuried;
use crate::follows::FollowChanged;
use crate::note_likes::LikeChanged;
use crate::notes::{NoteDeleted, NotePublished};
use crate::orders::PieceReturned;
use crate::payments::RefundDue;
use crate::shops::ShopChanged;
use crate::users::UserChanged;
use crate::vouchers::SaleChanged;

/// What an effect depends on. Lanes are relayed side by side and never wait for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lane {
    /// Written by a version that knows no lanes, or of a kind that this version does not know.
    Unsorted = 0,
    /// Pieces that go back to the gates of sales: people wait for them.
    Pieces = 1,
    /// Rows that changed: caches, places, sessions and the terms of sales follow.
    Changes = 2,
    /// Notes, likes, follows and check-ins: many, and each may reach thousands of feeds.
    Social = 3,
    /// Refunds to balances, which need nobody outside.
    Balances = 4,
    /// Refunds that a payment provider is asked for: it may take its time, or not answer at all.
    Providers = 5,
}

/// Whether a row was tried before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    Fresh = 0,
    /// Tried, not done, and to be tried again.
    PutOff = 1,
}

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

    /// A lane of a newer version is unsorted here.
    pub(super) fn from_code(code: i16) -> Self {
        let found = Self::ALL.into_iter().find(|lane| lane.code() == code);
        found.unwrap_or(Self::Unsorted)
    }

    pub(super) fn of_kind(kind: &str) -> Self {
        match kind {
            PieceReturned::KIND | OrderBuried::KIND => Self::Pieces,
            ShopChanged::KIND | UserChanged::KIND | SaleChanged::KIND => Self::Changes,
            NotePublished::KIND
            | NoteDeleted::KIND
            | LikeChanged::KIND
            | FollowChanged::KIND
            | CheckedIn::KIND => Self::Social,
            RefundDue::KIND => Self::Providers,
            _ => Self::Unsorted,
        }
    }
}

impl Turn {
    pub const ALL: [Self; 2] = [Self::Fresh, Self::PutOff];

    pub(super) const fn code(self) -> i16 {
        self as i16
    }
}
