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
const PROBE: Duration = Duration::from_millis(250);

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
    began: Instant,
}

#[derive(Debug)]
struct Raised {
    over: Over,
    /// The news counter for which it holds.
    news: u64,
    /// In milliseconds since the flag was made.
    until_ms: AtomicU64,
    buyers: Arc<Filter>,
}

/// The news counter as it was before the gate was asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen(u64);

impl Flag {
    pub(crate) fn new(buckets: usize, ceiling: Duration) -> Self {
        Self {
            ceiling,
            news: AtomicU64::new(0),
            epochs: (0..buckets).map(|_| AtomicI64::new(0)).collect(),
            raised: ArcSwapOption::empty(),
            fetching: AtomicBool::new(false),
            began: Instant::now(),
        }
    }

    /// The answer for a claimant, if there is one without asking the gate.
    pub(crate) fn answer(&self, buyer: BuyerId, now: Instant) -> Option<Outcome> {
        let raised = self.raised.load();
        let raised = raised.as_deref()?;
        let stands = raised.news == self.news.load(Ordering::Acquire);
        (stands && !self.is_mine_to_ask(raised, now) && !raised.buyers.may_have(buyer))
            .then(|| raised.over.into())
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

    /// Messages may have been missed, or Redis may have lost what it knew: nothing that was seen counts.
    pub(crate) fn forget(&self) {
        for epoch in &self.epochs {
            epoch.store(0, Ordering::Release);
        }
        self.news.fetch_add(1, Ordering::AcqRel);
    }

    /// Lets the flag stand for another while if it is up for the same reason. Otherwise says whether the caller is the
    /// one to fetch the buyers and [`raise`](Self::raise) it.
    pub(crate) fn renew(&self, over: Over, seen: Seen, until: Instant) -> bool {
        let now_true = self.seen() == seen;
        if let Some(raised) = self.raised.load().as_deref()
            && raised.news == seen.0
            && raised.over == over
        {
            raised
                .until_ms
                .fetch_max(self.millis(until), Ordering::AcqRel);
            return false;
        }
        now_true && !self.fetching.swap(true, Ordering::AcqRel)
    }

    /// Raises the flag, or gives up if the buyers could not be had. Does nothing good or bad if there is news.
    pub(crate) fn raise(&self, over: Over, seen: Seen, until: Instant, buyers: Option<Filter>) {
        if let Some(buyers) = buyers {
            self.raised.store(Some(Arc::new(Raised {
                over,
                news: seen.0,
                until_ms: AtomicU64::new(self.millis(until)),
                buyers: Arc::new(buyers),
            })));
        }
        self.fetching.store(false, Ordering::Release);
    }

    pub(crate) fn ceiling(&self) -> Duration {
        self.ceiling
    }

    /// Whether the flag's time is over and this claimant is the one to ask again.
    fn is_mine_to_ask(&self, raised: &Raised, now: Instant) -> bool {
        let until = raised.until_ms.load(Ordering::Acquire);
        let now = self.millis(now);
        let probe = u64::try_from(PROBE.as_millis()).unwrap_or(u64::MAX);
        now >= until
            && raised
                .until_ms
                .compare_exchange(until, now + probe, Ordering::AcqRel, Ordering::Acquire)
                .is_ok()
    }

    fn millis(&self, at: Instant) -> u64 {
        let since = at.saturating_duration_since(self.began);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
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
