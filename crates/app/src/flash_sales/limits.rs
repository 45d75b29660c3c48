//! Claim rate limits per user and per address, counted in the process before anything else runs.
//!
//! Each process counts alone, without a round trip. The gate prevents double purchases anyway; these limits only keep
//! bots from crowding out users.

use std::time::{Duration, Instant};

use domain::network::IPV6_SHARES;
use domain::{AddressBlock, UserId, network_tiers};

use super::Claimant;
use crate::Error;
use crate::local_limit::{LocalLimit, RetryAfter};

const MINUTE: Duration = Duration::from_secs(60);

/// People and addresses remembered, of each kind: some ten megabytes when all of them are in use.
const REMEMBERED: usize = 200_000;

/// Claims in a minute; `None` sets no limit.
#[derive(Clone, Copy, Debug)]
pub struct ClaimRates {
    pub per_user: Option<u32>,
    pub per_address: Option<u32>,
}

#[derive(Debug)]
pub(super) struct ClaimLimits {
    users: Option<LocalLimit<UserId>>,
    /// For the networks of an address, the narrowest first.
    addresses: Option<[LocalLimit<AddressBlock>; 3]>,
}

impl ClaimLimits {
    pub(super) fn new(rates: ClaimRates) -> Self {
        Self {
            users: rates.per_user.map(limit),
            addresses: rates.per_address.map(per_network),
        }
    }

    /// Counts a claim or refuses it. The user's limit comes first: a user over it must not use up their network's
    /// share.
    pub(super) fn take(&self, claimant: Claimant, now: Instant) -> Result<(), Error> {
        let user = self.users.as_ref();
        user.map_or(Ok(()), |users| users.take(claimant.user_id, now))
            .map_err(too_many)?;
        let Some(addresses) = &self.addresses else {
            return Ok(());
        };
        for (tier, limit) in network_tiers(claimant.address).zip(addresses) {
            limit.take(tier.network, now).map_err(too_many)?;
        }
        Ok(())
    }
}

fn limit<K: Copy + Eq + std::hash::Hash>(per_minute: u32) -> LocalLimit<K> {
    LocalLimit::new(per_minute, MINUTE, REMEMBERED)
}

/// The same shares that [`network_tiers`] names.
fn per_network(per_minute: u32) -> [LocalLimit<AddressBlock>; 3] {
    IPV6_SHARES.map(|share| limit(per_minute.saturating_mul(share)))
}

fn too_many(RetryAfter(retry_after): RetryAfter) -> Error {
    Error::TooMany { retry_after }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn claimant(user: i64, address: u8) -> Claimant {
        Claimant {
            user_id: UserId::new(user),
            address: Ipv4Addr::new(10, 0, 0, address).into(),
        }
    }

    #[test]
    fn people_and_addresses_have_a_limit_each() {
        let limits = ClaimLimits::new(ClaimRates {
            per_user: Some(2),
            per_address: Some(3),
        });
        let now = Instant::now();
        let take = |user, address| limits.take(claimant(user, address), now).is_ok();
        assert!(take(1, 1) && take(1, 1));
        assert!(!take(1, 2), "a person is over the limit wherever they are");
        assert!(take(2, 1));
        assert!(!take(3, 1), "the address is used up");
        assert!(take(3, 2));
    }

    #[test]
    fn no_limit_is_no_limit() {
        let limits = ClaimLimits::new(ClaimRates {
            per_user: None,
            per_address: None,
        });
        let now = Instant::now();
        assert!((0..10_000).all(|_| limits.take(claimant(1, 1), now).is_ok()));
    }
}
