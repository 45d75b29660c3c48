//! The sold-out flag of one sale: atomics that claims read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::time::Instant;

use super::filter::BuyerFilter;
use crate::{BuyerId, ClaimOutcome};

/// How long the claim that asks the gate again may take before another one does: longer than a call, much shorter than the
/// ceiling, so that a caller who went away does not matter.
const PROBE_MS: u64 = 250;

/// The pause between two fetches of the buyers, as a multiple of the last one's duration: a sale with many buyers and many
/// returns must not keep Redis busy with scans.
const PAUSE_FACTOR: u64 = 4;

#[derive(Debug)]
pub(crate) struct SoldOutFlag {
    ceiling: Duration,
    /// Rises when an earlier reply of the gate may no longer be true.
    version: AtomicU64,
    /// The highest epoch seen of each bucket; zero for none yet.
    epochs: Box<[AtomicI64]>,
    raised: ArcSwapOption<Raised>,
    /// Whether a task is fetching the buyers.
    fetching: AtomicBool,
    /// When they may be fetched again, in milliseconds since `created`.
    fetch_at_ms: AtomicU64,
    created: Instant,
}

#[derive(Debug)]
struct Raised {
    outcome: ClaimOutcome,
    /// The version for which it is valid.
    version: FlagVersion,
    /// When a claim should ask the gate again, in milliseconds since the flag was created.
    ask_at_ms: AtomicU64,
    /// When it falls by itself, likewise.
    falls_at_ms: u64,
    buyers: BuyerFilter,
}

/// The version of a flag before the gate was called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FlagVersion(u64);

/// A reply of the gate that refuses everybody, and how long it is valid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Observation {
    /// Sold out, not started or ended.
    pub(crate) outcome: ClaimOutcome,
    pub(crate) version: FlagVersion,
    pub(crate) asked_at: Instant,
    /// The beginning of a sale that has not started.
    pub(crate) valid_until: Option<Instant>,
}

impl SoldOutFlag {
    pub(crate) fn new(buckets: usize, ceiling: Duration) -> Self {
        Self {
            ceiling,
            version: AtomicU64::new(0),
            epochs: (0..buckets).map(|_| AtomicI64::new(0)).collect(),
            raised: ArcSwapOption::empty(),
            fetching: AtomicBool::new(false),
            fetch_at_ms: AtomicU64::new(0),
            created: Instant::now(),
        }
    }

    /// The outcome of a claim, if the flag decides it.
    pub(crate) fn outcome(&self, buyer: BuyerId, now: Instant) -> Option<ClaimOutcome> {
        let raised = self.raised.load();
        let raised = raised.as_deref()?;
        let now_ms = self.millis(now);
        let is_valid = raised.version == self.version() && now_ms < raised.falls_at_ms;
        (is_valid && !raised.is_mine_to_ask(now_ms) && !raised.buyers.may_have(buyer))
            .then_some(raised.outcome)
    }

    /// A claim was granted, so others may be too.
    pub(crate) fn lower(&self) {
        if self.raised.load().is_some() {
            self.raised.store(None);
        }
    }

    /// To be read before the gate is called.
    pub(crate) fn version(&self) -> FlagVersion {
        FlagVersion(self.version.load(Ordering::Acquire))
    }

