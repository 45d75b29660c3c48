//! How much memory the private server may use, and how near it is to that.
//!
//! The limit is half of what the machine has, or of what the container may use: the other half is for Tandian itself and
//! for the copy that Redis makes of changed pages while it rewrites its file. At the limit Redis refuses writes
//! (`noeviction`) and keeps what it has; without one the kernel would kill it, or Tandian, in the middle of a sale.

use std::fs;
use std::path::{Path, PathBuf};

use metrics::gauge;

/// The part of all memory that is Redis's own, when no setting says otherwise.
const SHARE: u64 = 2;

/// Below this a site cannot hold its sessions; a machine that has less has other worries.
const LEAST_BYTES: u64 = 64 * MIB;

const MIB: u64 = 1024 * 1024;

/// From here on an operator should look: sessions and sales grow within minutes.
pub const NEAR_LIMIT: f64 = 0.8;
/// From here on writes are about to be refused.
pub const NEARLY_FULL: f64 = 0.95;
/// A ratio that moves around a mark is logged once.
const RELIEF: f64 = 0.05;

/// `0`, as Redis says it, when nothing is known about the machine.
pub(crate) fn limit_bytes(max_memory_mib: u64) -> u64 {
    if max_memory_mib > 0 {
        return max_memory_mib.saturating_mul(MIB);
    }
    let machine = machine_bytes(Path::new("/"));
    machine.map_or(0, |bytes| (bytes / SHARE).max(LEAST_BYTES))
}

/// What the machine has, or the group of processes that we are in, whichever is less.
fn machine_bytes(root: &Path) -> Option<u64> {
    let total = total_bytes(&fs::read_to_string(root.join("proc/meminfo")).ok()?);
    let groups = fs::read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
    let limits = limit_files(root, &groups).into_iter().filter_map(|file| {
        let limit = fs::read_to_string(file).ok()?;
        // "max" is no number, and means no limit.
        limit.trim().parse::<u64>().ok()
    });
    limits.chain(total).min()
}

/// `MemTotal:  16303412 kB`.
fn total_bytes(meminfo: &str) -> Option<u64> {
    let line = meminfo.lines().find(|line| line.starts_with("MemTotal:"))?;
    let kib: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kib * 1024)
}

/// The limit of our group and of all above it; the tightest counts. Inside a container the path of the group may be the
/// host's, and what is mounted is the group itself: then the last file is the one that is there.
fn limit_files(root: &Path, groups: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for line in groups.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let (mount, name) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max"),
            "memory" => ("sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let group = Path::new(path.trim_start_matches('/'));
        let above = group.ancestors();
        files.extend(above.map(|group| root.join(mount).join(group).join(name)));
    }
    files
}

/// How full a server is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryUsage {
    pub used_bytes: u64,
    /// 0 is no limit.
    pub max_bytes: u64,
}

impl MemoryUsage {
    /// From what `INFO memory` answers.
    pub fn parse(info: &str) -> Option<Self> {
        let field = |name: &str| {
            let value = |line: &str| line.strip_prefix(name)?.trim().parse().ok();
            info.lines().find_map(value)
        };
        Some(Self {
            used_bytes: field("used_memory:")?,
            max_bytes: field("maxmemory:")?,
        })
    }

    /// `None` without a limit.
    #[expect(
        clippy::cast_precision_loss,
        reason = "a ratio of sizes needs no more digits than a float has"
    )]
    pub fn ratio(self) -> Option<f64> {
        (self.max_bytes > 0).then(|| self.used_bytes as f64 / self.max_bytes as f64)
    }
}

/// The mark that was last logged, so that each is logged once.
#[derive(Debug, Default)]
pub(crate) struct MemoryMonitor {
    logged: f64,
}

