//! Places where a test may kill the process, to see that nothing is lost there.
//!
//! `TANDIAN_FAIL_POINT=name` (or `name:3` for the third time) ends the process at that place as if it were killed. Builds
//! for production do not look. Whoever builds on the engine marks its own places the same way.

/// Ends the process here if the environment asks for it.
#[cfg(debug_assertions)]
pub fn pass(name: &str) {
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicU32, Ordering};

    static WANTED: LazyLock<Option<(String, u32)>> = LazyLock::new(|| {
        let wanted = std::env::var("TANDIAN_FAIL_POINT").ok()?;
        let (name, nth) = wanted.split_once(':').unwrap_or((&wanted, "1"));
        Some((name.to_owned(), nth.parse().unwrap_or(1)))
    });
    static PASSED: AtomicU32 = AtomicU32::new(0);

    if let Some((wanted, nth)) = &*WANTED
        && wanted == name
        && PASSED.fetch_add(1, Ordering::Relaxed) + 1 == *nth
    {
        std::process::abort();
    }
}

#[cfg(not(debug_assertions))]
pub fn pass(_name: &str) {}
