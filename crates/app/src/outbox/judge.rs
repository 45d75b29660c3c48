//! What becomes of an effect that did not happen: when it is tried again, and whether it may be given up.
//!
//! | what failed | counted | given up |
//! |---|---|---|
//! | SQL, Redis or another thing of ours is away | no | never |
//! | the provider did not answer, or not clearly | no | never: unknown is not failed |
//! | the provider said no, or the site has it no more | yes | after the bound; the money stays in escrow |
//! | the row cannot be read | yes | after the bound, so that younger rows of its key go on; the next relay tries again |
//! | an effect on Redis, for a reason of its own | yes | never; from the bound on it is stuck, which is an error in the log |
//!
//! Effects on Redis are never given up, because nobody else would bring them about: a piece would stay unsold, a cached
//! row stale. They read the present state, so trying for ever is harmless.

use std::time::Duration;

use jiff::Timestamp;
use storage::outbox::{Give, OutboxRow};

use super::effect::EffectError;
use crate::Error;
use crate::payments::PaymentError;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sentence {
    /// Something that it needs is away: no attempt is counted.
    Wait(Duration),
    /// It failed for a reason of its own.
    Retry {
        pause: Duration,
        is_stuck: bool,
    },
    GiveUp(Give),
}

/// The shortest pause; that after a failure doubles with each one.
const FIRST_PAUSE: Duration = Duration::from_millis(200);
/// So that a repaired cause is noticed within a minute.
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// So that an outage is over for everybody within seconds of its end.
const LONGEST_OUTAGE_PAUSE: Duration = Duration::from_secs(5);
/// A provider that says no is asked again for hours, not minutes, before a person is.
const LONGEST_REFUSED_PAUSE: Duration = Duration::from_secs(600);

/// A row rests for this part of its age, so that pauses grow with the outage and no count is needed.
const OUTAGE_PART: u32 = 8;

pub(super) fn judge(
    row: &OutboxRow,
    error: &EffectError,
    max_attempts: u32,
    now: Timestamp,
) -> Sentence {
    let age = Duration::try_from(now.duration_since(row.created_at)).unwrap_or_default();
    let rest = |longest| (age / OUTAGE_PART).clamp(FIRST_PAUSE, longest);
    let failures = row.attempts;
    let is_last = failures.saturating_add(1) >= max_attempts;
    match error {
        EffectError::Failed(error) if error.is_outage() => {
            Sentence::Wait(rest(LONGEST_OUTAGE_PAUSE))
        }
        EffectError::Failed(Error::Payment(PaymentError::Unknown(_))) => {
            Sentence::Wait(rest(LONGEST_PAUSE))
        }
        EffectError::Failed(Error::Payment(
            PaymentError::Refused(_) | PaymentError::NoProvider(_),
        )) if is_last => Sentence::GiveUp(Give::Refused),
        EffectError::Failed(Error::Payment(
            PaymentError::Refused(_) | PaymentError::NoProvider(_),
        )) => Sentence::Retry {
            pause: doubled(failures, LONGEST_REFUSED_PAUSE),
            is_stuck: false,
        },
        EffectError::UnknownKind(_) | EffectError::Payload(_) if is_last => {
            Sentence::GiveUp(Give::Unreadable)
        }
        EffectError::UnknownKind(_) | EffectError::Payload(_) => Sentence::Retry {
            pause: doubled(failures, LONGEST_PAUSE),
            is_stuck: false,
        },
        EffectError::Failed(_) => Sentence::Retry {
            pause: doubled(failures, LONGEST_PAUSE),
            is_stuck: is_last,
        },
    }
}

/// The pause after a failure, by the number of failures before it.
fn doubled(failures: u32, longest: Duration) -> Duration {
    let doubled = 2_u32.checked_pow(failures);
    let pause = doubled.and_then(|times| FIRST_PAUSE.checked_mul(times));
    pause.map_or(longest, |pause| pause.min(longest))
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

    fn judged(attempts: u32, error: Error) -> Sentence {
        let now = Timestamp::now();
        judge(&row(attempts, now), &EffectError::Failed(error), BOUND, now)
    }

    fn refused() -> Error {
        let refusal = Refusal {
            kind: RefusalKind::WrongState,
            code: "NO".to_owned(),
        };
        PaymentError::Refused(refusal).into()
    }

    /// A failure of ours that is no outage, as a bug in an effect is.
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
            assert_eq!(judge(&row, &error, BOUND, now), Sentence::Wait(pause));
        }
    }

    #[test]
    fn a_refusal_is_given_up_at_the_bound_and_not_before() {
        assert!(matches!(
            judged(BOUND - 2, refused()),
            Sentence::Retry { .. }
        ));
        assert_eq!(
            judged(BOUND - 1, refused()),
            Sentence::GiveUp(Give::Refused)
        );
    }

    #[test]
    fn an_effect_on_redis_is_stuck_at_the_bound_and_never_given_up() {
        for (attempts, is_stuck) in [(0, false), (BOUND - 1, true), (u32::MAX, true)] {
            let sentence = judged(attempts, of_its_own());
            let Sentence::Retry {
                is_stuck: stuck, ..
            } = sentence
            else {
                panic!("{sentence:?}");
            };
            assert_eq!(stuck, is_stuck);
        }
    }

    #[test]
    fn a_row_that_cannot_be_read_frees_its_key_at_the_bound() {
        let (now, error) = (Timestamp::now(), EffectError::UnknownKind("new".to_owned()));
        let sentence = |attempts| judge(&row(attempts, now), &error, BOUND, now);
        assert!(matches!(sentence(0), Sentence::Retry { .. }));
        assert_eq!(sentence(BOUND - 1), Sentence::GiveUp(Give::Unreadable));
    }
}
