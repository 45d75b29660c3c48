//! What is going on, on stderr, away from the table.

use std::time::Duration;

/// A scenario begins, so many of so many.
#[expect(clippy::print_stderr, reason = "progress, away from the table")]
pub(crate) fn begin(scenario: &str, number: usize, count: usize) {
    eprintln!("── {scenario} ({number} of {count})");
}

/// It does something that takes a while.
#[expect(clippy::print_stderr, reason = "progress, away from the table")]
pub(crate) fn step(scenario: &str, what: impl std::fmt::Display) {
    eprintln!("{scenario}: {what}");
}

/// It is over.
#[expect(clippy::print_stderr, reason = "progress, away from the table")]
pub(crate) fn end(scenario: &str, took: Duration, failure: Option<&str>) {
    let seconds = took.as_secs();
    match failure {
        None => eprintln!("{scenario}: done in {seconds} s"),
        Some(why) => eprintln!("{scenario}: FAILED after {seconds} s: {why}"),
    }
}
