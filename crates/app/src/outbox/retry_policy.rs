//! Decides what happens to a failed effect: when it is retried, and whether it is dead-lettered.
//!
//! | failure | attempt counted | dead-lettered |
//! |---|---|---|
//! | SQL, Redis or another dependency of ours is unavailable | no | never |
//! | the provider did not answer, or not clearly | no | never: unknown is not failed |
//! | the provider refused, or is no longer configured | yes | at the limit; the money stays in escrow |
//! | the row cannot be read | yes | at the limit, so that younger rows of its key proceed; the next relay retries it |
//! | an effect on Redis failed for another reason | yes | never; from the limit on it is logged as stuck |
//!
//! Effects on Redis are never dead-lettered, because nothing else would apply them: a unit would stay unsold, a
//! cached row stale. They read the present state, so retrying for ever is harmless.

use std::time::Duration;

use jiff::Timestamp;
use storage::outbox::{DeadLetterReason, OutboxRow};
use supervise::Backoff;

use super::effect::EffectError;
use crate::Error;
use crate::payments::PaymentError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FailureAction {
    /// A dependency is unavailable: no attempt is counted.
    Defer(Duration),
    /// The effect itself failed.
    Retry {
        pause: Duration,
        is_stuck: bool,
    },
    DeadLetter(DeadLetterReason),
}

/// The shortest delay; it doubles with each failure.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// A fixed cause is noticed within a minute.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// Effects resume within seconds of the end of an outage.
const LONGEST_OUTAGE_PAUSE: Duration = Duration::from_secs(5);
/// A refusing provider is retried for hours before an operator is involved.
const LONGEST_REFUSED_PAUSE: Duration = Duration::from_secs(600);

/// The delay is this fraction of the row's age, so that it grows with the outage without a counter.
const OUTAGE_PART: u32 = 8;

pub(super) fn classify_failure(
    row: &OutboxRow,
    error: &EffectError,
    max_attempts: u32,
    now: Timestamp,
) -> FailureAction {
    let age = Duration::try_from(now.duration_since(row.created_at)).unwrap_or_default();
    let rest = |longest| (age / OUTAGE_PART).clamp(FIRST_PAUSE, longest);
    let failures = row.attempts;
    let is_last = failures.saturating_add(1) >= max_attempts;
    match error {
        EffectError::Failed(error) if error.is_outage() => {
            FailureAction::Defer(rest(LONGEST_OUTAGE_PAUSE))
        }
        EffectError::Failed(Error::Payment(PaymentError::Unknown(_))) => {
            FailureAction::Defer(rest(LONGEST_PAUSE))
        }
        EffectError::Failed(Error::Payment(
            PaymentError::Refused(_) | PaymentError::NoProvider(_),
        )) if is_last => FailureAction::DeadLetter(DeadLetterReason::Refused),
        EffectError::Failed(Error::Payment(
            PaymentError::Refused(_) | PaymentError::NoProvider(_),
        )) => FailureAction::Retry {
            pause: doubled(failures, LONGEST_REFUSED_PAUSE),
            is_stuck: false,
        },
        EffectError::UnknownKind(_) | EffectError::Payload(_) if is_last => {
            FailureAction::DeadLetter(DeadLetterReason::Unreadable)
        }
        EffectError::UnknownKind(_) | EffectError::Payload(_) => FailureAction::Retry {
            pause: doubled(failures, LONGEST_PAUSE),
            is_stuck: false,
        },
        EffectError::Failed(_) => FailureAction::Retry {
            pause: doubled(failures, LONGEST_PAUSE),
            is_stuck: is_last,
        },
    }
}

/// The delay after a failure, by the number of failures before it.
fn doubled(failures: u32, longest: Duration) -> Duration {
    Backoff::new(FIRST_PAUSE, longest).delay_after(failures.saturating_add(1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::SignedDuration;
    use pay::{Refusal, RefusalKind};
    use storage::outbox::OutboxId;

    const BOUND: u32 = 20;

    fn row(attempts: u32, created_at: Timestamp) -> OutboxRow {
        OutboxRow {
            id: OutboxId::new(1),
            kind: "k".to_owned(),
            key: "x".to_owned(),
            payload: "{}".to_owned(),
            attempts,
            created_at,
        }
    }

    fn classified(attempts: u32, error: Error) -> FailureAction {
        let now = Timestamp::now();
        classify_failure(&row(attempts, now), &EffectError::Failed(error), BOUND, now)
    }

    fn refused() -> Error {
        let refusal = Refusal {
            kind: RefusalKind::WrongState,
            code: "NO".to_owned(),
        };
        PaymentError::Refused(refusal).into()
    }

    /// A failure that is no outage, such as a bug in an effect.
    fn of_its_own() -> Error {
        Error::IdempotencyMismatch
    }

    fn outage() -> Error {
        Error::Busy {
            retry_after: Duration::from_secs(1),
        }
    }

    #[test]
    fn pauses_grow_and_end_at_their_longest() {
        assert_eq!(doubled(0, LONGEST_PAUSE), FIRST_PAUSE);
        assert_eq!(doubled(1, LONGEST_PAUSE), FIRST_PAUSE * 2);
        for failures in [9, 31, 32, u32::MAX] {
            assert_eq!(doubled(failures, LONGEST_PAUSE), LONGEST_PAUSE);
        }
    }

    #[test]
    fn an_outage_is_never_counted_however_long_it_lasts() {
        let now = Timestamp::now();
        for (secs, pause) in [
            (0, FIRST_PAUSE),
            (16, Duration::from_secs(2)),
            (86_400, LONGEST_OUTAGE_PAUSE),
        ] {
            let row = row(u32::MAX, now - SignedDuration::from_secs(secs));
            let error = EffectError::Failed(outage());
            assert_eq!(
                classify_failure(&row, &error, BOUND, now),
                FailureAction::Defer(pause)
            );
        }
    }

    #[test]
    fn a_refusal_is_given_up_at_the_bound_and_not_before() {
        assert!(matches!(
            classified(BOUND - 2, refused()),
            FailureAction::Retry { .. }
        ));
        assert_eq!(
            classified(BOUND - 1, refused()),
            FailureAction::DeadLetter(DeadLetterReason::Refused)
        );
    }

    #[test]
    fn an_effect_on_redis_is_stuck_at_the_bound_and_never_given_up() {
        for (attempts, is_stuck) in [(0, false), (BOUND - 1, true), (u32::MAX, true)] {
            let failure_action = classified(attempts, of_its_own());
            let FailureAction::Retry {
                is_stuck: stuck, ..
            } = failure_action
            else {
                panic!("{failure_action:?}");
            };
            assert_eq!(stuck, is_stuck);
        }
    }

    #[test]
    fn a_row_that_cannot_be_read_frees_its_key_at_the_bound() {
        let (now, error) = (Timestamp::now(), EffectError::UnknownKind("new".to_owned()));
        let failure_action = |attempts| classify_failure(&row(attempts, now), &error, BOUND, now);
        assert!(matches!(failure_action(0), FailureAction::Retry { .. }));
        assert_eq!(
            failure_action(BOUND - 1),
            FailureAction::DeadLetter(DeadLetterReason::Unreadable)
        );
    }
}
