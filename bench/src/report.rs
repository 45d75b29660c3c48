//! What a run shows: a table for people, `report.json` for machines.

use std::path::Path;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::pairs::Summary;

#[derive(Debug, Default, Serialize)]
pub(crate) struct Report {
    pub(crate) figures: Vec<Figure>,
}

#[derive(Debug, Serialize)]
pub(crate) struct Figure {
    scenario: &'static str,
    metric: String,
    value: f64,
    /// The lowest and the highest of the pairs.
    spread: [f64; 2],
    goal: Option<Goal>,
    met: Option<bool>,
}

/// What a figure should be.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Goal {
    AtMost(f64),
    AtLeast(f64),
}

impl Goal {
    fn is_met_by(self, value: f64) -> bool {
        match self {
            Self::AtMost(bound) => value <= bound,
            Self::AtLeast(bound) => value >= bound,
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
}

#[expect(clippy::print_stdout, reason = "the table is what the program is for")]
impl Report {
    pub(crate) fn print(&self) {
        println!("\n{:<58} {:>9} {:>21}  goal", "metric", "median", "spread");
        for figure in &self.figures {
            let [lowest, highest] = figure.spread;
            let goal = match (figure.goal, figure.met) {
                (Some(Goal::AtMost(bound)), met) => format!("<= {bound} {}", mark(met)),
                (Some(Goal::AtLeast(bound)), met) => format!(">= {bound} {}", mark(met)),
                (None, _) => String::new(),
            };
            let name = format!("{}: {}", figure.scenario, figure.metric);
            let spread = format!("{lowest:.2} – {highest:.2}");
            println!("{name:<58} {:>9.2} {spread:>21}  {goal}", figure.value);
        }
    }

    pub(crate) fn write(&self) -> Result<()> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("report.json");
        let text = serde_json::to_string_pretty(self)?;
        std::fs::write(&path, text + "\n").context("the report cannot be written")
    }
}

fn mark(met: Option<bool>) -> &'static str {
    match met {
        Some(true) => "met",
        _ => "MISSED",
    }
}
