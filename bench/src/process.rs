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
    cpu_time_of(pid, |_| true)
}

fn cpu_time_of(pid: u32, is_counted: impl Fn(&str) -> bool) -> Result<Duration> {
    let mut total = Duration::ZERO;
    for task in fs::read_dir(format!("/proc/{pid}/task"))? {
        let folder = task?.path();
        // A thread that has just ended is gone with its time.
        let read = |file| fs::read_to_string(folder.join(file)).unwrap_or_default();
        if is_counted(&read("comm")) {
            total += ran(&read("schedstat"));
        }
    }
    Ok(total)
}

/// How long the thread that asks has run so far.
fn cpu_time_of_this_thread() -> Duration {
    ran(&fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default())
}

fn ran(schedstat: &str) -> Duration {
    let nanos = schedstat.split_whitespace().next();
    Duration::from_nanos(nanos.and_then(|it| it.parse().ok()).unwrap_or_default())
}

/// The processes whose time a window takes besides the client's.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watched {
    pub(crate) server: u32,
    pub(crate) redis: u32,
}

/// Where the time of the cores went.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CpuShares {
    /// The thread that sends requests.
    pub(crate) client: Duration,
    /// The process that answers them, without the next one.
    pub(crate) server: Duration,
    /// SQLite within that process.
    pub(crate) sqlite: Duration,
    pub(crate) redis: Duration,
}

/// Threads of the driver for SQLite.
const SQLITE_THREADS: &str = "sqlx-sqlite";

impl CpuShares {
    /// Until now; to be called by the thread that is the client.
    pub(crate) fn of(watched: Watched) -> Result<Self> {
        let sqlite = cpu_time_of(watched.server, |name| name.starts_with(SQLITE_THREADS))?;
        Ok(Self {
            client: cpu_time_of_this_thread(),
            server: cpu_time(watched.server)?.saturating_sub(sqlite),
            sqlite,
            redis: cpu_time(watched.redis)?,
        })
    }

    pub(crate) fn since(&self, before: &Self) -> Self {
        Self {
            client: self.client.saturating_sub(before.client),
            server: self.server.saturating_sub(before.server),
            sqlite: self.sqlite.saturating_sub(before.sqlite),
            redis: self.redis.saturating_sub(before.redis),
        }
    }
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
