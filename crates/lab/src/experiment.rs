//! The smaller experiments: several implementations of one feature, each run through the same trials.
//!
//! The invariant: a trial is deterministic. All callers read before any of them writes, time passes only when the trial advances it,
//! and a process dies at the intended step.

use anyhow::Result;
use futures_util::future::{LocalBoxFuture, try_join_all};
use serde::{Deserialize, Serialize};

use crate::services::Services;
use crate::{avalanche, caches, double_writes, limits, lock_kinds, replicas, sessions};

/// In the order of the page.
pub const EXPERIMENTS: &[&Experiment] = &[
    &caches::EXPERIMENT,
    &avalanche::EXPERIMENT,
    &double_writes::EXPERIMENT,
    &replicas::EXPERIMENT,
    &lock_kinds::EXPERIMENT,
    &sessions::EXPERIMENT,
    &limits::EXPERIMENT,
];

/// The same in English and in Chinese.
pub(crate) type TextPair = (&'static str, &'static str);

/// Variants of one feature, and the trials that they run through.
#[derive(Debug)]
pub struct Experiment {
    pub id: &'static str,
    pub(crate) title: TextPair,
    pub(crate) what: TextPair,
    pub(crate) trials: &'static [Trial],
    pub(crate) ways: &'static [Variant],
}

/// A trial that every variant runs; `what` also names the right number.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) id: &'static str,
    pub(crate) title: TextPair,
    pub(crate) what: TextPair,
}

/// One variant, in a file of its own.
#[derive(Debug)]
pub(crate) struct Variant {
    pub(crate) id: &'static str,
    pub(crate) title: TextPair,
    pub(crate) why: TextPair,
    pub(crate) file: &'static str,
    pub(crate) code: &'static str,
    pub(crate) run: for<'a> fn(&'a Services) -> Outcomes<'a>,
}

/// The outcomes of all trials of one variant.
pub(crate) type Outcomes<'a> = LocalBoxFuture<'a, Result<Vec<TrialOutcome>>>;

/// The outcome of one trial of one variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct TrialOutcome {
    pub trial: String,
    /// How many of those that the trial counts.
    pub count: usize,
    pub of: usize,
    /// Nothing where the count is a price rather than a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub is_right: Option<bool>,
    /// The first schedule that went wrong, where the trial tries several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moments: Vec<TrialEvent>,
}

/// One event of a schedule of a trial.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialEvent {
    /// `reader` or `writer`.
    pub who: String,
    /// An id among the moments of the report.
    pub what: String,
}

impl Experiment {
    /// Puts all ways through all trials, side by side: none of them sees anything of another.
    pub async fn run(&self, services: &Services) -> Result<Vec<(&'static str, Vec<TrialOutcome>)>> {
        let ways = self
            .ways
            .iter()
            .map(async |way| Ok((way.id, (way.run)(services).await?)));
        try_join_all(ways).await
    }
}

impl TrialOutcome {
    /// A number that is right or wrong.
    pub(crate) fn judged(trial: &Trial, count: usize, of: usize, is_right: bool) -> Self {
        Self {
            is_right: Some(is_right),
            ..Self::priced(trial, count, of)
        }
    }

    /// A number that is neither.
    pub(crate) fn priced(trial: &Trial, count: usize, of: usize) -> Self {
        Self {
            trial: trial.id.to_owned(),
            count,
            of,
            is_right: None,
            moments: Vec::new(),
        }
    }
}
