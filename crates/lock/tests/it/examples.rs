//! The examples run by themselves and show what they promise: each checks its own outcome and fails if it does not hold.

/// Runs an example on a private Redis and returns what it printed.
fn run(example: &str) -> String {
    let output = testkit::cargo()
        .args(["run", "--quiet", "--offline", "-p", "redis-locks"])
        .args(["--example", example])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env_remove("REDIS_URL")
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success(),
        "{printed}{}",
        String::from_utf8_lossy(&output.stderr)
    );
    printed
}

#[test]
fn a_cron_job_runs_once_per_slot_in_a_fleet() {
    let printed = run("cron_once_in_a_fleet");
    assert!(printed.contains("each ran once"), "{printed}");
}

#[test]
fn a_writer_that_wakes_up_late_is_refused_by_sql() {
    let printed = run("fenced_writer_to_sql");
    assert!(printed.contains("nothing was overwritten"), "{printed}");
}

#[test]
fn workers_of_a_fleet_are_served_in_order_and_not_too_often() {
    let printed = run("fair_queue");
    assert!(printed.contains("were served in order"), "{printed}");
}