    /// A reply of the gate carried this epoch.
    pub(crate) fn note_replied_epoch(&self, bucket: u16, epoch: i64) {
        let before = self.epochs[usize::from(bucket)].fetch_max(epoch, Ordering::AcqRel);
        if before != 0 && before < epoch {
            self.version.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// A message announced this epoch.
    pub(crate) fn note_published_epoch(&self, bucket: u16, epoch: i64) {
        let Some(known) = self.epochs.get(usize::from(bucket)) else {
            return;
        };
        if known.fetch_max(epoch, Ordering::AcqRel) < epoch {
            self.version.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// This process changed the gate: earlier replies no longer count, even before the message arrives.
    pub(crate) fn invalidate(&self) {
        self.version.fetch_add(1, Ordering::AcqRel);
    }

    /// Messages may have been missed, or Redis may have lost the gate: no earlier epoch or reply counts.
    pub(crate) fn reset(&self) {
        for epoch in &self.epochs {
            epoch.store(0, Ordering::Release);
        }
        self.version.fetch_add(1, Ordering::AcqRel);
    }

    /// Extends the flag if it is raised with the same outcome. Otherwise returns whether the caller has to fetch the buyers
    /// and [`raise`](Self::raise) it.
    pub(crate) fn renew(&self, observation: &Observation, now: Instant) -> bool {
        if let Some(raised) = self.raised.load().as_deref()
            && raised.version == observation.version
            && raised.outcome == observation.outcome
        {
            let ask_at_ms = self.millis(observation.asked_at + self.ceiling);
            raised.ask_at_ms.fetch_max(ask_at_ms, Ordering::AcqRel);
            return false;
        }
        !self.is_outdated(observation)
            && self.millis(now) >= self.fetch_at_ms.load(Ordering::Acquire)
            && !self.fetching.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn is_outdated(&self, observation: &Observation) -> bool {
        self.version() != observation.version
    }

    /// Raises the flag, unless the buyers could not be fetched. Without effect if there is a new version meanwhile.
    pub(crate) fn raise(
        &self,
        observation: &Observation,
        buyers: Option<BuyerFilter>,
        now: Instant,
    ) {
        let refuses_everybody = !matches!(
            observation.outcome,
            ClaimOutcome::Granted(_) | ClaimOutcome::AlreadyBought(_)
        );
        debug_assert!(
            refuses_everybody,
            "an order of one buyer is no flag for all"
        );
        let took_ms = self
            .millis(now)
            .saturating_sub(self.millis(observation.asked_at));
        let fetch_at_ms = self.millis(now) + PAUSE_FACTOR * took_ms;
        self.fetch_at_ms.store(fetch_at_ms, Ordering::Release);
        if let Some(buyers) = buyers {
            let falls_at_ms = observation.valid_until.map(|until| self.millis(until));
            self.raised.store(Some(Arc::new(Raised {
                outcome: observation.outcome,
                version: observation.version,
                ask_at_ms: AtomicU64::new(self.millis(observation.asked_at + self.ceiling)),
                falls_at_ms: falls_at_ms.unwrap_or(u64::MAX),
                buyers,
            })));
        }
        self.fetching.store(false, Ordering::Release);
    }

    fn millis(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.created);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Raised {
    /// Whether the flag is old enough and this claim is the one that asks the gate again.
    fn is_mine_to_ask(&self, now_ms: u64) -> bool {
        let ask_at_ms = self.ask_at_ms.load(Ordering::Acquire);
        let order = Ordering::AcqRel;
        now_ms >= ask_at_ms
            && (self.ask_at_ms)
                .compare_exchange(ask_at_ms, now_ms + PROBE_MS, order, Ordering::Acquire)
                .is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn observe(flag: &SoldOutFlag, outcome: ClaimOutcome, asked_at: Instant) -> Observation {
        Observation {
            outcome,
            version: flag.version(),
            asked_at,
            valid_until: None,
        }
    }

    fn raised(now: Instant) -> SoldOutFlag {
        let flag = SoldOutFlag::new(1, SECOND);
        flag.note_replied_epoch(0, 7);
        let observation = observe(&flag, ClaimOutcome::SoldOut, now);
        assert!(flag.renew(&observation, now));
        flag.raise(&observation, Some(BuyerFilter::of(&[1])), now);
        flag
    }

    fn decides(flag: &SoldOutFlag, now: Instant) -> bool {
        flag.outcome(BuyerId(2), now).is_some()
    }

    #[test]
    fn claims_are_decided_for_everybody_but_buyers() {
        let now = Instant::now();
        let flag = raised(now);
        assert_eq!(flag.outcome(BuyerId(2), now), Some(ClaimOutcome::SoldOut));
        assert_eq!(flag.outcome(BuyerId(1), now), None);
    }

    #[test]
    fn a_higher_epoch_lowers_the_flag_and_a_known_one_does_not() {
        let now = Instant::now();
        let flag = raised(now);
        flag.note_published_epoch(0, 7);
        flag.note_published_epoch(5, 9);
        flag.note_replied_epoch(0, 6);
        assert!(decides(&flag, now));
        flag.note_published_epoch(0, 8);
        assert!(!decides(&flag, now));
        let flag = raised(now);
        flag.note_replied_epoch(0, 8);
        assert!(!decides(&flag, now));
        let flag = raised(now);
        flag.reset();
        assert!(!decides(&flag, now));
    }

    #[test]
    fn a_message_between_the_call_and_the_flag_is_not_lost() {
        let now = Instant::now();
        let flag = SoldOutFlag::new(2, SECOND);
        let observation = observe(&flag, ClaimOutcome::SoldOut, now);
        assert!(flag.renew(&observation, now));
        flag.note_published_epoch(1, 3);
        flag.raise(&observation, Some(BuyerFilter::of(&[])), now);
        assert!(!decides(&flag, now));
        assert!(!flag.renew(&observation, now));
    }

    #[test]
    fn one_claim_calls_the_gate_again_when_the_time_is_over() {
        let now = Instant::now();
        let flag = raised(now);
        let later = now + SECOND;
        assert!(!decides(&flag, later), "the first one asks");
        assert!(decides(&flag, later), "the others go on");
        assert!(!flag.renew(&observe(&flag, ClaimOutcome::SoldOut, later), later));
        assert!(decides(&flag, later + SECOND / 2));
        assert!(!decides(&flag, later + SECOND));
    }

    #[test]
    fn a_probing_caller_that_disconnects_is_replaced_by_another() {
        let now = Instant::now();
        let flag = raised(now);
        assert!(!decides(&flag, now + SECOND));
        assert!(decides(&flag, now + SECOND + SECOND / 5));
        assert!(!decides(&flag, now + SECOND + SECOND / 3));
    }

    #[test]
    fn not_started_ends_for_every_claim_when_the_sale_begins() {
        let now = Instant::now();
        let flag = SoldOutFlag::new(1, SECOND);
        let observation = Observation {
            valid_until: Some(now + SECOND / 2),
            ..observe(&flag, ClaimOutcome::NotStarted, now)
        };
        assert!(flag.renew(&observation, now));
        flag.raise(&observation, Some(BuyerFilter::of(&[])), now);
        assert_eq!(
            flag.outcome(BuyerId(2), now),
            Some(ClaimOutcome::NotStarted)
        );
        assert!((0..3).all(|_| !decides(&flag, now + SECOND / 2)));
    }

    #[test]
    fn buyers_are_fetched_by_one_task_at_a_time_and_not_all_the_time() {
        let now = Instant::now();
        let flag = SoldOutFlag::new(1, SECOND);
        let observed = |at| observe(&flag, ClaimOutcome::SoldOut, at);
        assert!(flag.renew(&observed(now), now));
        assert!(!flag.renew(&observed(now), now), "one at a time");
        let late = now + SECOND;
        flag.raise(&observed(now), None, late);
        assert!(!flag.renew(&observed(late), late), "it took a second");
        let rested = late + 4 * SECOND;
        assert!(flag.renew(&observed(rested), rested));
    }
}
