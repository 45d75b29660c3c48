//! What the documents say of the structure is so: commands, settings, promises, paths and decisions that they name.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Files below a folder whose names end like this, those of builds and of packages aside.
fn files(folder: &Path, ending: &str, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let is_ours = !["target", "node_modules", "dist"].contains(&name);
        if path.is_dir() && is_ours {
            files(&path, ending, found);
        } else if name.ends_with(ending) {
            found.push(path);
        }
    }
}

/// What stands between backticks.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// First cells of the rows of all tables whose first cell begins like this.
fn rows<'a>(document: &'a str, opening: &str) -> Vec<&'a str> {
    let rows = document.lines().filter(|line| line.starts_with(opening));
    rows.collect()
}

/// The subcommands that `tandian --help` lists.
fn commands() -> BTreeSet<String> {
    let output = Command::new(env!("CARGO_BIN_EXE_tandian"))
        .arg("--help")
        .output();
    let help = String::from_utf8(output.unwrap().stdout).unwrap();
    let (_, listed) = help.split_once("Commands:").expect("a list of commands");
    let listed = listed
        .lines()
        .skip(1)
        .take_while(|line| !line.trim().is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("    "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    let names = names.filter(|name| *name != "help").map(str::to_owned);
    names.collect()
}

#[test]
fn every_command_stands_in_the_guides() {
    let commands = commands();
    assert!(commands.contains("serve"), "{commands:?}");
    for guide in ["docs/guide/operations.md", "docs/guide/operations.zh-CN.md"] {
        let document = read(guide);
        let named: BTreeSet<String> = rows(&document, "| `tandian ")
            .iter()
            .map(|row| {
                row["| `tandian ".len()..]
                    .split([' ', '`'])
                    .next()
                    .unwrap()
                    .to_owned()
            })
            .collect();
        assert_eq!(named, commands, "{guide}");
    }
}

#[test]
fn every_setting_that_the_guides_name_exists() {
    let defaults: toml::Table = read("crates/server/default.toml").parse().unwrap();
    for guide in ["docs/guide/operations.md", "docs/guide/operations.zh-CN.md"] {
        let document = read(guide);
        let variables = rows(&document, "| `TANDIAN_");
        assert!(
            variables.len() > 10,
            "{guide} names {} settings",
            variables.len()
        );
        for row in variables {
            let variable = code(row).next().unwrap();
            let path = variable["TANDIAN_".len()..].to_lowercase();
            let mut value = Some(&toml::Value::Table(defaults.clone())).cloned();
            for key in path.split("__") {
                value = value.and_then(|value| value.get(key).cloned());
            }
            assert!(value.is_some(), "{guide}: there is no setting {variable}");
        }
    }
}

#[test]
fn every_promise_names_a_test_that_exists() {
    let mut sources = Vec::new();
    files(&root().join("crates"), ".rs", &mut sources);
    let tests: BTreeSet<String> = sources
        .iter()
        .filter(|path| path.components().any(|part| part.as_os_str() == "tests"))
        .flat_map(|path| {
            let source = fs::read_to_string(path).unwrap();
            let functions = source.split("fn ").skip(1);
            let names = functions.filter_map(|rest| rest.split('(').next().map(str::to_owned));
            names.collect::<Vec<_>>()
        })
        .collect();
    let mut promised = Vec::new();
    for guide in ["docs/guide/promises.md", "docs/guide/promises.zh-CN.md"] {
        let document = read(guide);
        let rows = document.lines().filter(|line| line.ends_with("` |"));
        let named: Vec<String> = rows
            .map(|row| code(row).last().unwrap().to_owned())
            .collect();
        assert!(named.len() > 10, "{guide} has {} promises", named.len());
        for test in &named {
            assert!(tests.contains(test), "{guide}: there is no test {test}");
        }
        promised.push(named);
    }
    assert_eq!(promised[0], promised[1], "both languages promise the same");
}

#[test]
fn paths_and_decisions_that_the_documents_name_exist() {
    let mut sources = Vec::new();
    files(&root(), ".rs", &mut sources);
    let sources: Vec<String> = sources
        .iter()
        .map(|path| path.to_str().unwrap().to_owned())
        .collect();
    let mut decisions = Vec::new();
    files(&root().join("docs/adr"), ".md", &mut decisions);
    let decisions: BTreeSet<&str> = decisions
        .iter()
        .map(|path| &path.file_name().unwrap().to_str().unwrap()[..4])
        .collect();
    for name in [
        "ARCHITECTURE.md",
        "docs/guide/walks.md",
        "crates/flash/README.md",
        "CONTRIBUTING.md",
    ] {
        let document = read(name);
        let is_path = |it: &&str| it.ends_with(".rs") && !it.contains([' ', '<', '*']);
        // Named because there is none.
        let is_there = |it: &&str| *it != "mod.rs";
        for path in code(&document).filter(is_path).filter(is_there) {
            let path = format!("/{}", path.trim_start_matches('/'));
            // `kv/sessions.rs` leaves out what lies between: crates/kv/src/sessions.rs.
            let (folder, rest) = path[1..].split_once('/').unwrap_or(("", &path[1..]));
            let inside = format!("/{folder}/src/{rest}");
            assert!(
                sources
                    .iter()
                    .any(|it| it.ends_with(&path) || it.ends_with(&inside)),
                "{name}: there is no {path}"
            );
        }
        let numbers = document.split(['(', ')', ',', ' ']).filter(|it| {
            it.len() == 4 && it.starts_with("00") && it.bytes().all(|byte| byte.is_ascii_digit())
        });
        for number in numbers {
            assert!(
                decisions.contains(number),
                "{name}: there is no decision {number}"
            );
        }
    }
}
