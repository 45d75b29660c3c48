//! One sale's flag: atomics that claimants read.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::Duration;

use arc_swap::ArcSwapOption;
use tokio::time::Instant;

use super::filter::Filter;
use crate::{BuyerId, Outcome};

/// How long the one who asks again may take before another does: longer than a call takes, much shorter than the
/// ceiling, so that a claimant who went away is not noticed.
const PROBE_MS: u64 = 250;

/// Between two fetches of the buyers lies at least this many times what the last one took, so that a sale with many
/// buyers and many returns does not keep Redis busy with scans.
const REST: u64 = 4;

/// Why nobody can buy at the moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    SoldOut,
    NotStarted,
    Ended,
}

#[derive(Debug)]
pub(crate) struct Flag {
    ceiling: Duration,
    /// Rises when what is known may no longer be true.
    news: AtomicU64,
    /// The highest epoch seen of each bucket; zero for none yet.
    epochs: Box<[AtomicI64]>,
    raised: ArcSwapOption<Raised>,
    /// Whether somebody is fetching the buyers.
    fetching: AtomicBool,
    /// When they may be fetched again, in milliseconds since the flag was made.
    fetch_at_ms: AtomicU64,
    began: Instant,
}

#[derive(Debug)]
struct Raised {
    over: Over,
    /// The news counter for which it holds.
    seen: Seen,
    /// When somebody should ask again, in milliseconds since the flag was made.
    ask_at_ms: AtomicU64,
    /// When it falls by itself, likewise.
    falls_at_ms: u64,
    buyers: Filter,
}

/// The news counter as it was before the gate was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen(u64);

/// What the gate said, and what it is worth.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Finding {
    pub(crate) over: Over,
    pub(crate) seen: Seen,
    pub(crate) asked_at: Instant,
    /// The moment from which it is not true any more: the beginning of the sale.
    pub(crate) true_until: Option<Instant>,
}

impl Flag {
    pub(crate) fn new(buckets: usize, ceiling: Duration) -> Self {
        Self {
            ceiling,
            news: AtomicU64::new(0),
            epochs: (0..buckets).map(|_| AtomicI64::new(0)).collect(),
            raised: ArcSwapOption::empty(),
            fetching: AtomicBool::new(false),
            fetch_at_ms: AtomicU64::new(0),
            began: Instant::now(),
        }
    }

    /// The answer for a claimant, if there is one without asking the gate.
    pub(crate) fn answer(&self, buyer: BuyerId, now: Instant) -> Option<Outcome> {
        let raised = self.raised.load();
        let raised = raised.as_deref()?;
        let now_ms = self.millis(now);
        let stands = raised.seen == self.seen() && now_ms < raised.falls_at_ms;
        (stands && !raised.is_mine_to_ask(now_ms) && !raised.buyers.may_have(buyer))
            .then(|| raised.over.into())
    }

    /// Somebody got a piece, so it is not over.
    pub(crate) fn lower(&self) {
        if self.raised.load().is_some() {
            self.raised.store(None);
        }
    }

    /// To be taken down before the gate is asked.
    pub(crate) fn seen(&self) -> Seen {
        Seen(self.news.load(Ordering::Acquire))
    }

