//! The report as a table on the terminal.

use std::fmt;

use super::{ExperimentResult, LabReport, VariantResult, VersionResult};
use crate::attack::Attack;
use crate::sale_outcome::SaleOutcome;

/// What a column shows: harm, none, neither.
const HARM: &str = "✗";
const NO_HARM: &str = "✓";
const NEITHER: &str = "·";

/// Room for the longest title of a version, and of a way.
const VERSION_WIDTH: usize = 35;
const WAY_WIDTH: usize = 49;

/// Room for what is shown of an attack, and of a trial.
const ATTACK_WIDTH: usize = 3;
const TRIAL_WIDTH: usize = 15;

impl fmt::Display for LabReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tried = self.versions.iter().filter(|row| !row.findings.is_empty());
        let tried: Vec<&VersionResult> = tried.collect();
        if !tried.is_empty() {
            write_head(f)?;
            tried.iter().try_for_each(|row| write_row(f, row))?;
            write_legend(f)?;
        }
        let experiments = self.experiments.iter();
        experiments
            .filter(|it| it.ways.iter().any(|way| !way.outcomes.is_empty()))
            .try_for_each(|it| write_experiment(f, it))
    }
}

fn write_head(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for (number, attack) in (1..).zip(Attack::ALL) {
        let (title, what) = (attack.title().en, attack.what().en);
        writeln!(f, "  {number:2} {title}: {what}")?;
    }
    write!(f, "\n  {:VERSION_WIDTH$}", "Version")?;
    for number in 1..=Attack::ALL.len() {
        write!(f, "{number:>ATTACK_WIDTH$}")?;
    }
    writeln!(f, "    sold  over  dup lost idle   speed")
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &VersionResult) -> fmt::Result {
    let worst = |count: fn(&SaleOutcome) -> usize| {
        let verdicts = row.findings.iter().map(|finding| &finding.verdict);
        verdicts.map(count).max().unwrap_or_default()
    };
    let sold = row
        .crowd
        .map(|crowd| format!("{}/{}", crowd.sold, crowd.stock));
    let speed = row.relative.map(percent);
    write!(f, "  {:VERSION_WIDTH$}", row.title.en)?;
    for attack in Attack::ALL {
        write!(f, "{:>ATTACK_WIDTH$}", mark(row, attack))?;
    }
    writeln!(
        f,
        "  {:>6}  {:4} {:4} {:4} {:4} {:>7}",
        sold.unwrap_or_default(),
        worst(|verdict| verdict.oversold),
        worst(|verdict| verdict.duplicates),
        worst(|verdict| verdict.lost),
        worst(|verdict| verdict.stranded),
        speed.unwrap_or_default(),
    )?;
    writeln!(f, "    {}", row.why.en)
}

/// Locks are hundreds of times slower than the last version: whole numbers would all be zero.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    let digits = if percent < 10.0 { 1 } else { 0 };
    format!("{percent:.digits$} %")
}

fn write_legend(f: &mut fmt::Formatter<'_>) -> fmt::Result {
    writeln!(
        f,
        "
  {HARM} did harm   {NO_HARM} did none   {NEITHER} does not apply
  sold: of the stock; speed: of the last version's
  over, dup, lost, idle: the worst of all attacks: units oversold, second orders of a buyer,
  orders in a reply that SQL lacks, units left unsold"
    )
}

fn mark(row: &VersionResult, attack: Attack) -> &'static str {
    let found = row.findings.iter().find(|finding| finding.attack == attack);
    match found {
        Some(finding) if finding.verdict.is_right() => NO_HARM,
        Some(_) => HARM,
        None => NEITHER,
    }
}

fn write_experiment(f: &mut fmt::Formatter<'_>, experiment: &ExperimentResult) -> fmt::Result {
    writeln!(f, "\n  {}. {}", experiment.title.en, experiment.what.en)?;
    for (number, trial) in (1..).zip(&experiment.trials) {
        writeln!(f, "  {number:2} {}: {}", trial.title.en, trial.what.en)?;
    }
    write!(f, "\n  {:WAY_WIDTH$}", "Way")?;
    for number in 1..=experiment.trials.len() {
        write!(f, "{number:>TRIAL_WIDTH$}")?;
    }
    writeln!(f)?;
    experiment.ways.iter().try_for_each(|way| write_way(f, way))
}

fn write_way(f: &mut fmt::Formatter<'_>, way: &VariantResult) -> fmt::Result {
    write!(f, "  {:WAY_WIDTH$}", way.title.en)?;
    for outcome in &way.outcomes {
        let mark = match outcome.is_right {
            Some(true) => NO_HARM,
            Some(false) => HARM,
            None => NEITHER,
        };
        let outcome = format!("{mark} {} / {}", outcome.count, outcome.of);
        write!(f, "{outcome:>TRIAL_WIDTH$}")?;
    }
    writeln!(f, "\n    {}", way.why.en)
}
