//! Limits shared by all processes, by the generic cell rate algorithm on Redis' own clock.
//!
//! A limit of `burst` per `period` admits exactly `burst` requests at once and then one every `period / burst`.

use std::net::IpAddr;
use std::time::Duration;

use domain::{UserId, network_tiers};
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
    /// Takes one from the shares of `address` and of the networks around it: all of them or none.
    pub async fn take_for(
        &self,
        limit: &Limit,
        address: IpAddr,
    ) -> Result<Result<(), OverLimit>, Error> {
        let tiers = network_tiers(address);
        let (keys, args): (Vec<_>, Vec<_>) = tiers
            .map(|tier| {
                let key = self.keys.address_limit(limit.what, address, tier.network);
                (key, limit.burst.saturating_mul(tier.share))
            })
            .unzip();
        self.take_all(limit, &keys, &args).await
    }

    /// Takes one from this person's share of the limit.
    pub async fn take_for_user(
        &self,
        limit: &Limit,
        user: UserId,
    ) -> Result<Result<(), OverLimit>, Error> {
        let key = self.keys.user_limit(limit.what, user);
        self.take_all(limit, &[key], &[limit.burst]).await
    }

    /// Takes one from the limit that everybody shares.
    pub async fn take_for_all(&self, limit: &Limit) -> Result<Result<(), OverLimit>, Error> {
        let key = self.keys.limit(limit.what, "all");
        self.take_all(limit, &[key], &[limit.burst]).await
    }

    /// One of each key, whose burst stands at its place.
    async fn take_all(
        &self,
        limit: &Limit,
        keys: &[String],
        bursts: &[u32],
    ) -> Result<Result<(), OverLimit>, Error> {
        let mut args = Vec::with_capacity(bursts.len() * 2);
        for burst in bursts {
            args.extend([interval_us(limit, *burst).to_string(), burst.to_string()]);
        }
        let taken = self.link.eval(&TAKE, keys, &args).await;
        Ok(outcome(taken.map_err(Error::during("take from a limit"))?))
    }
}

/// Between two requests at the steady rate of `burst` per period.
pub(crate) fn interval_us(limit: &Limit, burst: u32) -> u64 {
    let period_us = u64::try_from(limit.period.as_micros()).unwrap_or(u64::MAX);
    period_us / u64::from(burst.max(1))
}

/// What the scripts' answer means.
pub(crate) fn outcome(wait_us: u64) -> Result<(), OverLimit> {
    match wait_us {
        0 => Ok(()),
        wait_us => Err(OverLimit {
            retry_after: Duration::from_micros(wait_us),
        }),
    }
}
