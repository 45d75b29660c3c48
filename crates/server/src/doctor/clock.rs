//! Compares clocks: Redis decides sessions, codes and sales by its clock, and this machine shows them by its own.

use std::time::Duration;

use super::Finding;

const NOTICEABLE: Duration = Duration::from_secs(1);
const HARMFUL: Duration = Duration::from_secs(5);

/// `whose` clock is `difference` away from ours.
pub(super) fn finding(whose: &str, difference: Duration) -> Finding {
    let text = format!(
        "the clock of {whose} is {} ms off ours",
        difference.as_millis()
    );
    let advice = "run a time service (systemd-timesyncd, chrony) on both machines";
    if difference > HARMFUL {
        Finding::problem(text, advice)
    } else if difference > NOTICEABLE {
        Finding::warning(text, advice)
    } else {
        Finding::ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Severity;

    #[test]
    fn a_second_is_noticed_and_five_are_too_many() {
        let severity = |ms| finding("Redis", Duration::from_millis(ms)).severity;
        assert_eq!(severity(1_000), Severity::Ok);
        assert_eq!(severity(1_001), Severity::Warning);
        assert_eq!(severity(5_000), Severity::Warning);
        assert_eq!(severity(5_001), Severity::Problem);
    }
}
