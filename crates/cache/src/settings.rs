//! The settings of a cache: its mode, lifetimes, timeouts and bounds.
//!
//! The invariant: no cache is built with settings that contradict each other.

use std::time::Duration;

/// What a reader does when no fresh value is cached and another process is loading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheMode {
    /// Every process loads once by itself; no reader waits for another process. For cheap loads.
    PassThrough,
    /// One process of the cluster loads; the others wait for it. For expensive loads and values that must be fresh.
    #[default]
    Mutex,
    /// One process of the cluster loads in the background; readers get the old value until then and do not wait. Without an
    /// old value it is like [`CacheMode::Mutex`].
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
}

/// Settings that are out of range or contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    #[error("the soft TTL must not be zero or exceed the hard TTL")]
    Lifetimes,
    #[error("the hard TTL must stay below 49 days, the longest that an entry can encode")]
    TooLong,
    #[error("jitter must be at least 0 and below 1, early refresh at least 0")]
    Chances,
    #[error("timeouts must not be zero, nor the soft timeout exceed the hard one")]
    Timeouts,
    #[error("at least one load at a time must be allowed")]
    NoLoads,
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
    /// expire together. Never longer than the setting.
    pub(crate) fn lifetimes(&self, exists: bool) -> (Duration, Duration) {
        let share = 1.0 - self.jitter * rand::random::<f64>();
        if !exists {
            let life = self.negative_ttl.mul_f64(share);
            return (life, life);
        }
        let soft = self.soft_ttl.mul_f64(share);
        (soft, soft + (self.hard_ttl - self.soft_ttl))
    }
}
