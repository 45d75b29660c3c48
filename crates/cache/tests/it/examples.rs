//! The examples run, end by themselves, and show what they say.

use std::process::Command;

/// Cargo builds the examples with the tests, beside them.
fn run(name: &str) -> String {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let example = path.join("examples").join(name);
    let output = Command::new(&example).env_remove("REDIS_URL").output();
    let output = output.unwrap_or_else(|error| panic!("{}: {error}", example.display()));
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{printed}{output:?}");
    printed
}

#[test]
fn a_thousand_readers_of_the_cached_api_cause_one_query() {
    let printed = run("cached_api");
    for line in [
        "cold: 1000 of 1000 readers served, 1 queries",
        "warm: 1000 of 1000 readers served, 0 queries",
        "after a change: 1000 of 1000 readers served the new edition, 1 queries",
    ] {
        assert!(printed.contains(line), "no {line:?} in {printed}");
    }
}

#[test]
fn the_example_of_the_readme_is_the_doctest() {
    let readme = include_str!("../../README.md");
    let page = include_str!("../../src/lib.rs");
    let example = page.split("```").nth(1).unwrap();
    let lines = example.lines().skip(1);
    let lines = lines.filter_map(|line| {
        let line = line.trim_start_matches("//!");
        let line = line.strip_prefix(' ').unwrap_or(line);
        (!line.starts_with("# ") && line != "#").then_some(line)
    });
    let shown: Vec<&str> = lines.collect();
    let shown = shown.join("\n");
    assert!(readme.contains(shown.trim()), "the README lacks:\n{shown}");
}
