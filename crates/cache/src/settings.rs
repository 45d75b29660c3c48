//! The settings of a cache: its mode, lifetimes, timeouts and bounds.
//!
//! The invariant: no cache is built with settings that contradict each other.

use std::time::Duration;

/// What a reader does when no fresh value is cached and another process is loading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum CacheMode {
    /// Every process loads once by itself; no reader waits for another process. For cheap loads.
    PassThrough,
    /// One process of the cluster loads; the others wait for it. For expensive loads and values that must be fresh.
    #[default]
    Mutex,
    /// One process of the cluster loads in the background; readers get the old value until then and do not wait. After a flush
    /// of Redis that is what memory had, for a second at most. Without an old value it is like [`CacheMode::Mutex`].
    LogicalExpiry,
}

/// All settings; [`Builder`](crate::Builder) documents them.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) mode: CacheMode,
    pub(crate) soft_ttl: Duration,
    pub(crate) hard_ttl: Duration,
    pub(crate) negative_ttl: Duration,
    pub(crate) jitter: f64,
    pub(crate) early_refresh: f64,
    pub(crate) l1_capacity: u64,
    pub(crate) l1_ttl: Duration,
    pub(crate) l1_blind_ttl: Duration,
    pub(crate) reloaded_keys: usize,
    pub(crate) l2_timeout: Duration,
    pub(crate) soft_timeout: Duration,
    pub(crate) hard_timeout: Duration,
    pub(crate) max_parallel_loads: usize,
    pub(crate) tombstone_ttl: Duration,
    pub(crate) compress_above: Option<usize>,
}

/// Settings that are out of range or contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BadSettings {
    /// [`Builder::soft_ttl`](crate::Builder::soft_ttl), `hard_ttl` or `negative_ttl`.
    #[error("the soft TTL must not be zero or exceed the hard TTL")]
    Lifetimes,
    /// [`Builder::hard_ttl`](crate::Builder::hard_ttl) or `negative_ttl`.
    #[error("the hard TTL must stay below 49 days, the longest that an entry can encode")]
    TooLong,
    /// [`Builder::jitter`](crate::Builder::jitter) or `early_refresh`.
    #[error("jitter must be at least 0 and below 1, early refresh at least 0")]
    Chances,
    /// [`Builder::l2_timeout`](crate::Builder::l2_timeout), `loader_soft_timeout` or `hard_timeout`.
    #[error("timeouts must not be zero, nor the soft timeout exceed the hard one")]
    Timeouts,
    /// [`Builder::max_parallel_loads`](crate::Builder::max_parallel_loads).
    #[error("at least one load at a time must be allowed")]
    NoLoads,
    /// [`Builder::tombstone_ttl`](crate::Builder::tombstone_ttl).
    #[error("the tombstone must outlive the hard timeout, so that a late fill is still refused")]
    Tombstone,
}

/// 32 bits of milliseconds.
const LONGEST_TTL: Duration = Duration::from_millis(u32::MAX as u64);

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: CacheMode::default(),
            soft_ttl: Duration::from_secs(10 * 60),
            hard_ttl: Duration::from_secs(60 * 60),
            negative_ttl: Duration::from_secs(60),
            jitter: 0.1,
            early_refresh: 1.0,
            l1_capacity: 10_000,
            l1_ttl: Duration::from_secs(60),
            l1_blind_ttl: Duration::from_secs(1),
            reloaded_keys: 1_000,
            l2_timeout: Duration::from_millis(500),
            soft_timeout: Duration::from_millis(200),
            hard_timeout: Duration::from_secs(5),
            max_parallel_loads: 64,
            tombstone_ttl: Duration::from_secs(30),
            compress_above: None,
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), BadSettings> {
        if self.soft_ttl.is_zero() || self.negative_ttl.is_zero() || self.soft_ttl > self.hard_ttl {
            return Err(BadSettings::Lifetimes);
        }
        if self.hard_ttl.max(self.negative_ttl) > LONGEST_TTL {
            return Err(BadSettings::TooLong);
        }
        if !(0.0..1.0).contains(&self.jitter)
            || self.early_refresh.is_nan()
            || self.early_refresh < 0.0
        {
            return Err(BadSettings::Chances);
        }
        if self.l2_timeout.is_zero()
            || self.soft_timeout > self.hard_timeout
            || self.hard_timeout.is_zero()
        {
            return Err(BadSettings::Timeouts);
        }
        if self.max_parallel_loads == 0 {
            return Err(BadSettings::NoLoads);
        }
        if self.tombstone_ttl <= self.hard_timeout {
            return Err(BadSettings::Tombstone);
        }
        Ok(())
    }

    /// Soft and hard lifetime of a value loaded now, shortened by random jitter so that entries written together do not
    /// expire together. Never longer than the setting, or than what the load said itself.
    pub(crate) fn lifetimes(
        &self,
        exists: bool,
        own_soft: Option<Duration>,
        own_hard: Option<Duration>,
    ) -> (Duration, Duration) {
        let share = 1.0 - self.jitter * rand::random::<f64>();
        let (soft, grace) = match exists {
            true => (self.soft_ttl, self.hard_ttl - self.soft_ttl),
            false => (self.negative_ttl, Duration::ZERO),
        };
        let unshortened = own_soft.unwrap_or(soft).min(LONGEST_TTL);
        let soft = unshortened.mul_f64(share);
        if unshortened.is_zero() {
            return (soft, soft);
        }
        let hard = own_hard.map_or(soft + grace, |hard| hard.max(soft));
        (soft, hard.min(LONGEST_TTL))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_may_bring_its_own_lifetimes() {
        let settings = Settings {
            jitter: 0.0,
            ..Settings::default()
        };
        let secs = Duration::from_secs;
        let grace = settings.hard_ttl - settings.soft_ttl;
        for (exists, own_soft, own_hard, expected) in [
            (true, None, None, (settings.soft_ttl, settings.hard_ttl)),
            (true, Some(secs(5)), None, (secs(5), secs(5) + grace)),
            (true, Some(secs(5)), Some(secs(9)), (secs(5), secs(9))),
            (true, Some(secs(5)), Some(secs(1)), (secs(5), secs(5))),
            (true, Some(secs(0)), Some(secs(9)), (secs(0), secs(0))),
            (true, Some(Duration::MAX), None, (LONGEST_TTL, LONGEST_TTL)),
            (false, Some(secs(5)), None, (secs(5), secs(5))),
        ] {
            assert_eq!(settings.lifetimes(exists, own_soft, own_hard), expected);
        }
    }
}
