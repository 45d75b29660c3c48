//! How long a grant lasts: [`Term`].

use std::time::Duration;

use crate::limits::{MARGIN_PER_LEASE, MAX_PAUSE, MIN_LEASE, RENEWALS_PER_LEASE};

/// How long a grant lasts unless it is released.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Term {
    /// For this time, without renewal.
    Fixed(Duration),
    /// Renewed while the guard lives. If the process dies, the lock is free after this time.
    Renewed(Duration),
}

impl Term {
    /// The lease on the server. At least 50 ms.
    pub(crate) fn lease(self) -> Duration {
        let (Self::Fixed(lease) | Self::Renewed(lease)) = self;
        lease.max(MIN_LEASE)
    }

    pub(crate) fn lease_ms(self) -> u64 {
        self.lease().as_millis().try_into().unwrap_or(u64::MAX)
    }

    /// How long after the request the holder may rely on the grant: less than the lease on the server.
    pub(crate) fn usable(self) -> Duration {
        self.lease() - self.lease() / MARGIN_PER_LEASE
    }

    /// How long after the last confirmed request the renewal is due.
    pub(crate) fn renew_after(self) -> Option<Duration> {
        match self {
            Self::Fixed(_) => None,
            Self::Renewed(_) => Some(self.lease() / RENEWALS_PER_LEASE),
        }
    }

    /// How long after a failed renewal the next attempt is due.
    pub(crate) fn renew_again_after(self) -> Duration {
        (self.lease() / MARGIN_PER_LEASE).min(MAX_PAUSE)
    }
}
