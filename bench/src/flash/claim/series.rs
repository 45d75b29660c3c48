//! Windows of one kind, round by round.

use crate::load::Tally;
use crate::pairs::Summary;
use crate::process::CpuShares;

/// Rates and waits of windows that repeat each other.
#[derive(Debug, Default)]
pub(super) struct Series {
    pub(super) per_sec: Vec<f64>,
    pub(super) p50_ms: Vec<f64>,
    pub(super) p99_ms: Vec<f64>,
    /// Microseconds of a core per request: client, server, its SQLite, Redis.
    cpu_us: [Vec<f64>; 4],
}

impl Series {
    pub(super) fn push(&mut self, tally: &Tally) {
        self.per_sec.push(tally.per_sec());
        self.p50_ms.push(tally.quantile_ms(0.5));
        self.p99_ms.push(tally.quantile_ms(0.99));
        let CpuShares {
            client,
            server,
            sqlite,
            redis,
        } = tally.cpu;
        for (values, share) in self.cpu_us.iter_mut().zip([client, server, sqlite, redis]) {
            let requests = tally.answers.len() as f64;
            values.push(share.as_secs_f64() * 1e6 / requests);
        }
    }

    /// The first window warms up.
    pub(super) fn forget_warm_up(&mut self) {
        let measured = [&mut self.per_sec, &mut self.p50_ms, &mut self.p99_ms];
        for values in measured.into_iter().chain(&mut self.cpu_us) {
            if !values.is_empty() {
                values.remove(0);
            }
        }
    }

    pub(super) fn rate(&self) -> Summary {
        Summary::of(self.per_sec.iter().copied())
    }

    /// Medians of a row: replies a second, the waits of half and of nearly all, and what the cores did for a request.
    pub(super) fn cells(&self) -> Vec<String> {
        let median = |values: &[f64]| match values {
            [] => f64::NAN,
            values => Summary::of(values.iter().copied()).median,
        };
        let waits = [&self.p50_ms, &self.p99_ms].map(|values| shown(median(values), 2));
        let cpu = self.cpu_us.iter().map(|values| match median(values) {
            // Not watched.
            0.0 => shown(f64::NAN, 1),
            us => shown(us, 1),
        });
        let rate = shown(median(&self.per_sec), 0);
        std::iter::once(rate).chain(waits).chain(cpu).collect()
    }
}

/// A dash where nothing was measured.
fn shown(value: f64, digits: usize) -> String {
    match value.is_nan() {
        true => "–".to_owned(),
        false => format!("{value:.digits$}"),
    }
}
