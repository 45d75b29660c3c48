//! The committed report, which the site shows until the lab has run.

use std::path::Path;

use lab::{ENTRIES, LabReport};

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

#[test]
fn the_committed_report_found_what_the_catalogue_claims() {
    for (row, entry) in committed().versions.iter().zip(ENTRIES) {
        let harmful = row.findings.iter().filter(|it| !it.verdict.is_right());
        let caught_by: Vec<_> = harmful.map(|finding| finding.attack).collect();
        assert_eq!(caught_by, entry.caught_by, "{}", entry.id);
    }
}