impl MemoryMonitor {
    pub(crate) fn note(&mut self, usage: MemoryUsage) {
        let Some(ratio) = usage.ratio() else { return };
        gauge!("tandian_private_redis_memory_ratio").set(ratio);
        let step = self.step(ratio);
        let (used_mib, max_mib) = (usage.used_bytes / MIB, usage.max_bytes / MIB);
        const ADVICE: &str =
            "raise redis.max_memory_mib, add memory, or move Redis to a machine of its own";
        if step == Some(NEARLY_FULL) {
            tracing::error!(
                used_mib,
                max_mib,
                "private Redis is about to refuse writes: {ADVICE}"
            );
        } else if step == Some(NEAR_LIMIT) {
            tracing::warn!(
                used_mib,
                max_mib,
                "private Redis is near its memory limit: {ADVICE}"
            );
        }
    }

    /// The mark that the ratio has passed since the last check, if any.
    fn step(&mut self, ratio: f64) -> Option<f64> {
        let passed = [NEARLY_FULL, NEAR_LIMIT]
            .into_iter()
            .find(|mark| ratio >= *mark);
        if let Some(mark) = passed
            && mark > self.logged
        {
            self.logged = mark;
            return passed;
        }
        if ratio < self.logged - RELIEF {
            self.logged = passed.unwrap_or_default();
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine with 8 GiB and these files.
    fn machine(files: &[(&str, &str)]) -> Option<u64> {
        let root = tempfile::tempdir().unwrap();
        let meminfo = (
            "proc/meminfo",
            "MemTotal:        8388608 kB\nMemFree: 1 kB\n",
        );
        for (name, text) in [meminfo].iter().chain(files) {
            let path = root.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        machine_bytes(root.path())
    }

    #[test]
    fn a_machine_without_groups_has_all_its_memory() {
        assert_eq!(machine(&[]), Some(8192 * MIB));
        let unlimited = [
            ("proc/self/cgroup", "0::/user.slice\n"),
            ("sys/fs/cgroup/user.slice/memory.max", "max\n"),
        ];
        assert_eq!(machine(&unlimited), Some(8192 * MIB));
    }

    #[test]
    fn the_tightest_group_above_us_counts() {
        let service = [
            ("proc/self/cgroup", "0::/system.slice/tandian.service\n"),
            ("sys/fs/cgroup/system.slice/memory.max", "536870912\n"),
            (
                "sys/fs/cgroup/system.slice/tandian.service/memory.max",
                "max\n",
            ),
        ];
        assert_eq!(machine(&service), Some(512 * MIB));
    }

    #[test]
    fn a_container_finds_its_limit_at_the_root_of_what_is_mounted() {
        let newer = [
            ("proc/self/cgroup", "0::/\n"),
            ("sys/fs/cgroup/memory.max", "1073741824\n"),
        ];
        assert_eq!(machine(&newer), Some(1024 * MIB));
        let older = [
            ("proc/self/cgroup", "5:cpu:/docker/x\n4:memory:/docker/x\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "268435456\n"),
        ];
        assert_eq!(machine(&older), Some(256 * MIB));
    }

    #[test]
    fn a_setting_wins_and_a_tiny_machine_still_gets_something() {
        assert_eq!(limit_bytes(100), 100 * MIB);
        assert!(limit_bytes(0) >= LEAST_BYTES);
    }

    #[test]
    fn usage_is_read_from_info() {
        let info = "# Memory\r\nused_memory:1048576\r\nused_memory_rss:5\r\nmaxmemory:4194304\r\n";
        let usage = MemoryUsage::parse(info).unwrap();
        assert_eq!(usage.ratio(), Some(0.25));
        assert_eq!(
            MemoryUsage {
                max_bytes: 0,
                ..usage
            }
            .ratio(),
            None
        );
    }

    #[test]
    fn each_mark_is_logged_once_until_memory_is_free_again() {
        let mut watch = MemoryMonitor::default();
        assert_eq!(watch.step(0.5), None);
        assert_eq!(watch.step(0.81), Some(NEAR_LIMIT));
        assert_eq!(watch.step(0.79), None);
        assert_eq!(watch.step(0.82), None);
        assert_eq!(watch.step(0.96), Some(NEARLY_FULL));
        assert_eq!(watch.step(0.85), None);
        assert_eq!(watch.step(0.97), Some(NEARLY_FULL));
        assert_eq!(watch.step(0.1), None);
        assert_eq!(watch.step(0.8), Some(NEAR_LIMIT));
    }
}
