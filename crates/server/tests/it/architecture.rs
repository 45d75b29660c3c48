//! The map of ARCHITECTURE.md, read from the manifests: which crate may name which.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

/// Every crate of ours with those of ours that it may use outside tests. Whoever is not listed may use none.
const MAY_USE: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("link", &[]),
    ("demo", &[]),
    ("redis-locks", &["link"]),
    ("redis-two-level-cache", &["link"]),
    ("flash", &["link", "redis-locks"]),
    ("pay", &[]),
    ("pictures", &[]),
    ("storage", &["domain"]),
    ("kv", &["domain", "link"]),
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
