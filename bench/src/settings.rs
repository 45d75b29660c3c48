//! What can be changed about a run from the environment: longer forms, other rates, another seed.

use std::env;

/// A number with a name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BenchSetting {
    name: &'static str,
    usual: u64,
}

/// Seconds of full load that a drainer has to keep up with.
pub(crate) const DRAIN_SECS: BenchSetting = BenchSetting::new("BENCH_DRAIN_SECS", 8);
/// Orders that wait for a drainer with nothing else to do.
pub(crate) const DRAIN_ORDERS: BenchSetting = BenchSetting::new("BENCH_DRAIN_ORDERS", 100_000);
/// Seconds of the mix; the sale begins in the middle of them.
pub(crate) const MIX_SECS: BenchSetting = BenchSetting::new("BENCH_MIX_SECS", 16);
/// Requests a second of the mix: about a third of what two cores can do, so that latency is not that of a queue.
pub(crate) const MIX_PER_SEC: BenchSetting = BenchSetting::new("BENCH_MIX_PER_SEC", 2_000);
/// Fans of the author with very many.
pub(crate) const FANS: BenchSetting = BenchSetting::new("BENCH_FANS", 1_000_000);
/// Connections that stay open.
pub(crate) const STORM_CONNECTIONS: BenchSetting =
    BenchSetting::new("BENCH_STORM_CONNECTIONS", 10_000);
/// How many times the largest site of the growth curves is the smallest.
pub(crate) const GROWTH: BenchSetting = BenchSetting::new("BENCH_GROWTH", 100);
/// The seed of the mix.
pub(crate) const SEED: BenchSetting = BenchSetting::new("BENCH_SEED", 1);

const ALL: [BenchSetting; 8] = [
    SEED,
    DRAIN_SECS,
    DRAIN_ORDERS,
    MIX_SECS,
    MIX_PER_SEC,
    FANS,
    STORM_CONNECTIONS,
    GROWTH,
];

impl BenchSetting {
    const fn new(name: &'static str, usual: u64) -> Self {
        Self { name, usual }
    }

    pub(crate) fn get(self) -> u64 {
        let text = env::var(self.name).ok();
        text.and_then(|text| text.parse().ok())
            .unwrap_or(self.usual)
    }
}

/// All of them with their values.
pub(crate) fn in_force() -> String {
    let settings = ALL.map(|setting| format!("{}={}", setting.name, setting.get()));
    settings.join(" ")
}
