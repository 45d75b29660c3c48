//! Counts of the commands a Redis has run, to prove how many round trips something costs.

use std::collections::BTreeMap;

/// What the test kit itself and the client's handshake send; no code under test is judged by these. Before Redis 7 all kinds of `CLIENT`
/// are counted as one.
const OVERHEAD: [&str; 5] = ["info", "ping", "hello", "client|setinfo", "client"];

/// Calls per command, from `INFO commandstats`: lower case, sub-commands as `xgroup|create`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommandCounts(BTreeMap<String, u64>);

impl CommandCounts {
    /// Calls of `command`.
    #[must_use]
    pub fn of(&self, command: &str) -> u64 {
        let name = command.to_lowercase();
        self.0.get(&name).copied().unwrap_or_default()
    }

    /// Calls of all commands but the overhead of connecting and of counting.
    #[must_use]
    pub fn total(&self) -> u64 {
        let judged = self
            .0
            .iter()
            .filter(|(name, _)| !OVERHEAD.contains(&name.as_str()));
        judged.map(|(_, calls)| calls).sum()
    }

    /// What was called after `earlier` was taken.
    #[must_use]
    pub fn since(&self, earlier: &Self) -> Self {
        let calls = self.0.iter();
        let grown = calls.map(|(name, calls)| (name.clone(), calls - earlier.of(name)));
        Self(grown.filter(|(_, calls)| *calls > 0).collect())
    }

    /// Reads lines of the form `cmdstat_get:calls=3,usec=12,…`.
    pub(super) fn parse(info: &str) -> Self {
        let lines = info.lines().filter_map(|line| {
            let (name, stats) = line.strip_prefix("cmdstat_")?.split_once(':')?;
            let calls = stats.strip_prefix("calls=")?.split(',').next()?;
            Some((name.to_owned(), calls.parse().ok()?))
        });
        Self(lines.collect())
    }
}

impl std::ops::AddAssign<&Self> for CommandCounts {
    fn add_assign(&mut self, other: &Self) {
        for (name, calls) in &other.0 {
            *self.0.entry(name.clone()).or_default() += calls;
        }
    }
}
