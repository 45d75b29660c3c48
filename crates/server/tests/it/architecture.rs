//! The map of ARCHITECTURE.md, read from the manifests: which crate may name which.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// Every crate of ours with those of ours that it may use outside tests. Whoever is not listed may use none.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("supervise", &[]),
    ("link", &["supervise"]),
    ("demo", &[]),
    ("redis-locks", &["link", "supervise"]),
    ("redis-two-level-cache", &["link", "supervise"]),
    ("flash", &["link", "redis-locks", "supervise"]),
    ("pay", &[]),
    ("pictures", &[]),
    ("storage", &["domain"]),
    ("kv", &["domain", "link", "supervise"]),
    (
        "app",
        &[
            "demo",
            "domain",
            "flash",
            "kv",
            "link",
            "pay",
            "pictures",
            "redis-locks",
            "redis-two-level-cache",
            "storage",
            "supervise",
        ],
    ),
    (
        "server",
        &[
            "app",
            "domain",
            "flash",
            "kv",
            "link",
            "pay",
            "redis-locks",
            "storage",
            "supervise",
        ],
    ),
    ("testkit", &["app", "server"]),
    ("bench", &["link", "redis-locks", "testkit"]),
    (
        "lab",
        &[
            "flash",
            "link",
            "redis-locks",
            "redis-two-level-cache",
            "testkit",
        ],
    ),
];

/// Outside libraries that belong to one crate alone.
const BELONGS_TO: &[(&str, &str)] = &[
    ("axum", "server"),
    ("sea-orm", "storage"),
    ("sea-orm-migration", "storage"),
];

/// What each crate of the workspace depends on, tests aside.
fn dependencies() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--offline",
            "--no-deps",
            "--format-version",
            "1",
        ])
        .output()
        .expect("cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo writes JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages
        .iter()
        .map(|package| (text(&package["name"]), of_package(package)))
        .collect()
}

fn of_package(package: &Value) -> Vec<String> {
    let all = package["dependencies"]
        .as_array()
        .expect("a list of dependencies");
    let is_for_tests = |dependency: &&Value| dependency["kind"] == "dev";
    all.iter()
        .filter(|dependency| !is_for_tests(dependency))
        .map(|dependency| text(&dependency["name"]))
        .collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

#[test]
fn dependencies_point_the_way_the_map_says() {
    let dependencies = dependencies();
    let allowed: BTreeMap<&str, &[&str]> = MAY_USE.iter().copied().collect();
    for (name, uses) in &dependencies {
        let may_use = allowed
            .get(name.as_str())
            .unwrap_or_else(|| panic!("{name} is not on the map"));
        for used in uses.iter().filter(|used| dependencies.contains_key(*used)) {
            assert!(
                may_use.contains(&used.as_str()),
                "{name} must not depend on {used}"
            );
        }
    }
}

#[test]
fn a_library_of_one_crate_stays_there() {
    for (name, uses) in dependencies() {
        for (library, owner) in BELONGS_TO {
            let names_it = uses.iter().any(|used| used == library);
            assert!(
                !names_it || name == *owner,
                "{library} belongs to {owner}, not to {name}"
            );
        }
    }
}

/// Where tasks are spawned without `supervise::spawn…`: they run a `Supervisor` themselves, or are joined by whoever
/// spawned them, who passes a panic on.
const SPAWNS_ITSELF: &[&str] = &[
    "link/src/node.rs",
    "link/src/push.rs",
    "link/src/push/director.rs",
    "lock/src/listener.rs",
    "lock/src/locks.rs",
    "cache/src/bloom.rs",
    "flash/src/transport/relay.rs",
];

/// A task whose panic nobody hears of stops doing its work in silence.
#[test]
fn background_tasks_are_supervised() {
    let crates = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let mut around = Vec::new();
    for name in ["app", "server", "flash", "kv", "cache", "lock", "link"] {
        visit(
            &PathBuf::from(format!("{crates}/{name}/src")),
            &mut |file| {
                let source = std::fs::read_to_string(file).expect("a source file");
                // What stands in unit tests is the tests' own business.
                let source = source.split("#[cfg(test)]").next().unwrap_or_default();
                let is_code = |line: &&str| !line.trim_start().starts_with("//");
                let spawns =
                    |line: &str| line.contains("tokio::spawn(") || line.contains("runtime.spawn(");
                let is_unit_test = file.ends_with("tests.rs");
                if !is_unit_test && source.lines().filter(is_code).any(spawns) {
                    let path = file.to_string_lossy().replace(&format!("{crates}/"), "");
                    around.push(path);
                }
            },
        );
    }
    around.sort_unstable();
    let mut expected = SPAWNS_ITSELF.to_vec();
    expected.sort_unstable();
    assert_eq!(
        around, expected,
        "spawn tasks with `supervise`, which restarts and counts them"
    );
}

fn visit(folder: &Path, each: &mut impl FnMut(&Path)) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            visit(&path, each);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            each(&path);
        }
    }
}
