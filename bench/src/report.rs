//! What a run shows: a table for people, `report.json` for machines, `report.html` to look at and to pass on.
//!
//! A scenario that fails is part of the report, under its name and with its reason: a reader of any of the three must
//! never take a missing figure for a good one.

mod page;
mod plot;
mod table;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::machine::Machine;
use crate::pairs::Summary;

pub(crate) use plot::{Axis, Plot, PlotLine, Point};
pub(crate) use table::print;

/// Everything a run came to.
#[derive(Debug)]
pub(crate) struct BenchReport {
    pub(crate) machine: Machine,
    pub(crate) outcomes: Vec<ScenarioOutcome>,
}

/// What became of one scenario.
#[derive(Debug)]
pub(crate) struct ScenarioOutcome {
    pub(crate) scenario: &'static str,
    /// What is measured, and how.
    pub(crate) about: &'static str,
    pub(crate) took: Duration,
    /// Or why there is nothing.
    pub(crate) findings: Result<Findings, String>,
}

/// What one scenario found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    pub(crate) figures: Vec<Figure>,
    pub(crate) breakdowns: Vec<Breakdown>,
    pub(crate) plots: Vec<Plot>,
}

/// What a figure consists of, in words and numbers.
#[derive(Debug)]
pub(crate) struct Breakdown {
    pub(crate) title: &'static str,
    pub(crate) head: Vec<&'static str>,
    /// As many cells as the head has.
    pub(crate) rows: Vec<Vec<String>>,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct Figure {
    scenario: &'static str,
    metric: String,
    value: f64,
    /// The lowest and the highest of the pairs.
    spread: [f64; 2],
    goal: Option<Goal>,
    met: Option<bool>,
}

/// What `report.json` holds.
#[derive(Debug, Serialize)]
struct ReportFile {
    figures: Vec<Figure>,
}

/// What a figure should be.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
    /// Neither below the first nor above the second.
    Within(f64, f64),
}

/// How many goals were met and missed, and how many scenarios failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Score {
    pub(crate) met: usize,
    pub(crate) missed: usize,
    pub(crate) failed: usize,
}

impl Findings {
    /// Puts what was found elsewhere after what was found here.
    pub(crate) fn add(&mut self, other: Self) {
        self.figures.extend(other.figures);
        self.breakdowns.extend(other.breakdowns);
        self.plots.extend(other.plots);
    }
}

impl From<Vec<Figure>> for Findings {
    fn from(figures: Vec<Figure>) -> Self {
        Self {
            figures,
            ..Self::default()
        }
    }
}

impl Goal {
    fn is_met_by(self, value: f64) -> bool {
        match self {
            Self::AtMost(bound) => value <= bound,
            Self::AtLeast(bound) => value >= bound,
            Self::Within(least, most) => (least..=most).contains(&value),
        }
    }

    /// The bound that a value is nearest to.
    fn bound_near(self, value: f64) -> f64 {
        match self {
            Self::AtMost(bound) | Self::AtLeast(bound) => bound,
            Self::Within(least, _) if value < least => least,
            Self::Within(_, most) => most,
        }
    }
}

impl std::fmt::Display for Goal {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::AtMost(bound) => write!(formatter, "≤ {}", shown_bound(*bound)),
            Self::AtLeast(bound) => write!(formatter, "≥ {}", shown_bound(*bound)),
            Self::Within(least, most) => {
                let (least, most) = (shown_bound(*least), shown_bound(*most));
                write!(formatter, "{least} – {most}")
            }
        }
    }
}

impl Figure {
    pub(crate) fn new(
        scenario: &'static str,
        metric: impl Into<String>,
        summary: Summary,
        goal: Option<Goal>,
    ) -> Self {
        Self {
            scenario,
            metric: metric.into(),
            value: summary.median,
            spread: [summary.lowest, summary.highest],
            goal,
            met: goal.map(|goal| goal.is_met_by(summary.median)),
        }
    }

    /// The median, with more digits where it misses its goal by less than the usual ones show.
    fn shown(&self) -> String {
        let usual = shown(self.value);
        let bound = self.goal.map(|goal| shown(goal.bound_near(self.value)));
        match self.met {
            Some(false) if bound.as_ref() == Some(&usual) => format!("{:.4}", self.value),
            _ => usual,
        }
    }
}

impl BenchReport {
    /// Every figure; a scenario that failed has one that marks the failure.
    fn figures(&self) -> Vec<Figure> {
        let outcomes = self.outcomes.iter();
        let figures = outcomes.flat_map(|outcome| match &outcome.findings {
            Ok(findings) => findings.figures.clone(),
            Err(_) => vec![Figure::new(
                outcome.scenario,
                "completed",
                Summary::of([0.0]),
                Some(Goal::AtLeast(1.0)),
            )],
        });
        figures.collect()
    }

