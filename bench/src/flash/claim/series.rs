//! Windows of one kind, round by round.

use crate::load::Tally;
use crate::pairs::Summary;

/// Rates and waits of windows that repeat each other.
#[derive(Debug, Default)]
pub(super) struct Series {
    pub(super) per_sec: Vec<f64>,
    pub(super) p50_ms: Vec<f64>,
    pub(super) p99_ms: Vec<f64>,
}

impl Series {
    pub(super) fn push(&mut self, tally: &Tally) {
        self.per_sec.push(tally.per_sec());
        self.p50_ms.push(tally.quantile_ms(0.5));
        self.p99_ms.push(tally.quantile_ms(0.99));
    }

    /// The first window warms up.
    pub(super) fn forget_warm_up(&mut self) {
        for values in [&mut self.per_sec, &mut self.p50_ms, &mut self.p99_ms] {
            if !values.is_empty() {
                values.remove(0);
            }
        }
    }

    pub(super) fn rate(&self) -> Summary {
        Summary::of(self.per_sec.iter().copied())
    }

    /// Medians of a row: replies a second, and the waits of half and of nearly all.
    pub(super) fn cells(&self) -> [String; 3] {
        let median = |values: &[f64]| match values {
            [] => f64::NAN,
            values => Summary::of(values.iter().copied()).median,
        };
        let ms = |values: &[f64]| shown(median(values), 2);
        [
            shown(median(&self.per_sec), 0),
            ms(&self.p50_ms),
            ms(&self.p99_ms),
        ]
    }
}

/// A dash where nothing was measured.
fn shown(value: f64, digits: usize) -> String {
    match value.is_nan() {
        true => "–".to_owned(),
        false => format!("{value:.digits$}"),
    }
}
