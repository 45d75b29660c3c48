//! The table of log events in `docs/guide/operations.md` names every warning and error of the product, with its level.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Crates whose logs no operator reads.
const NOT_SHIPPED: [&str; 3] = ["lab", "testkit", "workspace-hack"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn rust_files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("crates")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !NOT_SHIPPED.contains(&name) && path.join("src").is_dir() {
            rust_files(&path.join("src"), &mut found);
        }
    }
    found
}

/// The message of a `tracing` macro: the first text that is an argument of its own, not the value of a field.
fn message(arguments: &str) -> Option<String> {
    let (mut depth, mut before) = (0_u32, ',');
    let mut rest = arguments.char_indices();
    while let Some((at, letter)) = rest.next() {
        match letter {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return None,
            ')' | ']' | '}' => depth -= 1,
            '"' => {
                let text = &arguments[at + 1..];
                let end = text.find('"')?;
                if depth == 0 && before == ',' {
                    return Some(joined(&text[..end]));
                }
                while rest.next().is_some_and(|(_, letter)| letter != '"') {}
            }
            _ => {}
        }
        if !letter.is_whitespace() {
            before = letter;
        }
    }
    None
}

/// A text over several lines of source, as the compiler reads it.
fn joined(text: &str) -> String {
    let lines: Vec<&str> = text.split("\\\n").collect();
    let (first, others) = lines.split_first().unwrap();
    let others = others.iter().map(|line| line.trim_start());
    std::iter::once(*first).chain(others).collect()
}

/// Messages with their level, as they stand in the code.
fn logged() -> BTreeMap<String, &'static str> {
    let mut found = BTreeMap::new();
    for path in sources() {
        let source = std::fs::read_to_string(&path).unwrap();
        for level in ["warn", "error"] {
            for (at, macro_name) in source.match_indices(&format!("{level}!(")) {
                let arguments = &source[at + macro_name.len()..];
                let message = message(arguments)
                    .unwrap_or_else(|| panic!("no message after {level}! in {}", path.display()));
                let earlier = found.insert(message.clone(), level);
                assert!(
                    earlier.is_none_or(|earlier| earlier == level),
                    "{message:?} is logged at two levels"
                );
            }
        }
    }
    found
}

/// Rows of the form ``| `message` | level | what to do |``.
fn documented() -> BTreeMap<String, String> {
    let guide = std::fs::read_to_string(root().join("docs/guide/operations.md")).unwrap();
    let (_, table) = guide
        .split_once("## Log events")
        .expect("a chapter of log events");
    let rows = table.lines().filter(|line| line.starts_with("| `"));
    rows.map(|row| {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let [message, level, action] = cells[..] else {
            panic!("a row has three cells: {row}");
        };
        assert!(
            !action.trim_matches('|').trim().is_empty(),
            "nothing to do in: {row}"
        );
        (message.trim_matches('`').to_owned(), level.to_owned())
    })
    .collect()
}

#[test]
fn every_warning_and_error_stands_in_the_guide_with_what_to_do() {
    let (logged, documented) = (logged(), documented());
    let missing: Vec<_> = logged
        .keys()
        .filter(|it| !documented.contains_key(*it))
        .collect();
    let stale: Vec<_> = documented
        .keys()
        .filter(|it| !logged.contains_key(*it))
        .collect();
    assert!(
        missing.is_empty(),
        "not in docs/guide/operations.md: {missing:#?}"
    );
    assert!(
        stale.is_empty(),
        "in docs/guide/operations.md, but logged nowhere: {stale:#?}"
    );
    for (message, level) in &logged {
        assert_eq!(*level, documented[message], "level of {message:?}");
    }
    assert!(
        logged.len() > 50,
        "the scan found {} messages only",
        logged.len()
    );
}
