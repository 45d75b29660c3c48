//! `tandian doctor`: checks everything a site depends on and prints what to do about each problem.
//!
//! It changes nothing and can run beside a serving process. Each check is a function that returns findings; a check that
//! cannot run is a finding too, and the other checks go on.

mod clock;
mod codes;
mod data;
mod documents;
mod flash;
mod machine;
mod outbox;
mod ports;
mod redis;
mod replication;
mod sql;

use std::fmt;

use crate::settings::{Effective, SettingsError};

/// One line of the report.
#[derive(Debug)]
pub struct Finding {
    severity: Severity,
    text: String,
    advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Severity {
    Ok,
    /// The site works now; this may cause a failure later.
    Warning,
    /// The site does not run, or not safely.
    Problem,
}

/// All findings, in the order of the checks.
#[derive(Debug, Default)]
pub struct DoctorReport(Vec<Finding>);

/// If the settings cannot be loaded, the report has nothing else.
pub async fn examine(settings: Result<Effective, SettingsError>) -> DoctorReport {
    let mut report = DoctorReport::default();
    report.add(machine::version());
    let (settings, exposures) = match settings {
        Ok(effective) => {
            let exposures = effective.exposures();
            (effective.settings, exposures)
        }
        Err(error) => {
            report.extend(machine::refused_settings(&error));
            return report;
        }
    };
    report.add(machine::settings(&settings));
    report.extend(machine::exposures(exposures));
    report.extend(machine::limits(&settings));
    report.extend(data::folder(&settings));
    report.extend(documents::examine(&settings));
    report.extend(redis::examine(&settings).await);
    report.extend(sql::examine(&settings).await);
    report.extend(outbox::examine(&settings).await);
    report.extend(flash::examine(&settings).await);
    report.extend(codes::examine(&settings).await);
    report.extend(ports::examine(&settings).await);
    report
}

impl DoctorReport {
    pub fn is_healthy(&self) -> bool {
        self.0
            .iter()
            .all(|finding| finding.severity < Severity::Problem)
    }

    fn add(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.0.extend(findings);
    }

    fn count(&self, severity: Severity) -> usize {
        let same = |finding: &&Finding| finding.severity == severity;
        self.0.iter().filter(same).count()
    }
}

impl Finding {
    fn ok(text: impl Into<String>) -> Self {
        Self {
            severity: Severity::Ok,
            text: text.into(),
            advice: None,
        }
    }

    fn warning(text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            text: text.into(),
            advice: Some(advice.into()),
        }
    }

    fn problem(text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            severity: Severity::Problem,
            text: text.into(),
            advice: Some(advice.into()),
        }
    }
}

impl fmt::Display for DoctorReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.0 {
            writeln!(f, "{finding}")?;
        }
        let (problems, warnings) = (self.count(Severity::Problem), self.count(Severity::Warning));
        match (problems, warnings) {
            (0, 0) => writeln!(f, "\nNo problems found."),
            (0, _) => writeln!(f, "\nIt works; {warnings} warning(s)."),
            _ => writeln!(f, "\n{problems} problem(s), {warnings} warning(s)."),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.severity {
            Severity::Ok => '✓',
            Severity::Warning => '!',
            Severity::Problem => '✗',
        };
        write!(f, "{mark} {}", self.text)?;
        match &self.advice {
            Some(advice) => write!(f, ": {advice}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_broken_makes_a_site_unhealthy() {
        let mut report = DoctorReport::default();
        report.add(Finding::ok("a"));
        report.add(Finding::warning("b", "do this"));
        assert!(report.is_healthy());
        assert!(report.to_string().starts_with("✓ a\n! b: do this\n"));
        report.add(Finding::problem("c", "do that"));
        assert!(!report.is_healthy());
        assert!(
            report
                .to_string()
                .ends_with("\n1 problem(s), 1 warning(s).\n")
        );
    }
}
