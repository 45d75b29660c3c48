//! The kernel's figures about a process, and its limit of open files.

use std::fs;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// What a process takes of the machine's memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryUsage {
    /// Everything that is in memory, the program's own code included.
    pub(crate) resident_mib: f64,
    /// Its private memory: heap and stacks.
    pub(crate) own_mib: f64,
}

impl MemoryUsage {
    pub(crate) fn of(pid: u32) -> Result<Self> {
        let text = fs::read_to_string(format!("/proc/{pid}/smaps_rollup"))
            .context("the memory of a process cannot be read")?;
        Ok(Self {
            resident_mib: mib(&text, "Rss:")?,
            own_mib: mib(&text, "Anonymous:")?,
        })
    }
}

fn mib(text: &str, name: &str) -> Result<f64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    let kib = line.and_then(|line| line.split_whitespace().next());
    let kib: f64 = kib.context("the kernel reports it")?.parse()?;
    Ok(kib / 1024.0)
}

/// How long the threads of a process have run so far. The kernel counts nanoseconds here, and hundredths of a second elsewhere.
pub(crate) fn cpu_time(pid: u32) -> Result<Duration> {
    let mut nanos = 0;
    for task in fs::read_dir(format!("/proc/{pid}/task"))? {
        let path = task?.path().join("schedstat");
        // A thread that has just ended is gone with its time.
        let text = fs::read_to_string(path).unwrap_or_default();
        let ran = text.split_whitespace().next();
        nanos += ran
            .and_then(|ran| ran.parse::<u64>().ok())
            .unwrap_or_default();
    }
    Ok(Duration::from_nanos(nanos))
}

/// Lets this process and those that it starts from now on have so many files open.
pub(crate) fn allow_open_files(count: u64) -> Result<()> {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_none_or(|current| current >= count) {
        return Ok(());
    }
    let is_allowed = limit.maximum.is_none_or(|maximum| maximum >= count);
    ensure!(
        is_allowed,
        "{count} open files are needed and {:?} are allowed: raise the limit (ulimit -Hn {count})",
        limit.maximum
    );
    let raised = Rlimit {
        current: Some(count),
        maximum: limit.maximum,
    };
    setrlimit(Resource::Nofile, raised).context("the limit of open files cannot be raised")
}
