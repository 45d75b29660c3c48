//! The programs a private server is started with: `redis-server` itself, and `setpriv` where there is one.

use std::fmt;
use std::io;
use std::process::{Command, Stdio};

use crate::PrivateRedisError;

/// Streams, `COPY`, `GETEX` and the exact `XAUTOCLAIM` are all there from here on.
pub const OLDEST_REDIS: Version = Version { major: 6, minor: 2 };

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    pub major: u32,
    pub minor: u32,
}

impl Version {
    /// Reads `7.0.15`, or what follows `v=` in the line a server prints about itself.
    pub fn parse(text: &str) -> Option<Self> {
        let number = text.split("v=").nth(1).unwrap_or(text);
        let mut parts = number.trim().split(|c: char| !c.is_ascii_digit());
        Some(Self {
            major: parts.next()?.parse().ok()?,
            minor: parts.next()?.parse().ok()?,
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

/// A `redis-server` that is new enough.
#[derive(Clone, Debug)]
pub struct Program {
    pub name: String,
    pub version: Version,
}

impl Program {
    pub fn find(name: &str) -> Result<Self, PrivateRedisError> {
        let program = name.to_owned();
        let output = Command::new(name)
            .arg("--version")
            .stdin(Stdio::null())
            .output();
        let output = match output {
            Ok(output) => output,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(PrivateRedisError::Missing { program });
            }
            Err(source) => return Err(PrivateRedisError::Unrunnable { program, source }),
        };
        let Some(version) = Version::parse(&String::from_utf8_lossy(&output.stdout)) else {
            return Err(PrivateRedisError::NotRedis { program });
        };
        if version < OLDEST_REDIS {
            return Err(PrivateRedisError::TooOld {
                program,
                found: version,
                needed: OLDEST_REDIS,
            });
        }
        Ok(Self {
            name: program,
            version,
        })
    }

    /// A command that the kernel ends when the thread that spawns it does, where the system can.
    pub(crate) fn command(&self) -> Command {
        if !has_setpriv() {
            tracing::debug!(
                "setpriv missing: a killed server orphans its Redis until the next start"
            );
            return Command::new(&self.name);
        }
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "TERM", "--"]).arg(&self.name);
        command
    }
}

/// Asked by use: not every `setpriv` knows the option.
fn has_setpriv() -> bool {
    Command::new("setpriv")
        .args(["--pdeathsig", "TERM", "--", "true"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_servers_print() {
        let debian = "Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=a";
        let valkey = "Valkey server v=8.1.1 sha=00000000:0 malloc=libc bits=64 build=b";
        assert_eq!(Version::parse(debian), Some(Version { major: 7, minor: 0 }));
        assert_eq!(Version::parse(valkey), Some(Version { major: 8, minor: 1 }));
        assert_eq!(Version::parse("6.2.6"), Some(OLDEST_REDIS));
        assert_eq!(Version::parse("bash, version 5"), None);
        assert!(Version { major: 6, minor: 0 } < OLDEST_REDIS);
    }

    #[test]
    fn a_missing_program_is_named_with_the_way_to_get_it() {
        let error = Program::find("/nonexistent/redis-server")
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("not found: sudo apt-get install redis-server"),
            "{error}"
        );
    }

    #[test]
    fn a_program_that_is_no_redis_is_refused() {
        assert!(matches!(
            Program::find("true"),
            Err(PrivateRedisError::NotRedis { .. })
        ));
    }
}
