//! The examples compile for a reader who depends on this crate alone. That they compile at all is checked by the doctests,
//! which see every dependency of the crate; here, that they use none of them.

const README: &str = include_str!("../../README.md");
const GUIDE: &str = include_str!("../../GUIDE.md");
const CRATE_PAGE: &str = include_str!("../../src/lib.rs");

/// What the reader of an example has.
const OWN: [&str; 2] = ["std", "redis_locks"];

fn is_rust(language: &str) -> bool {
    language.is_empty() || language.starts_with("rust") || language == "no_run"
}

/// The lines of all Rust examples of a page.
fn examples(page: &str) -> Vec<&str> {
    let mut lines = Vec::new();
    let mut is_inside = false;
    for line in page.lines() {
        let line = line.strip_prefix("//!").unwrap_or(line).trim();
        match line.strip_prefix("```") {
            Some(_) if is_inside => is_inside = false,
            Some(language) => is_inside = is_rust(language),
            // Hidden lines start a Redis for the example.
            None if is_inside && !line.starts_with("# ") => lines.push(line),
            None => {}
        }
    }
    lines
}

/// The first names of the paths in a line that may be those of crates: types begin with a capital letter.
fn crates_named_in(line: &str) -> Vec<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let paths = line.split(|c| !is_name(c) && c != ':');
    let first = paths.filter_map(|path| Some(path.split_once("::")?.0));
    first
        .filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase()))
        .collect()
}

#[test]
fn the_examples_name_no_crate_that_their_reader_does_not_have() {
    for page in [README, GUIDE, CRATE_PAGE] {
        let lines = examples(page);
        assert!(lines.iter().any(|line| line.contains("Link::connect")));
        // In a list of imports, `link::{…}` is a module of the crate that the list begins with.
        let lines = lines.iter().map(|line| line.replace(", link::{", ", {"));
        for line in lines {
            for name in crates_named_in(&line) {
                assert!(OWN.contains(&name), "`{name}` in `{line}`");
            }
        }
    }
}
