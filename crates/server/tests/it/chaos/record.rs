//! What a round did and what held, for the report of `make chaos`.
//!
//! The runner (`scripts/chaos`) names a file in `CHAOS_RECORD`. Every event is one line of JSON that is appended to it at
//! once, so a round that fails leaves behind what it did until then. Without the variable nothing is written.

use std::fs::OpenOptions;
use std::io::Write as _;

use serde_json::{Value, json};

/// Something was done to the site.
pub(crate) fn fault(what: &str) {
    append(&json!({ "fault": what }));
}

/// An invariant was checked for so many orders, people or pieces, and held for all of them.
pub(crate) fn held(invariant: &str, times: usize) {
    append(&json!({ "invariant": invariant, "times": times }));
}

/// So many requests, replies or orders, for the reader to judge how much was going on.
pub(crate) fn counted(what: &str, number: usize) {
    append(&json!({ "count": what, "number": number }));
}

#[track_caller]
fn append(event: &Value) {
    let Some(path) = std::env::var_os("CHAOS_RECORD") else {
        return;
    };
    let file = OpenOptions::new().append(true).create(true).open(path);
    let mut file = file.expect("the runner's folder is there");
    // One write, so that lines of several tasks do not mix.
    let line = format!("{event}\n");
    file.write_all(line.as_bytes())
        .expect("the runner's folder can be written");
}
