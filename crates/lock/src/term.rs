//! How long a grant lasts: [`Term`].

use std::time::Duration;

use crate::limits::{MARGIN_PER_LEASE, MAX_PAUSE, MIN_LEASE, RENEWALS_PER_LEASE};

/// How long a grant lasts unless it is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// For this time and no longer.
    Fixed(Duration),
    /// For as long as the handle lives. If the process dies, the lock is free again after this time.
    Renewed(Duration),
}

impl Term {
    /// What the server is told. At least 50 ms.
    pub(crate) fn lease(self) -> Duration {
        let (Self::Fixed(lease) | Self::Renewed(lease)) = self;
        lease.max(MIN_LEASE)
    }

    /// How long after asking the holder may rely on the grant: less than the server keeps it.
    pub(crate) fn usable(self) -> Duration {
        self.lease() - self.lease() / MARGIN_PER_LEASE
    }

    /// How long after asking the grant should be renewed, if it is to be.
    pub(crate) fn renew_after(self) -> Option<Duration> {
        match self {
            Self::Fixed(_) => None,
            Self::Renewed(_) => Some(self.lease() / RENEWALS_PER_LEASE),
        }
    }

    /// How long after a renewal that failed the next is due.
    pub(crate) fn renew_again_after(self) -> Duration {
        (self.lease() / MARGIN_PER_LEASE).min(MAX_PAUSE)
    }
}