    pub(crate) fn score(&self) -> Score {
        let mut score = Score::default();
        for outcome in &self.outcomes {
            match &outcome.findings {
                Ok(findings) => {
                    let verdicts = findings.figures.iter().filter_map(|figure| figure.met);
                    let (met, missed): (Vec<_>, Vec<_>) = verdicts.partition(|met| *met);
                    score.met += met.len();
                    score.missed += missed.len();
                }
                Err(_) => score.failed += 1,
            }
        }
        score
    }

    /// Writes both files under this name, and tells where the page is.
    pub(crate) fn write(&self, name: &str) -> Result<PathBuf> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        let form = ReportFile {
            figures: self.figures(),
        };
        let json = serde_json::to_string_pretty(&form)?;
        let page = folder.join(format!("{name}.html"));
        std::fs::write(folder.join(format!("{name}.json")), json + "\n")
            .and_then(|()| std::fs::write(&page, page::render(self)))
            .context("the report cannot be written")?;
        Ok(page)
    }
}

/// Four significant digits, so that neither a share nor a rate is drowned in them.
fn shown(value: f64) -> String {
    match value.abs() {
        large if large >= 1_000.0 => thousands(value.round() as i64),
        large if large >= 100.0 => format!("{value:.0}"),
        middle if middle >= 10.0 => format!("{value:.1}"),
        small if small >= 0.1 || small == 0.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}

/// A bound as it was written down, with its thousands apart.
fn shown_bound(bound: f64) -> String {
    match bound >= 1_000.0 {
        true => thousands(bound.round() as i64),
        false => bound.to_string(),
    }
}

fn thousands(value: i64) -> String {
    let digits = value.abs().to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| str::from_utf8(group).expect("digits are ASCII"))
        .collect();
    let sign = if value < 0 { "-" } else { "" };
    format!("{sign}{}", groups.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> BenchReport {
        let good = vec![
            Figure::new("shop", "ratio", Summary::of([0.5, 1.0, 2.0]), None),
            Figure::new("shop", "calls", Summary::of([3.0]), Some(Goal::AtMost(2.0))),
        ];
        let outcome = |scenario, findings| ScenarioOutcome {
            scenario,
            about: "how <it> is measured",
            took: Duration::from_secs(1),
            findings,
        };
        BenchReport {
            machine: Machine::default(),
            outcomes: vec![
                outcome("shop", Ok(good.into())),
                outcome("claim", Err("an order was <lost>".to_owned())),
            ],
        }
    }

    #[test]
    fn a_failed_scenario_is_a_goal_missed_in_the_form_of_all_figures() {
        let figures = serde_json::to_value(report().figures()).unwrap();
        let expected = serde_json::json!([
            { "scenario": "shop", "metric": "ratio", "value": 1.0, "spread": [0.5, 2.0], "goal": null, "met": null },
            { "scenario": "shop", "metric": "calls", "value": 3.0, "spread": [3.0, 3.0],
              "goal": { "at_most": 2.0 }, "met": false },
            { "scenario": "claim", "metric": "completed", "value": 0.0, "spread": [0.0, 0.0],
              "goal": { "at_least": 1.0 }, "met": false },
        ]);
        assert_eq!(figures, expected);
        let score = Score {
            met: 0,
            missed: 1,
            failed: 1,
        };
        assert_eq!(report().score(), score);
    }

    #[test]
    fn the_page_stands_alone_and_escapes_what_it_is_told() {
        let page = page::render(&report());
        assert!(page.contains("how &lt;it&gt; is measured"));
        assert!(page.contains("an order was &lt;lost&gt;"));
        for outside in ["http:", "https:", "src=", "<link", "<script"] {
            assert!(!page.contains(outside), "{outside}");
        }
    }

    #[test]
    fn a_goal_that_is_missed_by_a_hair_does_not_look_met() {
        let figure = |value| {
            let goal = Some(Goal::AtMost(3.0));
            Figure::new("lock", "calls", Summary::of([value]), goal).shown()
        };
        assert_eq!(figure(3.0004), "3.0004");
        assert_eq!(figure(3.0), "3.00");
        assert_eq!(figure(3.2), "3.20");
    }

    #[test]
    fn numbers_are_short_enough_to_be_read() {
        let cases = [
            (0.0, "0.00"),
            (0.0123, "0.0123"),
            (0.857, "0.86"),
            (12.34, "12.3"),
            (954.4, "954"),
            (41_833.4, "41,833"),
            (-1_234_567.0, "-1,234,567"),
        ];
        for (value, text) in cases {
            assert_eq!(shown(value), text);
        }
    }
}
