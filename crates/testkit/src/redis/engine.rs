//! Which server program the tests run on, and what it lacks.
//!
//! `TANDIAN_TEST_REDIS` names another program than the system's `redis-server`: an older Redis, a newer one, or Valkey
//! (`scripts/test-engines`). One test process has one engine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use private_redis::Version;

use crate::program;

const VARIABLE: &str = "TANDIAN_TEST_REDIS";

const PACKAGE: &str = "redis-server";

/// The first version with sharded channels, without which nothing of ours works in a Cluster.
const SHARDED_CHANNELS_SINCE: u32 = 7;

/// An option of Redis 7 and newer that allows what older ones never forbid.
const ALLOW_DEBUG: &str = "--enable-debug-command";
const ALLOW_DEBUG_SINCE: u32 = 7;

#[derive(Debug)]
pub(super) struct Engine {
    program: PathBuf,
    major: u32,
}

impl Engine {
    /// The engine of this process: asked for its version once.
    #[track_caller]
    pub(super) fn of_this_process() -> &'static Self {
        static ENGINE: OnceLock<Engine> = OnceLock::new();
        ENGINE.get_or_init(|| {
            let named = std::env::var_os(VARIABLE).map(PathBuf::from);
            Self::ask(named.unwrap_or_else(|| program::find("redis-server", PACKAGE)))
        })
    }

    pub(super) fn program(&self) -> &Path {
        &self.program
    }

    pub(super) fn has_sharded_channels(&self) -> bool {
        self.major >= SHARDED_CHANNELS_SINCE
    }

    /// `scripts/test-engines` knows this message.
    #[track_caller]
    pub(super) fn assert_sharded_channels(&self) {
        assert!(
            self.has_sharded_channels(),
            "{} has no sharded channels: a Cluster needs Redis {SHARDED_CHANNELS_SINCE}",
            self.program.display()
        );
    }

    /// These options, each with its values, but for what this version neither knows nor needs.
    pub(super) fn without_unknown<'a>(&self, options: &'a [String]) -> Vec<&'a str> {
        let mut known: Vec<&str> = options.iter().map(String::as_str).collect();
        if self.major < ALLOW_DEBUG_SINCE
            && let Some(at) = known.iter().position(|option| *option == ALLOW_DEBUG)
        {
            known.drain(at..at + 2);
        }
        known
    }

    #[track_caller]
    fn ask(program: PathBuf) -> Self {
        let shown = program.display().to_string();
        let output = Command::new(&program).arg("--version").output();
        let output =
            output.unwrap_or_else(|error| panic!("{VARIABLE}: {shown} does not run: {error}"));
        let answer = String::from_utf8_lossy(&output.stdout);
        let version = Version::parse(&answer)
            .unwrap_or_else(|| panic!("{VARIABLE}: {shown} is no Redis: it says {answer:?}"));
        let major = version.major;
        Self { program, major }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[should_panic(expected = "/bin/true is no Redis")]
    fn a_program_that_is_no_redis_is_refused() {
        Engine::ask(PathBuf::from("/bin/true"));
    }

    #[test]
    #[should_panic(expected = "redis-old has no sharded channels")]
    fn a_cluster_of_an_old_redis_is_refused() {
        old().assert_sharded_channels();
    }

    #[test]
    fn an_old_redis_gets_no_option_that_it_does_not_know() {
        let options = [
            "--user",
            "a",
            "on",
            ALLOW_DEBUG,
            "yes",
            "--maxmemory",
            "8mb",
        ];
        let options = options.map(str::to_owned);
        let kept = ["--user", "a", "on", "--maxmemory", "8mb"];
        assert_eq!(old().without_unknown(&options), kept);
        let new = Engine { major: 7, ..old() };
        assert_eq!(new.without_unknown(&options), options);
    }

    fn old() -> Engine {
        Engine {
            program: PathBuf::from("redis-old"),
            major: 6,
        }
    }
}
