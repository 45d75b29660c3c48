//! `examples/outsider` builds and runs: a program that is no member of the workspace and takes the libraries by path, so nothing that they
//! need may be there only by accident of the workspace.

use std::path::{Path, PathBuf};

use testkit::Redis;
use tokio::process::Command;

const MANIFEST: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../examples/outsider/Cargo.toml"
);

/// What the program prints, line by line; the id of the order is another each time.
const LINES: [&str; 4] = [
    "the lock, with fence ",
    "the square of 7 is Some(49)",
    "granted: order ",
    "recorded: 1",
];

#[tokio::test]
async fn a_program_outside_the_workspace_locks_caches_and_sells() {
    let redis = Redis::start().await;
    let mut cargo = Command::from(testkit::cargo());
    cargo
        .args(["run", "--locked", "--quiet", "--manifest-path", MANIFEST])
        .arg("--target-dir")
        .arg(target_folder())
        .env("REDIS_URL", redis.url());
    let output = cargo.output().await.unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), LINES.len(), "{printed}");
    for (line, expected) in lines.iter().zip(LINES) {
        assert!(
            line.starts_with(expected),
            "no {expected:?} in order: {printed}"
        );
    }
}

/// That of the workspace: this program is in its `debug/deps`.
fn target_folder() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.ancestors().nth(3).map(Path::to_owned).unwrap()
}
