//! The hours at which people write.
//!
//! Invariant: [`awake`] keeps the order of moments and never goes forward, so what was before the plan's moment stays so.

use jiff::{SignedDuration, Timestamp};

/// The demo's cities all lie in the zone of Beijing, which has no daylight saving.
const ZONE_SECS: i64 = 8 * 3600;
const DAY_SECS: i64 = 24 * 3600;
/// From here on the day is as it comes; what falls between an [`EVENING`] and it is pressed into that evening.
const MORNING: i64 = 7 * 3600 + 1800;
const EVENING: i64 = 17 * 3600 + 1800;
/// Until midnight: people write more after work.
const EVENING_SECS: i64 = 6 * 3600 + 1800;

/// The moment itself by day, an earlier one in the evening and at night.
pub(crate) fn awake(moment: Timestamp) -> Timestamp {
    let since_morning = (moment.as_second() + ZONE_SECS - MORNING).rem_euclid(DAY_SECS);
    let day_secs = EVENING - MORNING;
    let into_evening = since_morning - day_secs;
    if into_evening < 0 {
        return moment;
    }
    let pressed = into_evening * EVENING_SECS / (DAY_SECS - day_secs);
    moment - SignedDuration::from_secs(into_evening - pressed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_writes_in_the_small_hours_and_moments_keep_their_order() {
        let start = Timestamp::from_second(1_750_000_000).expect("a moment of this century");
        let mut before = Timestamp::MIN;
        for minutes in (0..3 * 24 * 60).step_by(7) {
            let moment = start + SignedDuration::from_mins(minutes);
            let awake = awake(moment);
            let of_day = (awake.as_second() + ZONE_SECS).rem_euclid(DAY_SECS);
            assert!(of_day >= MORNING || of_day <= 3600, "{awake}");
            assert!(before <= awake && awake <= moment, "{moment}");
            before = awake;
        }
    }
}
