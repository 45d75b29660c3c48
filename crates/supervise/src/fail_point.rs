//! Fail points: named places where a test kills the process or makes a task panic, to prove that nothing is lost there.
//!
//! `TANDIAN_FAIL_POINT=name` (or `name:3` for the third time) aborts the process at that place as if it were killed;
//! `name:3:panic` panics there instead. Release builds compile it to nothing. `docs/adr/0041` explains why this is not the
//! `fail` crate.

/// Ends the process here, or panics, if the environment variable names this point.
#[cfg(debug_assertions)]
pub fn pass(name: &str) {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static WANTED: LazyLock<Option<(String, u32, bool)>> = LazyLock::new(|| {
        let wanted = std::env::var("TANDIAN_FAIL_POINT").ok()?;
        let mut parts = wanted.split(':');
        let name = parts.next()?.to_owned();
        let nth = parts.next().and_then(|nth| nth.parse().ok());
        let panics = parts.next() == Some("panic");
        Some((name, nth.unwrap_or(1), panics))
    });
    static PASSED: AtomicU32 = AtomicU32::new(0);

    if let Some((wanted, nth, panics)) = &*WANTED
        && wanted == name
        && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == *nth
    {
        match panics {
            true => panic!("fail point {name}"),
            false => std::process::abort(),
        }
    }
}

#[cfg(not(debug_assertions))]
pub fn pass(_name: &str) {}
