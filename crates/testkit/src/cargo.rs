//! Cargo, called by a test.

use std::process::Command;

/// What `cargo test` says about the package under test. Build scripts, that of `ring` for one, run again when it changes, and
/// everything that uses them is compiled again: once for the call and once more for whoever builds next.
const OF_THE_PACKAGE: [&str; 2] = ["CARGO_MANIFEST_", "CARGO_PKG_"];

/// Cargo with the environment that its user has outside of tests.
pub fn cargo() -> Command {
    let mut command = Command::new(env!("CARGO"));
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let is_of_package = |name: &String| OF_THE_PACKAGE.iter().any(|start| name.starts_with(start));
    for name in names.filter(is_of_package) {
        command.env_remove(name);
    }
    command
}
