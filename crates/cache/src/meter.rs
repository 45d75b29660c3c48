//! Counters of a cache, for [`Cache::stats`](crate::Cache::stats) and for the recorder of the `metrics` crate.
//!
//! The hit path adds to one counter and does nothing else; a background task publishes totals to the recorder.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};

/// A monotonic counter.
#[derive(Debug, Default)]
pub(crate) struct Count(AtomicU64);

impl Count {
    pub(crate) fn add(&self, number: usize) {
        self.0.fetch_add(number as u64, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[derive(Debug)]
pub(crate) struct Meter {
    name: Arc<str>,
    pub(crate) l1_hits: Count,
    pub(crate) l2_hits: Count,
    pub(crate) misses: Count,
    pub(crate) turned_away: Count,
    pub(crate) loads: Count,
    pub(crate) load_errors: Count,
    pub(crate) early_refreshes: Count,
    pub(crate) fills: Count,
    pub(crate) refused_fills: Count,
    pub(crate) stale_serves: Count,
    pub(crate) lease_waits: Count,
    pub(crate) l2_errors: Count,
    pub(crate) encode_errors: Count,
    pub(crate) decode_errors: Count,
    pub(crate) bypasses: Count,
    pub(crate) invalidations: Count,
    pub(crate) gaps: Count,
}

/// Totals and the present state of a cache.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// Reads answered from the memory of this process.
    pub l1_hits: u64,
    /// Keys found fresh in Redis.
    pub l2_hits: u64,
    /// Keys found in neither.
    pub misses: u64,
    /// Reads of ids that the Bloom filter knows not to exist.
    pub turned_away: u64,
    /// Keys passed to the loader.
    pub loads: u64,
    /// Calls of the loader that failed, panicked or took too long.
    pub load_errors: u64,
    /// Refreshes started before the soft expiry.
    pub early_refreshes: u64,
    /// Loaded entries that Redis stored.
    pub fills: u64,
    /// Loaded entries that Redis refused because their key was invalidated, or a newer version was stored or announced.
    pub refused_fills: u64,
    /// Reads answered with a value past its soft expiry.
    pub stale_serves: u64,
    /// Loads that had to wait for the lease of another one, mostly in another process.
    pub lease_waits: u64,
    /// Redis calls that failed or timed out.
    pub l2_errors: u64,
    /// Loaded values that the [codec](crate::Codec) does not suit, so that Redis does not hold them.
    pub encode_errors: u64,
    /// Entries of this schema in Redis that did not decode; they were misses.
    pub decode_errors: u64,
    /// Keys loaded without Redis.
    pub bypasses: u64,
    /// Keys invalidated by this process.
    pub invalidations: u64,
    /// How often the subscription was lost, and with it the trust in memory.
    pub gaps: u64,
    /// Entries in memory, approximately.
    pub l1_entries: u64,
    /// In-flight loads.
    pub in_flight_loads: u64,
    /// Whether the circuit breaker keeps reads away from Redis.
    pub breaker_open: bool,
    /// Whether the subscription to invalidations is up.
    pub subscribed: bool,
}

impl Meter {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            l1_hits: Count::default(),
            l2_hits: Count::default(),
            misses: Count::default(),
            turned_away: Count::default(),
            loads: Count::default(),
            load_errors: Count::default(),
            early_refreshes: Count::default(),
            fills: Count::default(),
            refused_fills: Count::default(),
            stale_serves: Count::default(),
            lease_waits: Count::default(),
            l2_errors: Count::default(),
            encode_errors: Count::default(),
            decode_errors: Count::default(),
            bypasses: Count::default(),
            invalidations: Count::default(),
            gaps: Count::default(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The counters; the cache fills in the gauges.
    pub(crate) fn stats(&self) -> Stats {
        Stats {
            l1_hits: self.l1_hits.get(),
            l2_hits: self.l2_hits.get(),
            misses: self.misses.get(),
            turned_away: self.turned_away.get(),
            loads: self.loads.get(),
            load_errors: self.load_errors.get(),
            early_refreshes: self.early_refreshes.get(),
            fills: self.fills.get(),
            refused_fills: self.refused_fills.get(),
            stale_serves: self.stale_serves.get(),
            lease_waits: self.lease_waits.get(),
            l2_errors: self.l2_errors.get(),
            encode_errors: self.encode_errors.get(),
            decode_errors: self.decode_errors.get(),
            bypasses: self.bypasses.get(),
            invalidations: self.invalidations.get(),
            gaps: self.gaps.get(),
            ..Stats::default()
        }
    }

    pub(crate) fn load_took(&self, time: Duration) {
        metrics::histogram!("cache_load_seconds", "cache" => self.name.clone()).record(time);
    }

    pub(crate) fn l2_took(&self, operation: &'static str, since: Instant) {
        metrics::histogram!("cache_l2_seconds", "cache" => self.name.clone(), "operation" => operation)
            .record(since.elapsed());
    }

    pub(crate) fn miss_took(&self, since: Instant) {
        metrics::histogram!("cache_miss_seconds", "cache" => self.name.clone())
            .record(since.elapsed());
    }

    /// Publishes totals and gauges to the recorder.
    pub(crate) fn publish(&self, stats: &Stats) {
        let counters = [
            ("cache_l1_hits_total", stats.l1_hits),
            ("cache_l2_hits_total", stats.l2_hits),
            ("cache_misses_total", stats.misses),
            ("cache_turned_away_total", stats.turned_away),
            ("cache_loads_total", stats.loads),
            ("cache_load_errors_total", stats.load_errors),
            ("cache_early_refreshes_total", stats.early_refreshes),
            ("cache_fills_total", stats.fills),
            ("cache_refused_fills_total", stats.refused_fills),
            ("cache_stale_serves_total", stats.stale_serves),
            ("cache_lease_waits_total", stats.lease_waits),
            ("cache_l2_errors_total", stats.l2_errors),
            ("cache_encode_errors_total", stats.encode_errors),
            ("cache_decode_errors_total", stats.decode_errors),
            ("cache_bypasses_total", stats.bypasses),
            ("cache_invalidations_total", stats.invalidations),
            ("cache_gaps_total", stats.gaps),
        ];
        for (name, total) in counters {
            metrics::counter!(name, "cache" => self.name.clone()).absolute(total);
        }
        let gauges = [
            ("cache_l1_entries", stats.l1_entries as f64),
            ("cache_flights", stats.in_flight_loads as f64),
            (
                "cache_breaker_open",
                f64::from(u8::from(stats.breaker_open)),
            ),
            ("cache_listening", f64::from(u8::from(stats.subscribed))),
        ];
        for (name, level) in gauges {
            metrics::gauge!(name, "cache" => self.name.clone()).set(level);
        }
    }
}
