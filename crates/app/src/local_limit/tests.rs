//! The limit against a model without eviction.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use proptest::prelude::*;

use super::*;

const PERIOD: Duration = Duration::from_secs(60);

/// The limit by its definition: a bucket of `burst` that fills up by one every `period / burst`.
#[derive(Default)]
struct Model {
    /// When each of the takes in force will have been paid back, per key.
    paid_at: HashMap<u64, Duration>,
}

impl Model {
    fn take(&mut self, key: u64, now: Duration, burst: u32) -> Result<(), Duration> {
        let interval = PERIOD / burst;
        let paid_at = self.paid_at.entry(key).or_default();
        let start = (*paid_at).max(now);
        let latest = now + interval * (burst - 1);
        if start > latest {
            return Err(start - latest);
        }
        *paid_at = start + interval;
        Ok(())
    }
}

proptest! {
    #[test]
    fn every_take_is_decided_as_by_the_model(
        burst in 1_u32..20,
        takes in prop::collection::vec((0_u64..5, 0_u64..20_000), 1..300),
    ) {
        let limit = LocalLimit::new(burst, PERIOD, 1_000);
        let mut model = Model::default();
        let begin = Instant::now();
        let mut passed = Duration::ZERO;
        for (key, pause_ms) in takes {
            passed += Duration::from_millis(pause_ms);
            let expected = model.take(key, passed, burst).map_err(RetryAfter);
            prop_assert_eq!(limit.take(key, begin + passed), expected);
        }
    }
}

#[test]
fn a_burst_is_admitted_at_once_and_not_one_more() {
    let limit = LocalLimit::new(5, PERIOD, 1_000);
    let now = Instant::now();
    for _ in 0..5 {
        limit.take(7_u64, now).unwrap();
    }
    let RetryAfter(wait) = limit.take(7, now).unwrap_err();
    assert_eq!(wait, Duration::from_secs(12));
    limit.take(8, now).unwrap();
    limit.take(7, now + wait).unwrap();
    limit.take(7, now + wait).unwrap_err();
}

#[test]
fn threads_that_take_at_once_get_the_burst_together() {
    let limit = Arc::new(LocalLimit::new(1_000, PERIOD, 1_000));
    let now = Instant::now();
    let threads: Vec<_> = (0..4)
        .map(|_| {
            let limit = limit.clone();
            std::thread::spawn(move || {
                (0..1_000)
                    .filter(|_| limit.take(1_u64, now).is_ok())
                    .count()
            })
        })
        .collect();
    let admitted: usize = threads
        .into_iter()
        .map(|thread| thread.join().unwrap())
        .sum();
    assert_eq!(admitted, 1_000);
}

#[test]
fn a_million_addresses_do_not_fill_the_memory() {
    let limit = LocalLimit::new(2, PERIOD, 10_000);
    let now = Instant::now();
    for address in 0..1_000_000_u32 {
        limit
            .take(IpAddr::V4(Ipv4Addr::from_bits(address)), now)
            .unwrap();
    }
    assert!(limit.remembered() <= 10_048, "{}", limit.remembered());
}

#[test]
fn the_largest_debts_are_kept_while_other_keys_pass_through() {
    let limit = LocalLimit::new(10, PERIOD, 64 * 100);
    let now = Instant::now();
    while limit.take(0_u64, now).is_ok() {}
    for stranger in 1..100_000 {
        limit.take(stranger, now).unwrap();
    }
    limit.take(0, now).unwrap_err();
}

#[test]
fn who_owes_nothing_any_more_makes_room() {
    let limit = LocalLimit::new(1, PERIOD, 6_400);
    let begin = Instant::now();
    for key in 0..100_000_u64 {
        let _ = limit.take(key, begin);
    }
    let later = begin + 2 * PERIOD;
    for key in 200_000..200_100_u64 {
        limit.take(key, later).unwrap();
    }
    assert!(limit.remembered() < 6_400);
}
