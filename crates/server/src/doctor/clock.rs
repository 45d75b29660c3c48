//! Clocks that disagree: sessions, codes and sales are decided by the clock of Redis and shown by ours.

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
        Finding::bad(text, advice)
    } else if difference > NOTICEABLE {
        Finding::doubtful(text, advice)
    } else {
        Finding::good(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Verdict;

    #[test]
    fn a_second_is_noticed_and_five_are_too_many() {
        let verdict = |ms| finding("Redis", Duration::from_millis(ms)).verdict;
        assert_eq!(verdict(1_000), Verdict::Good);
        assert_eq!(verdict(1_001), Verdict::Doubtful);
        assert_eq!(verdict(5_000), Verdict::Doubtful);
        assert_eq!(verdict(5_001), Verdict::Bad);
    }
}
