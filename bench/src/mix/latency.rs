//! How long people waited, by what they wanted.

use std::time::Duration;

use hdrhistogram::Histogram;

use super::NAME;
use super::script::{RequestKind, RequestScript};
use crate::load::TimedReply;
use crate::pairs::Summary;
use crate::report::{Axis, Figure, Plot, PlotLine, Point};

/// Two significant figures are more than a shared machine can repeat.
const FIGURES: u8 = 2;
/// What is drawn of a distribution.
const QUANTILES: [f64; 7] = [0.5, 0.75, 0.9, 0.95, 0.99, 0.995, 0.999];

pub(super) fn figures(script: &RequestScript, replies: &[TimedReply]) -> Vec<Figure> {
    let mut figures = Vec::new();
    for kind in RequestKind::ALL {
        let seconds = by_second(script, replies, kind);
        for (quantile, name) in [(0.5, "p50"), (0.99, "p99")] {
            let values = seconds.iter().map(|(_, waits)| ms(waits, quantile));
            let metric = format!("{}, {name} in ms", kind.name());
            figures.push(Figure::new(NAME, metric, Summary::of(values), None));
        }
        let all = Summary::of([ms(&waits(script, replies, kind), 0.999)]);
        let metric = format!("{}, p99.9 of the whole run in ms", kind.name());
        figures.push(Figure::new(NAME, metric, all, None));
    }
    figures
}

pub(super) fn plots(script: &RequestScript, replies: &[TimedReply]) -> Vec<Plot> {
    let distribution = |kind: RequestKind| {
        let waits = waits(script, replies, kind);
        let points = QUANTILES.iter().map(|quantile| Point {
            x: 1.0 / (1.0 - quantile),
            y: Summary::of([ms(&waits, *quantile)]),
        });
        line(kind, points)
    };
    let course = |kind: RequestKind| {
        let seconds = by_second(script, replies, kind);
        let points = seconds.iter().map(|(second, waits)| Point {
            x: *second as f64,
            y: Summary::of([ms(waits, 0.99)]),
        });
        line(kind, points)
    };
    let quantiles = [
        (2.0, "50 %"),
        (10.0, "90 %"),
        (100.0, "99 %"),
        (1_000.0, "99.9 %"),
    ];
    vec![
        Plot {
            title: "How long people waited".to_owned(),
            x: Axis::logarithmic("of them at most so long")
                .marked(quantiles.map(|(x, name)| (x, name.to_owned()))),
            y: Axis::logarithmic("ms"),
            lines: RequestKind::ALL.map(distribution).into(),
        },
        Plot {
            title: "The same second by second, p99; the sale begins in the middle".to_owned(),
            x: Axis::linear("seconds"),
            y: Axis::logarithmic("ms"),
            lines: RequestKind::ALL.map(course).into(),
        },
    ]
}

fn line(kind: RequestKind, points: impl Iterator<Item = Point>) -> PlotLine {
    PlotLine {
        name: kind.name().to_owned(),
        points: points.collect(),
    }
}

fn waits(script: &RequestScript, replies: &[TimedReply], kind: RequestKind) -> Histogram<u64> {
    let mut waits = histogram();
    for (action, it) in script.actions.iter().zip(replies) {
        if action.kind() == kind {
            waits += micros(it.took);
        }
    }
    waits
}

/// The same by the second in which they were due.
fn by_second(
    script: &RequestScript,
    replies: &[TimedReply],
    kind: RequestKind,
) -> Vec<(u64, Histogram<u64>)> {
    let mut seconds: Vec<(u64, Histogram<u64>)> = Vec::new();
    for ((action, due), it) in script.actions.iter().zip(&script.due).zip(replies) {
        if action.kind() != kind {
            continue;
        }
        let second = due.as_secs();
        if seconds.last().is_none_or(|(last, _)| *last != second) {
            seconds.push((second, histogram()));
        }
        if let Some((_, waits)) = seconds.last_mut() {
            *waits += micros(it.took);
        }
    }
    seconds
}

fn histogram() -> Histogram<u64> {
    Histogram::new(FIGURES).expect("two figures are not too many")
}

fn micros(took: Duration) -> u64 {
    u64::try_from(took.as_micros()).unwrap_or(u64::MAX)
}

fn ms(waits: &Histogram<u64>, quantile: f64) -> f64 {
    waits.value_at_quantile(quantile) as f64 / 1_000.0
}
