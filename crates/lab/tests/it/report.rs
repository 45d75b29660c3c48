//! The committed report, which the site shows until the lab has run.

use std::path::Path;

use lab::{Attack, ENTRIES, LabReport};

fn committed() -> LabReport {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("report.json");
    LabReport::read(&path).expect("a report is committed")
}

#[test]
fn the_committed_report_shows_the_code_as_it_is() {
    let report = committed();
    let retold = serde_json::to_value(report.clone().retold()).unwrap();
    let is_told = serde_json::to_value(report).unwrap() == retold;
    assert!(
        is_told,
        "run: target/debug/lab retell crates/lab/report.json"
    );
}

/// A page can only mark a line that is in the listing.
#[test]
fn every_step_of_the_committed_report_stands_at_its_line() {
    let report = committed();
    let mut placed = 0;
    for version in &report.versions {
        let own = format!("versions/{}", version.file);
        for event in version.findings.iter().flat_map(|it| &it.moments) {
            let Some(place) = &event.at else { continue };
            let shared = report.shared.iter().find(|it| it.file == place.file);
            let code = match shared {
                Some(shared) => &shared.code,
                None => {
                    assert_eq!(place.file, own, "{}: no listing has it", version.id);
                    &version.code
                }
            };
            let line = code.lines().nth(place.line as usize - 1);
            assert!(line.is_some_and(|line| line.contains("step") || line.contains("waits")));
            placed += 1;
        }
    }
    assert!(placed > 200, "{placed}");
}

/// Two clicks of one person have one name; both read before either buys, and the page must show both.
#[test]
fn a_double_click_shows_both_clicks() {
    let report = committed();
    let version = report.versions.iter().find(|it| it.id == "one-per-person");
    let findings = &version.unwrap().findings;
    let finding = findings.iter().find(|it| it.attack == Attack::DoubleClick);
    let moments = &finding.unwrap().moments;
    for step in ["no order is found", "ordered"] {
        let times = moments.iter().filter(|it| it.what == step).count();
        assert_eq!(times, 2, "{step}");
    }
}

#[test]
fn the_committed_report_found_what_the_catalogue_claims() {
    for (row, entry) in committed().versions.iter().zip(ENTRIES) {
        let harmful = row.findings.iter().filter(|it| !it.verdict.is_right());
        let caught_by: Vec<_> = harmful.map(|finding| finding.attack).collect();
        assert_eq!(caught_by, entry.caught_by, "{}", entry.id);
    }
}
