//! XFetch: refresh a little before the expiry, by chance, and the sooner the longer a load takes (Vattani, Chierichetti,
//! Lowenstein: "Optimal Probabilistic Cache Stampede Prevention", VLDB 2015).
//!
//! A reader refreshes when `−δ·β·ln(u)` exceeds the time left, δ being the time of the last load; so with `t` left it
//! does so with probability `e^(−t/βδ)`. Several readers may decide to refresh at once; the lease lets one of them load.

use std::time::Duration;

/// Beyond this many βδ the probability is below one in a billion, and a random draw is not worth a logarithm.
const HORIZON: f64 = 21.0;

/// Whether to refresh now an entry that is fresh for `fresh_for`.
pub(crate) fn is_due(fresh_for: Duration, load_time: Duration, beta: f64) -> bool {
    let scale_secs = load_time.as_secs_f64() * beta;
    let left_secs = fresh_for.as_secs_f64();
    // One minus the draw is never zero, whose logarithm would be infinite.
    left_secs < scale_secs * HORIZON
        && -(1.0 - rand::random::<f64>()).ln() * scale_secs >= left_secs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(left_ms: u64, beta: f64) -> f64 {
        const DRAWS: u32 = 40_000;
        let (left, load) = (Duration::from_millis(left_ms), Duration::from_millis(400));
        let due = (0..DRAWS).filter(|_| is_due(left, load, beta)).count();
        due as f64 / f64::from(DRAWS)
    }

    #[test]
    fn the_chance_is_the_one_of_the_paper() {
        for (left_ms, expected) in [(2000, 0.0067), (400, 0.3679), (100, 0.7788)] {
            let found = share(left_ms, 1.0);
            assert!((found - expected).abs() < 0.015, "{left_ms} ms: {found}");
        }
    }

    #[test]
    fn a_beta_of_zero_never_refreshes_early() {
        assert_eq!(share(1, 0.0), 0.0);
    }
}
