//! The Java original, as it was measured elsewhere: it is not started here, because its parts cannot be had from package
//! sources alone.

use super::contestant::{Contestant, Measured};
use crate::pairs::Summary;
use crate::report::{Figure, Goal};

/// Per second, with `appendfsync everysec`, warmed up, from 64 connections of `wrk`; and how many times as many this site should do.
const ORIGINAL: [(Measured, f64, f64); 4] = [
    (Measured::Claim, 2_800.0, 10.0),
    (Measured::SoldOut, 4_600.0, 10.0),
    (Measured::Shop, 8_000.0, 10.0),
    (Measured::Persisted, 40.0, 100.0),
];
/// The place of `everysec` among the settings.
const EVERYSEC: usize = 0;

/// This site's rates here by the original's there: the machines are not the same, and so the figure is a hint.
pub(super) fn figures(name: &'static str, ours: &Contestant) -> Vec<Figure> {
    let figure = |(what, original, goal): (Measured, f64, f64)| {
        let rates = ours.rates(EVERYSEC, what);
        let ratios = Summary::of(rates.into_iter().map(|rate| rate / original));
        let what = what.name();
        let metric =
            format!("{what}, this site / Java original's {original:.0} measured elsewhere");
        Figure::new(name, metric, ratios, Some(Goal::AtLeast(goal)))
    };
    ORIGINAL.map(figure).into()
}

pub(super) fn rows() -> Vec<Vec<String>> {
    let row = |(what, rate, _): (Measured, f64, f64)| {
        let who = "Java original, measured elsewhere";
        let rate = format!("{rate:.0}");
        ["everysec", who, what.name(), &rate, "–"]
            .map(str::to_owned)
            .into()
    };
    ORIGINAL.map(row).into()
}
