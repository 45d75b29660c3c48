//! Checks the outbox: no dead letters, no effect that is stuck.

use std::time::Duration;

use jiff::Timestamp;
use storage::outbox::{self, Backlog};

use super::Finding;
use crate::settings::Settings;
use crate::startup;

/// An effect older than this is stuck.
const OLD: Duration = Duration::from_secs(600);

/// No findings while SQL does not answer: `sql.rs` reports that.
pub(super) async fn examine(settings: &Settings) -> Vec<Finding> {
    let Ok(db) = startup::connect_sql(settings).await else {
        return Vec::new();
    };
    let backlog = outbox::backlog(&db, Timestamp::now()).await;
    // This command only read: the end of the process cleans up what a failed close leaves.
    let _ = db.close().await;
    match backlog {
        Ok(backlog) => judge(&backlog, settings.outbox.max_attempts),
        Err(_) => Vec::new(),
    }
}

fn judge(backlog: &Backlog, max_attempts: u32) -> Vec<Finding> {
    let mut findings = Vec::new();
    if backlog.dead > 0 {
        findings.push(Finding::warning(
            format!("{} effect(s) of the outbox were dead-lettered", backlog.dead),
            "look with `tandian outbox list`, remove the cause, then `tandian outbox redrive --all`",
        ));
    }
    if backlog.most_attempts >= u64::from(max_attempts) {
        findings.push(Finding::warning(
            format!(
                "an effect of the outbox has failed {} times and is retried for ever",
                backlog.most_attempts
            ),
            "look with `tandian outbox list` and remove the cause",
        ));
    } else if backlog.oldest_age > OLD {
        findings.push(Finding::warning(
            format!(
                "an effect of the outbox has waited for {} minutes",
                backlog.oldest_age.as_secs() / 60
            ),
            "start a server or worker, or look with `tandian outbox list` what it waits for",
        ));
    }
    if findings.is_empty() {
        let waiting = backlog.count;
        findings.push(Finding::ok(format!(
            "the outbox has {waiting} effect(s) to relay and no dead letters"
        )));
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(backlog: Backlog) -> String {
        let findings = judge(&backlog, 20);
        let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }

    #[test]
    fn dead_letters_stuck_and_old_effects_are_reported_with_a_command() {
        let dead = Backlog {
            dead: 3,
            ..Backlog::default()
        };
        assert!(found(dead).contains("3 effect(s)") && found(dead).contains("redrive --all"));
        let stuck = Backlog {
            count: 1,
            most_attempts: 20,
            ..Backlog::default()
        };
        assert!(found(stuck).contains("retried for ever"));
        let old = Backlog {
            count: 1,
            oldest_age: OLD * 2,
            ..Backlog::default()
        };
        assert!(found(old).contains("for 20 minutes"));
        assert!(found(Backlog::default()).starts_with('✓'));
    }
}
