//! Keeps the lines of a recorded schedule true when the code of a version changes.
//!
//! A process reports the line it stands at. A report that is retold without a run has the code of today and the lines of the
//! run, so each line is looked up again by the name of its step.

use crate::attacks::AttackFinding;
use crate::recording::{CodePlace, ScheduleEvent};

/// The folder of the versions, below `crates/lab/src`.
const VERSIONS: &str = "versions/";

/// Moves every place of these findings to the line that has its step; drops a place whose step is gone.
pub(super) fn refresh(
    mut findings: Vec<AttackFinding>,
    file: &str,
    code: &str,
    shared: &[(&str, &str)],
) -> Vec<AttackFinding> {
    let code_of = |place: &CodePlace| match place.file.strip_prefix(VERSIONS) {
        Some(name) if name == file => Some(code),
        _ => {
            let found = shared.iter().find(|(file, _)| *file == place.file);
            found.map(|(_, code)| *code)
        }
    };
    for event in findings.iter_mut().flat_map(|it| &mut it.moments) {
        let Some(place) = &event.at else { continue };
        let line = code_of(place).and_then(|code| nearest_line(code, event, place.line));
        event.at = line.map(|line| CodePlace {
            file: place.file.clone(),
            line,
        });
    }
    findings
}

/// The line with the event's step that is nearest to where it was, counted from one.
fn nearest_line(code: &str, event: &ScheduleEvent, was: u32) -> Option<u32> {
    let marker = match event.what.as_str() {
        "waits" => "steps.waits()".to_owned(),
        step => format!("step(\"{step}\")"),
    };
    let lines = (1..).zip(code.lines());
    let lines = lines.filter(|(_, text)| text.contains(&marker));
    let lines = lines.map(|(line, _)| line);
    lines.min_by_key(|line: &u32| line.abs_diff(was))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_found_where_it_moved_and_the_nearest_of_two_counts() {
        let event = ScheduleEvent {
            what: "stock is read".to_owned(),
            ..ScheduleEvent::default()
        };
        let code = "a\nsteps.step(\"stock is read\").await;\nb\nc\nsteps.step(\"stock is read\")\n";
        assert_eq!(nearest_line(code, &event, 1), Some(2));
        assert_eq!(nearest_line(code, &event, 9), Some(5));
        assert_eq!(nearest_line("a\n", &event, 1), None);
    }
}
