//! Tells the tests whether a Kafka broker can be had here: those that need one are ignored elsewhere, never passed.

use std::path::PathBuf;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(kafka_broker)");
    println!("cargo::rerun-if-env-changed=XDG_CACHE_HOME");
    println!("cargo::rerun-if-env-changed=HOME");
    let Some(parts) = kafka_parts() else { return };
    println!("cargo::rerun-if-changed={}", parts.display());
    if parts.is_dir() {
        println!("cargo::rustc-cfg=kafka_broker");
    }
}

/// Where the script `ensure-kafka` of the workspace puts them.
fn kafka_parts() -> Option<PathBuf> {
    let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
    Some(cache.or_else(home)?.join("tandian/kafka/lib"))
}