    /// The gate's answer carried this epoch.
    pub(crate) fn replied(&self, bucket: u16, epoch: i64) {
        let before = self.epochs[usize::from(bucket)].fetch_max(epoch, Ordering::AcqRel);
        if before != 0 && before < epoch {
            self.news.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// A message said that the epoch has risen to this.
    pub(crate) fn heard(&self, bucket: u16, epoch: i64) {
        let Some(known) = self.epochs.get(usize::from(bucket)) else {
            return;
        };
        if known.fetch_max(epoch, Ordering::AcqRel) < epoch {
            self.news.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// This process has changed the gate: what was asked before that does not count, whenever the message comes.
    pub(crate) fn changed(&self) {
        self.news.fetch_add(1, Ordering::AcqRel);
    }

    /// Messages may have been missed, or Redis may have lost what it knew: nothing that was seen counts.
    pub(crate) fn forget(&self) {
        for epoch in &self.epochs {
            epoch.store(0, Ordering::Release);
        }
        self.news.fetch_add(1, Ordering::AcqRel);
    }

    /// Lets the flag stand for another while if it is up for the same reason. Otherwise says whether the caller is the
    /// one to fetch the buyers and [`raise`](Self::raise) it.
    pub(crate) fn renew(&self, finding: &Finding, now: Instant) -> bool {
        if let Some(raised) = self.raised.load().as_deref()
            && raised.seen == finding.seen
            && raised.over == finding.over
        {
            let ask_at_ms = self.millis(finding.asked_at + self.ceiling);
            raised.ask_at_ms.fetch_max(ask_at_ms, Ordering::AcqRel);
            return false;
        }
        !self.has_news_since(finding)
            && self.millis(now) >= self.fetch_at_ms.load(Ordering::Acquire)
            && !self.fetching.swap(true, Ordering::AcqRel)
    }

    pub(crate) fn has_news_since(&self, finding: &Finding) -> bool {
        self.seen() != finding.seen
    }

    /// Raises the flag, or gives up if the buyers could not be had. If there is news meanwhile it is of no effect.
    pub(crate) fn raise(&self, finding: &Finding, buyers: Option<Filter>, now: Instant) {
        let took_ms = self
            .millis(now)
            .saturating_sub(self.millis(finding.asked_at));
        let fetch_at_ms = self.millis(now) + REST * took_ms;
        self.fetch_at_ms.store(fetch_at_ms, Ordering::Release);
        if let Some(buyers) = buyers {
            let falls_at_ms = finding.true_until.map(|until| self.millis(until));
            self.raised.store(Some(Arc::new(Raised {
                over: finding.over,
                seen: finding.seen,
                ask_at_ms: AtomicU64::new(self.millis(finding.asked_at + self.ceiling)),
                falls_at_ms: falls_at_ms.unwrap_or(u64::MAX),
                buyers,
            })));
        }
        self.fetching.store(false, Ordering::Release);
    }

    fn millis(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.began);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

impl Raised {
    /// Whether the flag has stood long enough and this claimant is the one to ask again.
    fn is_mine_to_ask(&self, now_ms: u64) -> bool {
        let ask_at_ms = self.ask_at_ms.load(Ordering::Acquire);
        let order = Ordering::AcqRel;
        now_ms >= ask_at_ms
            && (self.ask_at_ms)
                .compare_exchange(ask_at_ms, now_ms + PROBE_MS, order, Ordering::Acquire)
                .is_ok()
    }
}

impl From<Over> for Outcome {
    fn from(over: Over) -> Self {
        match over {
            Over::SoldOut => Self::SoldOut,
            Over::NotStarted => Self::NotStarted,
            Over::Ended => Self::Ended,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn finding(flag: &Flag, over: Over, asked_at: Instant) -> Finding {
        Finding {
            over,
            seen: flag.seen(),
            asked_at,
            true_until: None,
        }
    }

    fn raised(now: Instant) -> Flag {
        let flag = Flag::new(1, SECOND);
        flag.replied(0, 7);
        let finding = finding(&flag, Over::SoldOut, now);
        assert!(flag.renew(&finding, now));
        flag.raise(&finding, Some(Filter::of(&[1])), now);
        flag
    }

    fn answers(flag: &Flag, now: Instant) -> bool {
        flag.answer(BuyerId(2), now).is_some()
    }

    #[test]
    fn strangers_are_answered_and_buyers_are_not() {
        let now = Instant::now();
        let flag = raised(now);
        assert_eq!(flag.answer(BuyerId(2), now), Some(Outcome::SoldOut));
        assert_eq!(flag.answer(BuyerId(1), now), None);
    }

    #[test]
    fn a_higher_epoch_takes_it_down_and_a_known_one_does_not() {
        let now = Instant::now();
        let flag = raised(now);
        flag.heard(0, 7);
        flag.heard(5, 9);
        flag.replied(0, 6);
        assert!(answers(&flag, now));
        flag.heard(0, 8);
        assert!(!answers(&flag, now));
        let flag = raised(now);
        flag.replied(0, 8);
        assert!(!answers(&flag, now));
        let flag = raised(now);
        flag.forget();
        assert!(!answers(&flag, now));
    }

    #[test]
    fn news_between_the_question_and_the_flag_is_not_lost() {
        let now = Instant::now();
        let flag = Flag::new(2, SECOND);
        let finding = finding(&flag, Over::SoldOut, now);
        assert!(flag.renew(&finding, now));
        flag.heard(1, 3);
        flag.raise(&finding, Some(Filter::of(&[])), now);
        assert!(!answers(&flag, now));
        assert!(!flag.renew(&finding, now));
    }

    #[test]
    fn one_claimant_asks_again_when_the_time_is_over() {
        let now = Instant::now();
        let flag = raised(now);
        let later = now + SECOND;
        assert!(!answers(&flag, later), "the first one asks");
        assert!(answers(&flag, later), "the others go on");
        assert!(!flag.renew(&finding(&flag, Over::SoldOut, later), later));
        assert!(answers(&flag, later + SECOND / 2));
        assert!(!answers(&flag, later + SECOND));
    }

    #[test]
    fn whoever_asks_again_and_goes_away_is_followed_by_another() {
        let now = Instant::now();
        let flag = raised(now);
        assert!(!answers(&flag, now + SECOND));
        assert!(answers(&flag, now + SECOND + SECOND / 5));
        assert!(!answers(&flag, now + SECOND + SECOND / 3));
    }

    #[test]
    fn not_started_ends_for_everybody_when_the_sale_begins() {
        let now = Instant::now();
        let flag = Flag::new(1, SECOND);
        let finding = Finding {
            true_until: Some(now + SECOND / 2),
            ..finding(&flag, Over::NotStarted, now)
        };
        assert!(flag.renew(&finding, now));
        flag.raise(&finding, Some(Filter::of(&[])), now);
        assert_eq!(flag.answer(BuyerId(2), now), Some(Outcome::NotStarted));
        assert!((0..3).all(|_| !answers(&flag, now + SECOND / 2)));
    }

    #[test]
    fn buyers_are_fetched_by_one_at_a_time_and_not_all_the_time() {
        let now = Instant::now();
        let flag = Flag::new(1, SECOND);
        let found = |at| finding(&flag, Over::SoldOut, at);
        assert!(flag.renew(&found(now), now));
        assert!(!flag.renew(&found(now), now), "one at a time");
        let late = now + SECOND;
        flag.raise(&found(now), None, late);
        assert!(!flag.renew(&found(late), late), "it took a second");
        let rested = late + 4 * SECOND;
        assert!(flag.renew(&found(rested), rested));
    }
}
