//! Makes sure that there is a web app to embed, and that a new one is embedded again.
//!
//! `make` builds the real one into `web/dist` before it builds the server. Where that has not happened, a page that says so takes its
//! place, so that `cargo check` works without Node.

use std::fs;
use std::io;
use std::path::Path;

const DIST: &str = "../../web/dist";
const PLACEHOLDER: &str = "<!doctype html><meta charset=utf-8><title>Tandian</title><p>The web app is not built: run <code>make web</code>.\n";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={DIST}");
    let index = Path::new(DIST).join("index.html");
    if !index.exists() {
        fs::create_dir_all(DIST)?;
        fs::write(index, PLACEHOLDER)?;
    }
    Ok(())
}
