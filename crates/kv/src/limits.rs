//! Limits shared by all processes, by the generic cell rate algorithm on Redis' own clock.
//!
//! A limit of `burst` per `period` admits exactly `burst` requests at once and then one every `period / burst`.

use std::net::IpAddr;
use std::time::Duration;

use domain::UserId;
use link::Script;

use crate::{Error, Kv};

static TAKE: Script = Script::new(include_str!("lua/take.lua"));

#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Part of the key: what is limited.
    pub what: &'static str,
    pub burst: u32,
    pub period: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OverLimit {
    pub retry_after: Duration,
}

impl Kv {
    /// Takes one from `address`' share of the limit.
    pub async fn take_for(
        &self,
        limit: &Limit,
        address: IpAddr,
    ) -> Result<Result<(), OverLimit>, Error> {
        self.take(limit, &network(address).to_string()).await
    }

    /// Takes one from this person's share of the limit.
    pub async fn take_for_user(
        &self,
        limit: &Limit,
        user: UserId,
    ) -> Result<Result<(), OverLimit>, Error> {
        self.take(limit, &user.to_string()).await
    }

    /// Takes one from the limit that everybody shares.
    pub async fn take_for_all(&self, limit: &Limit) -> Result<Result<(), OverLimit>, Error> {
        self.take(limit, "all").await
    }

    async fn take(&self, limit: &Limit, who: &str) -> Result<Result<(), OverLimit>, Error> {
        let interval_us = limit.period.as_micros() / u128::from(limit.burst.max(1));
        let wait_us: u64 = self
            .link
            .eval(
                &TAKE,
                &[&self.keys.limit(limit.what, who)],
                &[&interval_us.to_string(), &limit.burst.to_string()],
            )
            .await
            .map_err(Error::during("take from a limit"))?;
        Ok(match wait_us {
            0 => Ok(()),
            wait_us => Err(OverLimit {
                retry_after: Duration::from_micros(wait_us),
            }),
        })
    }
}

/// An IPv6 customer owns a /64 and can use any address in it, so the network is what counts.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V4(v4) => IpAddr::V4(v4),
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::from([a, b, c, d, 0, 0, 0, 0])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_one_ipv6_customer_share_a_limit() {
        let one: IpAddr = "2001:db8:1:2::1".parse().unwrap();
        let two: IpAddr = "2001:db8:1:2:ffff::9".parse().unwrap();
        let other: IpAddr = "2001:db8:1:3::1".parse().unwrap();
        assert_eq!(network(one), network(two));
        assert_ne!(network(one), network(other));
    }

    #[test]
    fn an_ipv4_address_is_the_same_in_both_spellings() {
        let plain: IpAddr = "192.0.2.7".parse().unwrap();
        let mapped: IpAddr = "::ffff:192.0.2.7".parse().unwrap();
        assert_eq!(network(plain), network(mapped));
    }
}
