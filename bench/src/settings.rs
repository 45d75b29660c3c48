//! What can be changed about a run from the environment: longer forms, other rates, another seed.

use std::env;
use std::ops::RangeInclusive;

use anyhow::{Result, bail};

/// A number with a name, and the numbers that make sense.
#[derive(Clone, Debug)]
pub(crate) struct BenchSetting {
    name: &'static str,
    usual: u64,
    bounds: RangeInclusive<u64>,
}

/// Pairs per figure of claims.
pub(crate) const CLAIM_ROUNDS: BenchSetting = BenchSetting::new("BENCH_CLAIM_ROUNDS", 9, 1..=100);
/// Claims of a window of fixed size: fewer for a machine that is slow.
pub(crate) const CLAIM_BUYERS: BenchSetting =
    BenchSetting::new("BENCH_CLAIM_BUYERS", 8_000, 500..=100_000);
/// People for windows of a second, of whom each claims once.
pub(crate) const CLAIM_PEOPLE: BenchSetting =
    BenchSetting::new("BENCH_CLAIM_PEOPLE", 60_000, 10_000..=1_000_000);
/// Seconds of full load that a drainer has to keep up with.
pub(crate) const DRAIN_SECS: BenchSetting = BenchSetting::new("BENCH_DRAIN_SECS", 8, 1..=3_600);
/// Orders that wait for a drainer with nothing else to do.
pub(crate) const DRAIN_ORDERS: BenchSetting =
    BenchSetting::new("BENCH_DRAIN_ORDERS", 100_000, 10_000..=4_000_000);
/// Seconds of the mix; the sale begins in the middle of them.
pub(crate) const MIX_SECS: BenchSetting = BenchSetting::new("BENCH_MIX_SECS", 16, 4..=3_600);
/// Requests a second of the mix: about a third of what two cores can do, so that latency is not that of a queue.
pub(crate) const MIX_PER_SEC: BenchSetting =
    BenchSetting::new("BENCH_MIX_PER_SEC", 2_000, 100..=100_000);
/// Fans of the author with very many.
pub(crate) const FANS: BenchSetting =
    BenchSetting::new("BENCH_FANS", 1_000_000, 20_000..=100_000_000);
/// Connections that stay open.
pub(crate) const STORM_CONNECTIONS: BenchSetting =
    BenchSetting::new("BENCH_STORM_CONNECTIONS", 10_000, 1_000..=60_000);
/// How many times the largest site of the growth curves is the smallest.
pub(crate) const GROWTH: BenchSetting = BenchSetting::new("BENCH_GROWTH", 100, 11..=1_000);
/// Whether the growth curves are drawn on MariaDB as well.
pub(crate) const GROWTH_MARIADB: BenchSetting = BenchSetting::new("BENCH_GROWTH_MARIADB", 0, 0..=1);
/// Shops and notes of the site that is searched.
pub(crate) const SEARCH_SHOPS: BenchSetting =
    BenchSetting::new("BENCH_SEARCH_SHOPS", 30_000, 3_000..=3_000_000);
pub(crate) const SEARCH_NOTES: BenchSetting =
    BenchSetting::new("BENCH_SEARCH_NOTES", 300_000, 6_000..=30_000_000);
/// Whether it is searched on MariaDB as well.
pub(crate) const SEARCH_MARIADB: BenchSetting = BenchSetting::new("BENCH_SEARCH_MARIADB", 0, 0..=1);
/// Seconds for which a site is left alone.
pub(crate) const REST_SECS: BenchSetting = BenchSetting::new("BENCH_REST_SECS", 20, 5..=3_600);
/// The seed of the mix.
pub(crate) const SEED: BenchSetting = BenchSetting::new("BENCH_SEED", 1, 0..=u64::MAX);

const ALL: [BenchSetting; 16] = [
    SEED,
    CLAIM_ROUNDS,
    CLAIM_BUYERS,
    CLAIM_PEOPLE,
    DRAIN_SECS,
    DRAIN_ORDERS,
    MIX_SECS,
    MIX_PER_SEC,
    FANS,
    STORM_CONNECTIONS,
    GROWTH,
    GROWTH_MARIADB,
    REST_SECS,
    SEARCH_SHOPS,
    SEARCH_NOTES,
    SEARCH_MARIADB,
];

impl BenchSetting {
    const fn new(name: &'static str, usual: u64, bounds: RangeInclusive<u64>) -> Self {
        Self {
            name,
            usual,
            bounds,
        }
    }

    /// Its value, which [`check`] has looked at before.
    pub(crate) fn get(&self) -> u64 {
        let text = env::var(self.name).ok();
        text.and_then(|text| self.parse(&text).ok())
            .unwrap_or(self.usual)
    }

    fn parse(&self, text: &str) -> Result<u64> {
        match text.parse() {
            Ok(number) if self.bounds.contains(&number) => Ok(number),
            _ => bail!(
                "{}={text}: a whole number from {} to {} is wanted",
                self.name,
                self.bounds.start(),
                self.bounds.end()
            ),
        }
    }
}

/// Refuses what cannot be measured, before anything is started.
pub(crate) fn check() -> Result<()> {
    for setting in &ALL {
        if let Ok(text) = env::var(setting.name) {
            setting.parse(&text)?;
        }
    }
    Ok(())
}

/// All of them with their values.
pub(crate) fn in_force() -> String {
    let settings = ALL.map(|setting| format!("{}={}", setting.name, setting.get()));
    settings.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_has_bounds_and_a_usual_value_within_them() {
        for setting in &ALL {
            assert!(setting.parse(&setting.usual.to_string()).is_ok());
        }
        assert!(GROWTH.parse("1001").is_err());
        assert!(GROWTH.parse("many").is_err());
        assert!(CLAIM_ROUNDS.parse("0").is_err());
    }
}
