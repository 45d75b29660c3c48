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

    /// Messages may have been missed, or Redis may have lost what it knew: nothing that was seen counts.
    pub(crate) fn forget(&self) {
        for epoch in &self.epochs {
            epoch.store(0, Ordering::Release);
        }
        self.news.fetch_add(1, Ordering::AcqRel);
    }

    /// Lets the flag stand for another while if it is up for the same reason. Otherwise says whether the caller is the
    /// one to fetch the buyers and [`raise`](Self::raise) it.
    pub(crate) fn renew(&self, finding: &Finding) -> bool {
        if let Some(raised) = self.raised.load().as_deref()
            && raised.seen == finding.seen
            && raised.over == finding.over
        {
            let ask_at_ms = self.millis(finding.asked_at + self.ceiling);
            raised.ask_at_ms.fetch_max(ask_at_ms, Ordering::AcqRel);
            return false;
        }
        self.seen() == finding.seen && !self.fetching.swap(true, Ordering::AcqRel)
    }

    /// Raises the flag, or gives up if the buyers could not be had. If there is news meanwhile it is of no effect.
    pub(crate) fn raise(&self, finding: &Finding, buyers: Option<Filter>) {
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
