//! The report of `make chaos`: what rounds recorded becomes figures, and a round that failed is in it with its seed.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::{Value, json};

const RUNNER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/chaos-run.mjs");

#[track_caller]
fn report_of(folder: &Path, rounds: &[Value]) -> Output {
    let head = json!({
        "began": 1_794_787_200_000_i64, "first": 7, "scenarios": 2,
        "settings": { "CHAOS_SCALE": "2" },
        "machine": { "build": "abc", "cores": 2, "memory_gib": 4, "kernel": "6.1" },
    });
    let lines = std::iter::once(&head).chain(rounds);
    let text: String = lines.map(|line| format!("{line}\n")).collect();
    std::fs::write(folder.join("rounds.jsonl"), text).unwrap();
    let runner = Command::new("node")
        .arg(RUNNER)
        .arg(folder)
        .arg("--report")
        .output();
    runner.expect("node is there, as the web app needs it")
}

fn round(scenario: &str, seed: u64, outcome: &str) -> Value {
    json!({
        "scenario": scenario, "seed": seed, "seconds": 12.5, "outcome": outcome, "log": "/nowhere",
        "events": [
            { "fault": "Redis killed" },
            { "fault": "Redis killed" },
            { "invariant": "a buyer has one live order", "times": 240 },
            { "count": "buyers", "number": 600 },
        ],
    })
}

#[test]
fn rounds_are_summed_up_by_fault_invariant_and_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = [round("chaos::a", 7, "held"), round("chaos::a", 8, "held")];
    let output = report_of(folder.path(), &rounds);
    assert!(output.status.success(), "{output:?}");
    let report = std::fs::read(folder.path().join("report.json")).unwrap();
    let report: Value = serde_json::from_slice(&report).unwrap();
    assert_eq!(report["faults"], json!({ "Redis killed": 4 }));
    assert_eq!(
        report["invariants"],
        json!({ "a buyer has one live order": 480 })
    );
    assert_eq!(report["counts"], json!({ "buyers": 1200 }));
    assert_eq!(report["seeds"], json!({ "first": 7, "last": 8 }));
    assert_eq!(report["scenarios"][0]["rounds"], 2);
    let closing = String::from_utf8(output.stdout).unwrap();
    assert!(closing.contains("2 rounds of 1 scenarios in 25 s, seeds 7 to 8: 2 held, 0 failed."));
}

#[test]
fn a_failed_round_fails_the_run_and_prints_how_to_repeat_it() {
    let folder = tempfile::tempdir().unwrap();
    let rounds = [round("chaos::a", 7, "held"), round("chaos::b", 7, "failed")];
    let output = report_of(folder.path(), &rounds);
    assert!(!output.status.success());
    let page = std::fs::read_to_string(folder.path().join("report.md")).unwrap();
    let repeat = "CHAOS_SEED=7 CHAOS_ROUNDS=1 CHAOS_ONLY=chaos::b CHAOS_SCALE=2 make chaos";
    assert!(page.contains(repeat), "{page}");
}
