//! `tandian doctor`: looks at everything a site depends on and says what to do about what is wrong.
//!
//! It changes nothing and can be run beside a serving process. Each look is a function that returns findings; one that cannot be
//! made is a finding itself, never the end of the examination.

mod clock;
mod data;
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
    verdict: Verdict,
    text: String,
    advice: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    Good,
    /// Works, and could bite later.
    Doubtful,
    /// The site does not run, or not safely.
    Bad,
}

/// All findings, in the order a person would look.
#[derive(Debug, Default)]
pub struct Report(Vec<Finding>);

/// Settings that cannot be loaded are the whole report: nothing else is known then.
pub async fn examine(settings: Result<Effective, SettingsError>) -> Report {
    let mut report = Report::default();
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
    report.extend(redis::examine(&settings).await);
    report.extend(sql::examine(&settings).await);
    report.extend(outbox::examine(&settings).await);
    report.extend(flash::examine(&settings).await);
    report.extend(ports::examine(&settings).await);
    report
}

impl Report {
    pub fn is_healthy(&self) -> bool {
        self.0.iter().all(|finding| finding.verdict < Verdict::Bad)
    }

    fn add(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        self.0.extend(findings);
    }

    fn count(&self, verdict: Verdict) -> usize {
        let same = |finding: &&Finding| finding.verdict == verdict;
        self.0.iter().filter(same).count()
    }
}

impl Finding {
    fn good(text: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Good,
            text: text.into(),
            advice: None,
        }
    }

    fn doubtful(text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Doubtful,
            text: text.into(),
            advice: Some(advice.into()),
        }
    }

    fn bad(text: impl Into<String>, advice: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Bad,
            text: text.into(),
            advice: Some(advice.into()),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for finding in &self.0 {
            writeln!(f, "{finding}")?;
        }
        let (bad, doubtful) = (self.count(Verdict::Bad), self.count(Verdict::Doubtful));
        match (bad, doubtful) {
            (0, 0) => writeln!(f, "\nAll is well."),
            (0, _) => writeln!(f, "\nIt works; {doubtful} thing(s) to think about."),
            _ => writeln!(f, "\n{bad} thing(s) to repair, {doubtful} to think about."),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match self.verdict {
            Verdict::Good => '✓',
            Verdict::Doubtful => '!',
            Verdict::Bad => '✗',
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
        let mut report = Report::default();
        report.add(Finding::good("a"));
        report.add(Finding::doubtful("b", "do this"));
        assert!(report.is_healthy());
        assert!(report.to_string().starts_with("✓ a\n! b: do this\n"));
        report.add(Finding::bad("c", "do that"));
        assert!(!report.is_healthy());
        assert!(
            report
                .to_string()
                .ends_with("\n1 thing(s) to repair, 1 to think about.\n")
        );
    }
}
