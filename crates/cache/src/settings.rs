//! How a cache behaves: its mode, and a bound on everything.
//!
//! The invariant: settings that contradict each other never become a cache.

use std::time::Duration;

/// What happens to readers of a value that is not there, or no longer fresh.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every process loads for itself, once; nobody waits for another process. For loads that are cheap.
    PassThrough,
    /// One process of the cluster loads; the others wait for it. For loads that are dear, and values that must be fresh.
    #[default]
    Mutex,
    /// One process of the cluster loads in the background; everybody goes on with the old value until then, and nobody
    /// waits. Only without an old value is it like [`Mode::Mutex`].
    LogicalExpiry,
}

/// Everything that can be set; see [`Builder`](crate::Builder) for what each one means.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) mode: Mode,
    pub(crate) soft_ttl: Duration,
    pub(crate) hard_ttl: Duration,
    pub(crate) negative_ttl: Duration,
    pub(crate) jitter: f64,
    pub(crate) early_refresh: f64,
    pub(crate) l1_capacity: u64,
    pub(crate) l1_ttl: Duration,
    pub(crate) l1_blind_ttl: Duration,
    pub(crate) l2_timeout: Duration,
    pub(crate) soft_timeout: Duration,
    pub(crate) hard_timeout: Duration,
    pub(crate) max_parallel_loads: usize,
    pub(crate) tombstone_ttl: Duration,
}

/// Settings that contradict each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadSettings {
    #[error("the soft TTL must not be zero or exceed the hard TTL")]
    Lifetimes,
    #[error("the hard TTL must stay below 49 days, the longest that an entry can say")]
    TooLong,
    #[error("jitter must be at least 0 and below 1, early refresh at least 0")]
    Chances,
    #[error("timeouts must not be zero, nor the soft timeout exceed the hard one")]
    Timeouts,
    #[error("at least one load at a time must be allowed")]
    NoLoads,
    #[error("the tombstone must outlive the hard timeout, so that a late fill still meets it")]
    Tombstone,
}

/// What 32 bits of milliseconds can say.
const LONGEST_TTL: Duration = Duration::from_millis(u32::MAX as u64);

impl Default for Settings {
    fn default() -> Self {
        Self {
            mode: Mode::default(),
            soft_ttl: Duration::from_secs(10 * 60),
            hard_ttl: Duration::from_secs(60 * 60),
            negative_ttl: Duration::from_secs(60),
            jitter: 0.1,
            early_refresh: 1.0,
            l1_capacity: 10_000,
            l1_ttl: Duration::from_secs(60),
            l1_blind_ttl: Duration::from_secs(1),
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

    /// How long a value loaded at this moment is fresh and usable, shortened by chance so that entries written together
    /// do not end together. Never longer than was asked for.
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
